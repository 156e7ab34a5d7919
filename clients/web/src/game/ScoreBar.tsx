import { useApp } from "../app/context";
import { Token } from "../app/icons";

/** Who plays, how far each has to go, the match, the level. */
export function ScoreBar() {
  const app = useApp();
  const words = app.words.value;
  const now = app.game.shown.value;
  if (now === null) return <div class="scores" />;
  const { format, game, level, practice, phase } = now.view;
  const { score, pips } = app.game.told.value ?? now.view;
  const seen = app.game.phase.value;
  const turn = phase === "seed" || seen.endsWith("over") ? null : seen === "computer" ? 1 : 0;
  const showPips = app.preferences.value.value.pips;
  const pages = app.game.pages.value;
  return (
    <div class="scores">
      <p class="meta">
        <span>{practice ? words.top.practice : words.top.format[format]}</span>
        {format > 1 && <span>{words.top.game(game)}</span>}
        <span class="level">{words.level[level]}</span>
        {pages > 1 && <span class="pages">{words.top.pages(pages)}</span>}
      </p>
      <div class="sides">
        {([0, 1] as const).map((side) => (
          <span key={side} class={side === 0 ? "mine" : "theirs"}>
            <Token side={side} />
            <b class={turn === side ? "who turn" : "who"}>{side === 0 ? words.you : words.computer}</b>
            {showPips && (
              <span class="pips">
                <span aria-hidden="true">
                  <b>{pips[side]}</b> <small>{words.top.pip(pips[side])}</small>
                </span>
                <span class="unseen">{words.top.pips(side, pips[side])}</span>
              </span>
            )}
          </span>
        ))}
        {format > 1 && (
          <span class="score">
            <span aria-hidden="true">
              {score[0]} <i>:</i> {score[1]}
            </span>
            <span class="unseen">{words.top.score(score[0], score[1])}</span>
          </span>
        )}
      </div>
    </div>
  );
}
