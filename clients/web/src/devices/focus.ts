import { useLayoutEffect, useRef } from "preact/hooks";

/** For a section that changes with `state`: where the focused button went with the change, the section has the focus. */
export function useFocusKept(state: unknown) {
  const section = useRef<HTMLElement>(null);
  const before = useRef(state);
  useLayoutEffect(() => {
    const changed = before.current !== state;
    before.current = state;
    if (changed && document.activeElement === document.body) section.current?.focus();
  });
  return section;
}
