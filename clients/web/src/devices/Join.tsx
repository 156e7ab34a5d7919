import { useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Segments } from "../settings/controls";
import { usePolling } from "./polling";
import { type Invitation, join, joined, type OwnGames } from "./requests";
import { codeOf, Trouble } from "./trouble";
import type { Words } from "./words";

/** The side that joins: says what happens to its own games, asks, and waits for the other's answer. */
export function Join({ words, code: given }: { words: Words; code: string }) {
  const app = useApp();
  const [typed, setTyped] = useState(given);
  const [games, setGames] = useState<OwnGames>("bring");
  const [asked, setAsked] = useState<Invitation | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const fail = (code: string) => {
    setAsked(null);
    setTrouble(code);
  };
  const learn = (invitation: Invitation) => {
    // The browser has been given the cookie of the other's player: everything here begins anew with it.
    if (invitation.state === "approved") location.reload();
    else setAsked((before) => ({ ...before, ...invitation }));
  };
  usePolling(asked?.state === "asked", () => joined(typed), learn, fail);

  const ask = async () => {
    setTrouble(null);
    try {
      setAsked(await join(typed, games));
    } catch (error) {
      fail(codeOf(error));
    }
  };

  if (asked !== null && asked.state !== "refused") {
    return (
      <section role="status">
        <p>{words.waiting}</p>
        <p class="code" data-check={asked.check}>
          {asked.check}
        </p>
      </section>
    );
  }
  return (
    <section>
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
        {asked !== null && <p role="status">{words.turnedAway}</p>}
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
    </section>
  );
}
