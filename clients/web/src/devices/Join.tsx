import { signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Segments } from "../settings/controls";
import { useFocusKept } from "./focus";
import { usePolling } from "./polling";
import { type Invitation, join, joined, type OwnGames } from "./requests";
import { codeOf, Trouble } from "./trouble";
import type { Words } from "./words";

/** What waits for the other device's answer. It outlives the panel: whoever opens that again goes on waiting. */
export const joining = signal<({ readonly code: string } & Invitation) | null>(null);

/** How the join stands, asked by the panel; the answer is acted upon though the panel has been closed meanwhile. */
async function standing(code: string): Promise<Invitation> {
  const invitation = await joined(code);
  // The browser has been given the cookie of the other's player: everything here begins anew with it.
  if (invitation.state === "approved") location.reload();
  return invitation;
}

/** The side that joins: says what happens to its own games, asks, and waits for the other's answer. */
export function Join({ words, code: given }: { words: Words; code: string }) {
  const app = useApp();
  const [typed, setTyped] = useState(given);
  const [games, setGames] = useState<OwnGames>("bring");
  const [refused, setRefused] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const asked = joining.value;
  useLayoutEffect(() => {
    // Whoever comes with another code than the one that waits wants to join there.
    if (given !== "" && given !== asked?.code) joining.value = null;
  }, []);
  const section = useFocusKept(asked === null);
  const fail = (code: string) => {
    joining.value = null;
    setTrouble(code);
  };
  const learn = (invitation: Invitation) => {
    const over = invitation.state === "refused";
    setRefused(over);
    joining.value = over ? null : { ...joining.value!, ...invitation };
  };
  usePolling(asked?.state === "asked", () => standing(asked!.code), learn, fail);

  const ask = async () => {
    setTrouble(null);
    setRefused(false);
    try {
      joining.value = { code: typed, ...(await join(typed, games)) };
    } catch (error) {
      fail(codeOf(error));
    }
  };

  return (
    <section ref={section} tabIndex={-1}>
      {asked === null && (
        <>
          <h3>{given === "" ? words.have : words.welcome}</h3>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void ask();
            }}
          >
            <input
              type="text"
              name="code"
              aria-label={words.code}
              class="code"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              maxLength={16}
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
            {typed !== "" && <p>{words.becomes}</p>}
            {typed !== "" && app.unfinished.value.length > 0 && (
              <>
                <h3>
                  {words.games} <span class="note">{app.unfinished.value.length}</span>
                </h3>
                <Segments
                  name="games"
                  label={words.games}
                  value={games}
                  onChoose={setGames}
                  choices={(["bring", "leave"] as const).map((one) => ({
                    value: one,
                    label: words.gamesChoice[one],
                    note: words.gamesNote[one],
                  }))}
                />
                <p class="note">{words.gamesNote[games]}</p>
              </>
            )}
            <Trouble words={words} code={trouble} />
            <p>
              <button
                type="submit"
                class={given === "" ? "button" : "button primary big"}
                data-action="join"
                aria-disabled={typed === ""}
              >
                {words.join}
              </button>
            </p>
          </form>
        </>
      )}
      {/* Here before what it says, so that it is said. */}
      <div role="status">
        {refused && <p>{words.turnedAway}</p>}
        {asked !== null && (
          <>
            <p>{words.waiting}</p>
            <p class="code" data-check={asked.check}>
              {asked.check}
            </p>
          </>
        )}
      </div>
    </section>
  );
}
