import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { type Device, listDevices, signOut } from "./requests";
import { codeOf, Trouble } from "./trouble";
import type { Words } from "./words";

/** The player's devices, where there are several; each may be signed out, after a second press. */
export function DeviceList({ words, news }: { words: Words; news: number }) {
  const { lobby } = useApp().words.value;
  const [devices, setDevices] = useState<readonly Device[]>([]);
  const [sure, setSure] = useState("");
  const [trouble, setTrouble] = useState<string | null>(null);
  const list = () => listDevices().then(setDevices, (error) => setTrouble(codeOf(error)));
  useEffect(() => {
    void list();
  }, [news]);

  const leave = async ({ id, here }: Device, presses: number) => {
    if (sure !== id) {
      setSure(id);
      return;
    }
    // The second press of a double click came before the question could be read.
    if (presses > 1) return;
    setTrouble(null);
    try {
      await signOut(id);
      if (here) location.reload();
      else await list();
    } catch (error) {
      setTrouble(codeOf(error));
    }
  };

  if (devices.length < 2) return <Trouble words={words} code={trouble} />;
  return (
    <section>
      <h3>{words.list}</h3>
      <ul class="rows">
        {devices.map((device) => (
          <li key={device.id} class="switch" data-device={device.id}>
            <span>
              {words.device(device.name)}
              <small>
                {device.here
                  ? words.here
                  : words.seen(lobby.ago(Math.floor((Date.now() - device.seen) / 60_000)))}
              </small>
            </span>
            <button
              type="button"
              class="link"
              data-action="sign-out"
              aria-label={`${sure === device.id ? words.sure : words.signOut}: ${words.device(device.name)}`}
              onClick={({ detail }) => void leave(device, detail)}
            >
              {sure === device.id ? words.sure : words.signOut}
            </button>
          </li>
        ))}
      </ul>
      <Trouble words={words} code={trouble} />
    </section>
  );
}
