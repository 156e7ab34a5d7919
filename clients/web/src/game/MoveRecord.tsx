import { useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useApp } from "../app/context";
import { Close, Forward } from "../app/icons";
import type { Words } from "../i18n/zh";
import type { HintPlay, Id, RecordEntry } from "../link/messages";

const NO_PLAY = "(no play)";

const playText = (text: string, words: Words): string => (text === NO_PLAY ? words.record.noPlay : text);

/** What a play is worth, or by how much it is worse: points of a game, always with a sign. */
const signed = (points: number): string => `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(3)}`;

const percent = (chance: number): string => `${(chance * 100).toFixed(1)}%`;

/** The plays of the hint that is on the board; none where there is no hint. */
function useHintPlays(): readonly HintPlay[] {
  const hint = useApp().game.hint.value;
  return hint === null || hint === "asked" ? [] : hint.plays;
}

/**
 * The record's one line: how many turns, and the last of them; while a hint is on the board, what else could be played. It
 * opens and closes the record.
 */
export function RecordBar() {
  const app = useApp();
  const words = app.words.value;
  const record = app.game.told.value?.record ?? [];
  const last = record.at(-1);
  const others = useHintPlays().slice(1);
  return (
    <button
      type="button"
      class="record-bar"
      data-action="record"
      aria-expanded={app.recordOpen.value}
      aria-controls="record"
      onClick={() => {
        app.recordOpen.value = !app.recordOpen.value;
      }}
    >
      <Forward />
      <b>{others.length > 0 ? words.hint.others : words.actions.record}</b>
      {others.length > 0 && (
        <span class="last">
          {others.map(({ text, loss }) => (
            <span key={text} class="play">
              {text} {signed(-loss)}
            </span>
          ))}
        </span>
      )}
      {others.length === 0 && last !== undefined && (
        <span class="last">
          <span class="count">{words.record.turn(pairs(record).length)}</span>
          <span>
            {last[0] === 0 ? words.you : words.computer} {words.record.dice(last[1], last[2])}
          </span>
          <span class="play">{playText(last[3], words)}</span>
        </span>
      )}
    </button>
  );
}

/** Every finished turn of this game, both sides side by side, and a line to type a play into. */
export function MoveRecord() {
  const app = useApp();
  const words = app.words.value;
  const list = useRef<HTMLDivElement>(null);
  const record = app.game.told.value?.record ?? [];
  const advised = useHintPlays();
  const phase = app.game.phase.value;
  const over = phase === "game-over" || phase === "match-over";
  useLayoutEffect(() => {
    list.current!.scrollTop = advised.length > 0 ? 0 : list.current!.scrollHeight;
  }, [record.length, advised.length]);
  return (
    <section id="record" class="record-sheet" aria-label={words.actions.record}>
      <button
        type="button"
        class="plain square close"
        aria-label={words.actions.close}
        onClick={() => {
          app.recordOpen.value = false;
        }}
      >
        <Close />
      </button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key */}
      <div ref={list} class="record-list" tabIndex={0} role="group" aria-label={words.actions.record}>
        {advised.length > 0 && <Advice plays={advised} words={words} />}
        {record.length === 0 ? (
          <p class="note">{words.record.empty}</p>
        ) : (
          <table>
            <thead>
              <tr>
                <th scope="col">{words.record.count}</th>
                <th scope="col">{words.you}</th>
                <th scope="col">{words.computer}</th>
              </tr>
            </thead>
            <tbody>
              {pairs(record).map(([mine, theirs], i) => (
                <tr key={i}>
                  <th scope="row">{i + 1}</th>
                  <Cell entry={mine} words={words} />
                  <Cell entry={theirs} words={words} />
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      {!over && <TypedPlay />}
    </section>
  );
}

/** The hint's plays side by side: worth, and chances to win at all and to win a gammon. */
function Advice({ plays, words }: { plays: readonly HintPlay[]; words: Words }) {
  const { column } = words.hint;
  return (
    <table class="advice">
      <thead>
        <tr>
          <th scope="col">{column.play}</th>
          <th scope="col">{column.worth}</th>
          <th scope="col">{column.win}</th>
          <th scope="col">{column.gammon}</th>
        </tr>
      </thead>
      <tbody>
        {plays.map(({ text, equity, loss, win, gammon }) => (
          <tr key={text}>
            <th scope="row">{text}</th>
            <td>{loss === 0 ? signed(equity) : `${signed(equity)} (${signed(-loss)})`}</td>
            <td>{percent(win)}</td>
            <td>{percent(gammon)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ entry, words }: { entry: RecordEntry | undefined; words: Words }) {
  if (entry === undefined) return <td />;
  const [, a, b, text] = entry;
  return (
    <td>
      <span class="rolled">{words.record.dice(a, b)}</span> {playText(text, words)}
    </td>
  );
}

/** Turns in rows of the player's and the computer's; where the computer began, the first row lacks the player's. */
export function pairs(record: readonly RecordEntry[]): [RecordEntry | undefined, RecordEntry | undefined][] {
  const rows: [RecordEntry | undefined, RecordEntry | undefined][] = [];
  for (const entry of record) {
    const row = rows.at(-1);
    if (entry[0] === 0) rows.push([entry, undefined]);
    else if (row === undefined || row[1] !== undefined) rows.push([undefined, entry]);
    else row[1] = entry;
  }
  return rows;
}

/** A play in words, for those who would rather write `8/5 6/5` than move checkers. */
function TypedPlay() {
  const app = useApp();
  const words = app.words.value;
  const [text, setText] = useState("");
  const sent = useRef<{ readonly id: Id; readonly play: string } | null>(null);
  const may = app.game.may("play");
  // What was refused stays, to be put right.
  useSignalEffect(() => {
    const waiting = app.game.waiting.value;
    const answered = sent.current;
    if (answered === null || waiting.some(({ id }) => id === answered.id)) return;
    sent.current = null;
    if (app.game.notice.peek()?.kind !== "refusal")
      setText((now) => (now.trim() === answered.play ? "" : now));
  });
  return (
    <form
      class="typed"
      onSubmit={(event) => {
        event.preventDefault();
        const play = text.trim();
        if (!app.game.may("play")) app.game.say({ kind: "why", code: "not-now" });
        else if (play !== "") sent.current = { id: app.game.play(play), play };
      }}
    >
      <input
        type="text"
        name="play"
        data-action="type-play"
        aria-label={words.record.type}
        placeholder={`${words.record.type} ${words.record.example}`}
        maxLength={64}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="go"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button" data-action="play-text" aria-disabled={!may}>
        {words.record.play}
      </button>
    </form>
  );
}
