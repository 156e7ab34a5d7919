import type { ComponentChildren } from "preact";

interface Choice<T> {
  readonly value: T;
  readonly label: ComponentChildren;
  readonly note?: string;
}

/** One of a few: radio buttons side by side. Arrow keys move the choice, as they do among native radio buttons. */
export function Segments<T extends string | number>({
  label,
  name,
  choices,
  value,
  onChoose,
  cards = false,
}: {
  label: string;
  /** `level` gives every choice `data-level`. */
  name: string;
  choices: readonly Choice<T>[];
  value: T;
  onChoose: (value: T) => void;
  cards?: boolean;
}) {
  const step = (event: KeyboardEvent) => {
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const at = choices.findIndex((choice) => choice.value === value);
    const next = choices[(at + way + choices.length) % choices.length]!;
    onChoose(next.value);
    const group = event.currentTarget as HTMLElement;
    group.querySelector<HTMLElement>(`[data-${name}="${next.value}"]`)?.focus();
  };
  return (
    <div role="radiogroup" aria-label={label} class={cards ? "cards" : "segments"} onKeyDown={step}>
      {choices.map((choice) => {
        const chosen = choice.value === value;
        return (
          <button
            key={choice.value}
            type="button"
            role="radio"
            aria-checked={chosen}
            tabIndex={chosen ? 0 : -1}
            title={choice.note}
            {...{ [`data-${name}`]: choice.value }}
            onClick={() => onChoose(choice.value)}
          >
            {choice.label}
          </button>
        );
      })}
    </div>
  );
}

/** On or off. */
export function Switch({
  name,
  label,
  note,
  on,
  onChange,
}: {
  name: string;
  label: string;
  note?: string;
  on: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      class="switch"
      data-setting={name}
      onClick={() => onChange(!on)}
    >
      <span>
        {label}
        {note !== undefined && <small>{note}</small>}
      </span>
      <span class="track" aria-hidden="true">
        <span class="thumb" />
      </span>
    </button>
  );
}
