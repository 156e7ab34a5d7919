import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "./context";
import { Dialog } from "./Dialog";

/** A panel that few open: what it holds is loaded only then. */
export function LoadedPanel({
  title,
  load,
  onClose,
}: {
  title: string;
  load: () => Promise<{ default: ComponentType }>;
  onClose: () => void;
}) {
  const { help, link } = useApp().words.value;
  const [loaded, setLoaded] = useState<{ default: ComponentType } | "failed" | null>(null);
  useEffect(() => {
    load().then(setLoaded, () => setLoaded("failed"));
  }, []);
  return (
    <Dialog kind="sheet" title={title} onClose={onClose}>
      {loaded === null || loaded === "failed" ? (
        <p role="status">{loaded === null ? help.loading : link.refused}</p>
      ) : (
        <loaded.default />
      )}
    </Dialog>
  );
}
