/**
 * The board in all its states, for eyes and screenshots; not part of the built page.
 *
 * /gallery.html?theme=ink&mode=dark&layout=portrait&state=selected&width=360&height=740&mirrored&large&lang=en
 * `state` is one of `STATES`; without a layout the window decides. `state=all` shows small boards of every state.
 */

import "../src/board/themes.css";
import "../src/board/board.css";
import { render, type VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Board } from "../src/board/Board";
import { movesOf } from "../src/board/choices";
import { Diagram } from "../src/board/Diagram";
import { fit, type Layout, plan } from "../src/board/geometry";
import { advance } from "../src/board/position";
import { EMPTY_TABLE, Stage } from "../src/board/stage";
import type { Frame, Move, Option, Position, Table, Theme } from "../src/board/types";
import { en, zh } from "../src/board/words";
import { STATES, type State } from "./states";

const query = new URLSearchParams(location.search);
const theme = (query.get("theme") ?? "wood") as Theme;
const preferences = { mirrored: query.has("mirrored"), large: query.has("large") };

document.documentElement.dataset.theme = theme;
document.documentElement.dataset.mode = query.get("mode") ?? "light";

function Playable({ state, width, height }: { state: State; width: number; height: number }): VNode {
  const stage = useMemo(() => new Stage({ onCue: (cue, delay) => console.info("cue", cue, delay) }), []);
  const [options, setOptions] = useState<readonly Option[]>(state.options);
  const [moves, setMoves] = useState<readonly Move[]>(state.moves ?? []);
  const [hint, setHint] = useState(state.hint ?? null);
  useEffect(() => {
    stage.show(state.table);
    stage.selected.value = state.selected ?? null;
    stage.swapped.value = state.swapped ?? false;
    Object.assign(window, { stage, play: (frames: readonly Frame[]) => stage.play(frames, played(frames)) });
    if (state.focus) document.querySelector<SVGElement>(`[data-point="${state.focus}"]`)?.focus();
  }, [state]);
  const played = (frames: readonly Frame[]): Table => {
    let table: Table = stage.table.value;
    for (const frame of frames) {
      if (frame[1] !== "move") continue;
      const move: Move = { from: frame[3], die: frame[4], to: frame[5], hit: frame[6] === 1 };
      table = { ...table, position: advance(table.position, frame[2], move) };
    }
    return table;
  };
  const layout = query.get("layout") as Layout | null;
  const geometry = layout
    ? fit(layout, width, height, preferences)
    : plan(width, height, preferences).geometry;
  return (
    <Board
      stage={stage}
      geometry={geometry}
      theme={theme}
      numbers={!query.has("plain")}
      options={options}
      moves={moves}
      hint={hint}
      words={query.get("lang") === "en" ? en : zh}
      onMove={(option) => {
        const done = movesOf(option);
        const before = stage.table.value;
        const position = done.reduce<Position>((now, move) => advance(now, 0, move), before.position);
        const unused = [...(before.dice?.unused ?? [])];
        for (const { die } of done) unused.splice(unused.indexOf(die), 1);
        const table = { ...before, position, dice: before.dice && { ...before.dice, unused } };
        stage.play(
          done.map(({ from, die, to, hit }) => [0, "move", 0, from, die, to, hit ? 1 : 0] as const),
          table,
        );
        setMoves([...moves, ...done]);
        setOptions(option.next);
        setHint(null);
      }}
      onUndo={(count) => {
        stage.play(
          moves
            .slice(-count)
            .reverse()
            .map(({ from, die, to, hit }) => [0, "undo", 0, from, die, to, hit ? 1 : 0] as const),
          { ...state.table, dice: state.table.dice },
        );
        setMoves(moves.slice(0, -count));
        setOptions(state.options);
      }}
      onRefused={(place, why) => console.info("refused", place, why)}
    />
  );
}

/** Still pictures, as the lobby and the help use them. */
function Diagrams(): VNode {
  const state = STATES.selected!;
  const { position, dice } = state.table;
  return (
    <div style={{ display: "grid", gridTemplateColumns: "114px 300px 420px", gap: "16px", padding: "16px" }}>
      <Diagram position={position} theme={theme} />
      <Diagram position={position} theme={theme} part="home" numbers />
      <Diagram position={position} theme={theme} dice={dice} hint={state.hint!} numbers />
      <Diagram position={STATES.stress!.table.position} theme={theme} />
      <Diagram position={STATES.bar!.table.position} theme={theme} part="home" movable={[6]} lit={[5, 4]} />
      <Diagram
        position={position}
        theme={theme}
        landings={state.options.filter((option) => option.from === 13)}
        movable={[13, 8]}
        mirrored
        numbers
      />
    </div>
  );
}

function Gallery(): VNode {
  const wanted = query.get("state") ?? "selected";
  const width = Number(query.get("width") ?? innerWidth);
  const height = Number(query.get("height") ?? innerHeight);
  if (wanted === "diagrams") return <Diagrams />;
  if (wanted !== "all") {
    const state = STATES[wanted] ?? { table: EMPTY_TABLE, options: [] };
    return <Playable state={state} width={width} height={height} />;
  }
  return (
    <div style={{ display: "flex", flexWrap: "wrap", gap: "16px", padding: "16px" }}>
      {Object.entries(STATES).map(([name, state]) => (
        <figure key={name} style={{ margin: 0 }}>
          <Playable state={state} width={720} height={720} />
          <figcaption>{name}</figcaption>
        </figure>
      ))}
    </div>
  );
}

render(<Gallery />, document.getElementById("gallery")!);
