import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useApp } from "../app/context";
import { Again, Back, Check, Die, Dotted, Gear, Question, Scroll, Sound, Token, Undo } from "../app/icons";
import type { Viewport } from "../app/viewport";
import { Board } from "../board/Board";
import { fit as fitBoard, type Plan, plan } from "../board/geometry";
import type { Notice } from "./game";
import { gameKeys } from "./keys";
import { MoveRecord, RecordBar } from "./MoveRecord";
import { OverPanel } from "./OverPanel";
import { type Prompt, promptOf } from "./prompt";
import { ScoreBar } from "./ScoreBar";
import { moveOf } from "./table";

/** Short breaks of the link are not worth a word. */
const QUIET_FOR = 1_200;
/** What surrounds a desktop board, in CSS pixels: its sides; the rows above and below; the open record under or beside it. */
const DESKTOP_SIDES = 48;
const DESKTOP_ROWS = { full: 184, "no-record": 136, bare: 136 };
const RECORD_HEIGHT = 204;
const RECORD_WIDTH = 316;
/** The record may take so much of the board's height; where it would take more it lies beside the board. */
const BOARD_KEEPS = 2 / 3;

export function GameScreen({ viewport }: { viewport: Viewport }) {
  const app = useApp();
  const { game, preferences } = app;
  const words = app.words.value;
  const { theme, numbers, sound } = preferences.value.value;
  const { layout, chrome, geometry, record } = usePlan(viewport);
  const shown = game.shown.value;
  const phase = game.phase.value;
  const over = phase === "game-over" || phase === "match-over";
  const hint = game.hint.value;
  const prompt = usePrompt();

  const classes = ["game", layout, chrome];
  if (record !== null) classes.push(`record-${record}`);
  if ((shown?.view.format ?? 1) > 1) classes.push("match");

  useEffect(() => gameKeys(app), [app]);
  // Where the record lies over the board it would hide the result.
  useEffect(() => {
    if (over && layout !== "desktop") app.recordOpen.value = false;
  }, [over]);

  return (
    <div
      class={classes.join(" ")}
      style={{ "--board-w": `${geometry.width}px`, "--board-h": `${geometry.height}px` }}
      onPointerDownCapture={(event) => {
        const onControl = (event.target as Element).closest("button, a, input, dialog") !== null;
        if (!onControl && game.playing.value === "computer") game.hurry();
      }}
    >
      <header class="top">
        <h1 class="unseen" tabIndex={-1}>
          {words.name}
        </h1>
        <nav class="nav" aria-label={words.top.lobby}>
          <TopButton
            action={over ? undefined : "lobby"}
            label={words.top.lobby}
            onClick={() => app.ask("leave")}
          >
            <Back />
          </TopButton>
          <TopButton
            action={phase === "match-over" || (over && shown?.view.format === 1) ? undefined : "restart"}
            label={words.top.restart}
            onClick={() => app.ask("restart")}
          >
            <Again />
          </TopButton>
        </nav>
        <ScoreBar />
        <div class="tools">
          {chrome !== "full" || layout === "landscape" ? (
            <TopButton
              action="record"
              label={words.actions.record}
              onClick={() => {
                app.recordOpen.value = !app.recordOpen.value;
              }}
            >
              <Scroll />
            </TopButton>
          ) : null}
          <TopButton
            action="sound"
            label={sound ? words.actions.mute : words.actions.unmute}
            onClick={() => app.setPreference({ sound: !sound })}
          >
            <Sound on={sound} />
          </TopButton>
          <TopButton
            action="help"
            label={words.top.help}
            onClick={() => {
              app.helpOpen.value = !app.helpOpen.value;
            }}
          >
            <Question />
          </TopButton>
          <TopButton
            action="settings"
            label={words.top.settings}
            onClick={() => {
              app.panel.value = "settings";
            }}
          >
            <Gear />
          </TopButton>
        </div>
      </header>

      <main class="play">
        <div class="table" style={{ width: `${geometry.width}px`, height: `${geometry.height}px` }}>
          <Board
            stage={game.stage}
            geometry={geometry}
            theme={theme}
            numbers={numbers}
            options={game.options.value}
            moves={shown?.view.moves.map(moveOf) ?? []}
            hint={hint === null || hint === "asked" ? null : (hint.plays[0]?.moves.map(moveOf) ?? null)}
            words={app.boardWords.value}
            onMove={(option) => game.move(option)}
            onUndo={(count) => game.undo(count)}
            onRefused={(_, why) => {
              if (game.playing.value === null && phase === "moving") game.say({ kind: "why", code: why });
            }}
          />
          {over && shown !== null && <OverPanel view={shown.view} early={game.playing.value !== null} />}
        </div>

        <div class="line">
          <p class="prompt">
            {!over && <Token side={phase === "computer" ? 1 : 0} />}
            <span>{prompt.text}</span>
          </p>
          {game.link.value === "refused" ? (
            <button
              type="button"
              class="button primary"
              data-action="reload"
              onClick={() => location.reload()}
            >
              {words.link.reload}
            </button>
          ) : (
            <Actions hidden={over} />
          )}
        </div>

        {chrome === "full" && layout !== "landscape" && (
          <footer class="record">
            <RecordBar />
          </footer>
        )}
        {app.recordOpen.value && <MoveRecord />}
      </main>
    </div>
  );
}

/**
 * The board's size. On a desktop the board makes room for the open record, under it or, where that would leave little of
 * the board, beside it; elsewhere the record lies over the board.
 */
function usePlan({ width, height }: Viewport): Plan & { readonly record: "under" | "beside" | null } {
  const app = useApp();
  const { mirrored, large } = app.preferences.value.value;
  const preferences = { mirrored, large };
  const usual = plan(width, height, preferences);
  if (usual.layout !== "desktop" || !app.recordOpen.value) return { ...usual, record: null };
  const across = width - DESKTOP_SIDES;
  const under = fitBoard("desktop", across, height - DESKTOP_ROWS.full - RECORD_HEIGHT, preferences);
  const beside = fitBoard("desktop", across - RECORD_WIDTH, height - DESKTOP_ROWS[usual.chrome], preferences);
  if (under.height >= BOARD_KEEPS * usual.geometry.height || under.d >= beside.d)
    return { layout: "desktop", chrome: "full", geometry: under, record: "under" };
  return { ...usual, geometry: beside, record: "beside" };
}

function TopButton({
  action,
  label,
  onClick,
  children,
}: {
  action: string | undefined;
  label: string;
  onClick: () => void;
  children: ComponentChildren;
}) {
  return (
    <button type="button" class="plain" data-action={action} aria-label={label} onClick={onClick}>
      {children}
      <span class="label">{label}</span>
    </button>
  );
}

function Actions({ hidden }: { hidden: boolean }) {
  const app = useApp();
  const { game } = app;
  const { actions } = app.words.value;
  const phase = game.phase.value;
  const hint = game.hint.value !== null;
  const mayHint = hint || game.may("hint");
  const mayUndo = game.may("undo");
  const rolling = phase === "to-roll" || phase === "opening";
  const ready = rolling ? game.may("roll") : game.may("end");
  const press = (allowed: boolean, act: () => void, why: string) => () =>
    allowed ? act() : game.say({ kind: "why", code: why });
  return (
    <div class={hidden ? "actions hidden" : "actions"}>
      <button
        type="button"
        class="button"
        data-action="hint"
        aria-pressed={hint}
        aria-disabled={!mayHint}
        onClick={press(mayHint, () => game.toggleHint(), "hint")}
      >
        <Dotted />
        {actions.hint}
      </button>
      <button
        type="button"
        class="button"
        data-action="undo"
        aria-disabled={!mayUndo}
        onClick={press(mayUndo, () => game.undo(), "undo")}
      >
        <Undo />
        {actions.undo}
      </button>
      <button
        type="button"
        class={ready ? "button wide primary" : "button wide"}
        data-action={rolling ? "roll" : "end-turn"}
        aria-disabled={!ready}
        onClick={press(ready, () => (rolling ? game.roll() : game.end()), rolling ? "roll" : "end")}
      >
        {rolling ? <Die /> : <Check />}
        {rolling ? actions.roll : actions.end}
      </button>
    </div>
  );
}

/** The prompt line; what is worth it is also said aloud. */
export function usePrompt(): Prompt {
  const app = useApp();
  const { game } = app;
  const cutOff = useSignal(false);
  useSignalEffect(() => {
    const down = game.link.value !== "open";
    if (!down) {
      cutOff.value = false;
      return;
    }
    const timer = setTimeout(() => {
      cutOff.value = true;
    }, QUIET_FOR);
    return () => clearTimeout(timer);
  });
  const prompt = useComputed(() => {
    const link = game.link.value;
    return promptOf(
      {
        phase: game.phase.value,
        view: game.shown.value?.view ?? null,
        options: game.options.value,
        selected: game.stage.selected.value,
        notice: game.notice.value,
        hint: game.hint.value,
        playing: game.playing.value,
        thinking: game.thinking.value,
        link: link === "refused" ? link : cutOff.value ? "waiting" : "open",
        sending: game.waiting.value.length > 0,
      },
      app.words.value,
    );
  });
  const said = useRef<[string, Notice | null]>(["", null]);
  useSignalEffect(() => {
    const { text, spoken } = prompt.value;
    const now = spoken ? text : "";
    const notice = game.notice.value;
    // The same words again are worth it only where they answer something new.
    if (now === said.current[0] && notice === said.current[1]) return;
    said.current = [now, notice];
    app.announcer.prompt(now);
  });
  return prompt.value;
}
