import { useEffect } from "preact/hooks";
import { RequestFailed } from "../link/http";

const EVERY = 1_500;
/** Refusals that will pass by themselves. */
const PASSING = new Set(["offline", "unavailable", "overloaded"]);

/** Asks again and again while `on`; `failed` gets the code of a refusal that stays, and then it asks no more. */
export function usePolling<T>(
  on: boolean,
  ask: () => Promise<T>,
  heard: (answer: T) => void,
  failed: (code: string) => void,
): void {
  useEffect(() => {
    if (!on) return;
    let asking = true;
    let timer: ReturnType<typeof setTimeout>;
    const again = () => {
      timer = setTimeout(once, EVERY);
    };
    const once = async () => {
      try {
        const answer = await ask();
        if (asking) heard(answer);
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        if (!PASSING.has(error.code)) {
          if (asking) failed(error.code);
          return;
        }
      }
      if (asking) again();
    };
    void once();
    return () => {
      asking = false;
      clearTimeout(timer);
    };
  }, [on]);
}
