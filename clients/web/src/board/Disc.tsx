import type { VNode } from "preact";
import type { Side } from "./types";

/** The radius at which a checker of diameter `d` is drawn: its neighbour's edge stays apart. */
export const discRadius = (d: number): number => d / 2 - Math.max(0.75, d / 48);

/** A checker from above, round (0, 0). */
export function Disc({ side, d }: { side: Side; d: number }): VNode {
  const r = discRadius(d);
  const shine = r * 0.91;
  const [x1, y1, x2, y2] = [-0.94, -0.34, 0.17, -0.985].map((k) => +(k * shine).toFixed(2));
  return (
    <g class={side === 0 ? "disc ivory" : "disc ink"}>
      <circle class="shadow" cy={+(d * 0.06).toFixed(2)} r={r} />
      <circle class="edge" r={r} />
      <path class="shine" d={`M${x1} ${y1}A${shine} ${shine} 0 0 1 ${x2} ${y2}`} stroke-width={d * 0.045} />
      <circle class="face" r={+(r * 0.82).toFixed(2)} />
      {side === 1 && <circle class="ring" r={+(r * 0.52).toFixed(2)} />}
    </g>
  );
}

/** A checker seen edge-on in the tray, round (0, 0). */
export function Slab({ side, width, height }: { side: Side; width: number; height: number }): VNode {
  const upright = height > width;
  const long = Math.max(width, height) * 0.32;
  return (
    <g class={side === 0 ? "slab ivory" : "slab ink"}>
      <rect
        class="edge"
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx={Math.min(width, height, 16) / 4}
      />
      {side === 1 && <path class="ring" d={upright ? `M0 ${-long}V${long}` : `M${-long} 0H${long}`} />}
    </g>
  );
}
