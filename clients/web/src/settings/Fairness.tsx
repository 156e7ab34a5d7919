import { useApp } from "../app/context";
import { recordAddress } from "../link/http";
import { hex } from "../link/ids";
import { en, zh } from "./words";

/** 「骰子公平性」: what the dice of this game are made of, and how anyone can check them. */
export default function Fairness() {
  const app = useApp();
  const fairness = app.words.value.tag === "en" ? en : zh;
  const view = app.game.confirmed.value;
  const session = app.game.session;
  const inGame = app.screen.value === "game" && view !== null && session !== null;
  return (
    <>
      <p>{fairness.intro}</p>
      {inGame ? (
        <>
          <dl class="digits">
            <dt>{fairness.commitment}</dt>
            <dd data-fairness="commitment">{hex(view.fairness.commitment)}</dd>
            <dt>{fairness.seed}</dt>
            <dd data-fairness="seed">
              {view.fairness.seed === null ? fairness.pending : hex(view.fairness.seed)}
            </dd>
            <dt>{fairness.secret}</dt>
            <dd data-fairness="secret">
              {view.fairness.secret === null ? fairness.later : hex(view.fairness.secret)}
            </dd>
          </dl>
          <p>
            <a class="button" data-action="record-download" href={recordAddress(session)} download="">
              {fairness.record}
            </a>
          </p>
          <p class="note">{fairness.recordNote}</p>
        </>
      ) : (
        <p class="note">{fairness.none}</p>
      )}
      <label class="field">
        <span>{fairness.words}</span>
        <input
          type="text"
          name="seed-words"
          maxLength={200}
          autocomplete="off"
          value={app.seedWords.value}
          onInput={(event) => {
            app.seedWords.value = event.currentTarget.value;
          }}
        />
      </label>
      <p class="note">{fairness.wordsNote}</p>
    </>
  );
}
