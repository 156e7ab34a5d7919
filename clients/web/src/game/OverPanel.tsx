import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app/context";
import { Token } from "../app/icons";
import type { View } from "../link/messages";

/** What the game was, why it counts so much, how the match stands, and the one next step. It lies on the board. */
export function OverPanel({ view, early }: { view: View; early: boolean }) {
  const app = useApp();
  const words = app.words.value;
  const { result, format, game, practice, score } = view;
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    // Whoever used the buttons that are gone now, or nothing, goes on here.
    if (!early && document.activeElement?.matches("body, h1, .actions *"))
      box.current?.focus({ preventScroll: true });
  }, [early]);
  if (result === null) return null;
  const { winner, points } = result;
  const matchOver = view.phase === "match-over";
  const inMatch = format > 1;
  const told = [app.boardWords.value.won(winner, points), words.over.kind(points)];
  if (inMatch) told.push(matchOver ? words.over.match(winner) : words.top.score(...score));
  return (
    // While the last checker is on its way to the tray the panel waits out of sight.
    <section
      ref={box}
      tabIndex={-1}
      class={early ? "over early" : "over"}
      aria-label={told.join(words.comma)}
    >
      <p class="over-what">
        {inMatch && <span>{words.over.game(game)}</span>}
        <span>
          {matchOver && inMatch ? words.over.match(winner) : winner === 0 ? words.over.won : words.over.lost}
        </span>
      </p>
      <p class="over-kind">
        <b>{words.over.kind(points)}</b> <span>+{points}</span>
      </p>
      <p class="over-why">{words.over.why(winner, points)}</p>
      {inMatch && <MatchScore view={view} won={winner} points={points} />}
      {practice && <p class="note">{words.over.practice}</p>}
      <div class="buttons">
        <button type="button" class="button" data-action="lobby" onClick={() => app.toLobby()}>
          {words.over.lobby}
        </button>
        {matchOver ? (
          <button type="button" class="button primary" data-action="restart" onClick={() => app.restart()}>
            {words.actions.again}
          </button>
        ) : (
          <button
            type="button"
            class="button primary"
            data-action="next-game"
            onClick={() => app.game.next()}
          >
            {words.actions.next}
          </button>
        )}
      </div>
    </section>
  );
}

function MatchScore({ view, won, points }: { view: View; won: 0 | 1; points: number }) {
  const words = useApp().words.value;
  const { score, format } = view;
  return (
    <>
      <div class="over-score">
        {([0, 1] as const).map((side) => (
          <div key={side} class={side === 0 ? "mine" : "theirs"}>
            <span class="who">
              <Token side={side} />
              {side === 0 ? words.you : words.computer}
            </span>
            <Dots of={format} full={score[side]} fresh={side === won ? points : 0} />
          </div>
        ))}
        <p class="score">
          <span aria-hidden="true">
            {score[0]} <i>:</i> {score[1]}
          </span>
          <span class="unseen">{words.top.score(score[0], score[1])}</span>
        </p>
      </div>
      <p class="note">{words.over.target(format)}</p>
    </>
  );
}

/** The way to the end of the match: points won are full, those of this game have a ring. */
function Dots({ of, full, fresh }: { of: number; full: number; fresh: number }) {
  return (
    <svg class="dots" viewBox={`0 0 ${of * 18} 18`} width={of * 18} height="18" aria-hidden="true">
      {Array.from({ length: of }, (_, i) => {
        const won = i < full;
        const now = won && i >= full - fresh;
        return (
          <g key={i} transform={`translate(${i * 18 + 9} 9)`}>
            <circle r={won ? 5.5 : 5} class={won ? "won" : "open"} />
            {now && <circle r="8" class="now" />}
          </g>
        );
      })}
    </svg>
  );
}
