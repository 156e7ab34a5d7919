import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Dialog } from "../app/Dialog";

/** 「在其他设备上继续」; what it holds is loaded when it is first opened. */
export function DevicesPanel({ onClose }: { onClose: () => void }) {
  const { lobby, help, link } = useApp().words.value;
  const [loaded, setLoaded] = useState<{ Devices: ComponentType } | "failed" | null>(null);
  useEffect(() => {
    import("./Devices").then(setLoaded, () => setLoaded("failed"));
  }, []);
  return (
    <Dialog kind="sheet" title={lobby.devices} onClose={onClose}>
      {loaded === null || loaded === "failed" ? (
        <p role="status">{loaded === null ? help.loading : link.refused}</p>
      ) : (
        <loaded.Devices />
      )}
    </Dialog>
  );
}
