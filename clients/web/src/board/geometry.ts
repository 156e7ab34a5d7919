/**
 * One geometry for all layouts.
 *
 * The board lies in its own coordinates: u along its length, v across it; the unit is the checker's diameter d. A layout
 * is a set of measures and a way to turn (u, v) into the screen's (x, y): desktop and landscape as they are, portrait a
 * quarter turn clockwise. Text, dice and shadows are drawn upright after that.
 */

import { BAR, OFF, PLACES, THEIR_BAR, THEIR_OFF } from "./places";
import type { Place } from "./types";

export type Layout = "desktop" | "portrait" | "landscape";

/** How much of the page beside the board can be kept without shrinking checkers: all; not the record's row; neither it nor the prompt's row (landscape: rails with icons only). */
export type Chrome = "full" | "no-record" | "bare";

export interface Preferences {
  /** Home at the left. */
  readonly mirrored?: boolean;
  /** Larger checkers that overlap in their stacks. */
  readonly large?: boolean;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Spot {
  readonly width: number;
  readonly height: number;
}

/** Lengths in CSS pixels. */
interface Measures {
  /** Checker's diameter. */
  readonly d: number;
  /** Width of a point's strip. */
  readonly w: number;
  /** From one checker's centre to the next in a stack. */
  readonly pitch: number;
  /** Free middle between the two rows. */
  readonly mid: number;
  readonly bar: number;
  readonly tray: number;
  /** Frame between the field and the trays. */
  readonly div: number;
  readonly rimU: number;
  readonly rimV: number;
  readonly die: number;
}

export interface Geometry extends Measures {
  readonly layout: Layout;
  readonly mirrored: boolean;
  /** Extent along u and v. */
  readonly long: number;
  readonly short: number;
  /** Extent on the screen. */
  readonly width: number;
  readonly height: number;
}

export interface Plan {
  readonly layout: Layout;
  readonly chrome: Chrome;
  readonly geometry: Geometry;
}

/** Checkers seen of a stack on a point and on the bar; more are told by a number. */
export const SEEN_ON_POINT = 5;
export const SEEN_ON_BAR = 3;
const ALL = 15;

/** What the page keeps for itself beside the board, in CSS pixels. */
const BESIDE: Record<Layout, readonly (readonly [chrome: Chrome, width: number, height: number])[]> = {
  desktop: [
    ["full", 48, 184],
    ["no-record", 48, 136],
  ],
  portrait: [
    ["full", 0, 212],
    ["no-record", 0, 164],
    ["bare", 0, 132],
  ],
  landscape: [
    ["full", 192, 8],
    ["bare", 152, 8],
  ],
};

/** Below this a desktop window is better served by another layout; from this on a tablet keeps all of the page. */
const COMFORTABLE = 40;
const LARGEST = 76;
const SMALLEST = 12;
/** Most space between neighbouring stacks on a phone. */
const GAP = 4;

function measures(layout: Layout, d: number, gap: number, large: boolean): Measures {
  const pitch = large ? Math.round(d * 0.88) : layout === "desktop" ? d : d - 1;
  if (layout === "desktop") {
    // Large enough to be read across a desk, but not beside the smallest checkers.
    const die = Math.round(Math.max(Math.min(46, d * 1.25), d * 0.6));
    return {
      d,
      w: large ? d + 4 : Math.round((d * 17) / 15),
      pitch,
      mid: large ? die + 6 : die + 18,
      bar: d + 16,
      tray: d + 12,
      div: 12,
      rimU: 26,
      rimV: 26,
      die,
    };
  }
  const portrait = layout === "portrait";
  return {
    d,
    w: d + gap,
    pitch,
    mid: large ? 8 : portrait ? 16 : 12,
    bar: Math.max(44, d + 10),
    tray: Math.max(portrait ? 32 : 36, Math.round(d * (portrait ? 0.7 : 0.8))),
    div: 4,
    rimU: 8,
    rimV: portrait ? 16 : 14,
    die: Math.max(32, Math.min(46, Math.round(d * 0.8))),
  };
}

/** A board with checkers of diameter `d`. */
export function board(layout: Layout, d: number, preferences: Preferences = {}, gap = GAP): Geometry {
  const m = measures(layout, d, gap, preferences.large ?? false);
  const long = 2 * m.rimU + 12 * m.w + m.bar + m.div + m.tray;
  const short = 2 * m.rimV + 2 * (4 * m.pitch + d) + m.mid;
  const turned = layout === "portrait";
  return {
    ...m,
    layout,
    mirrored: preferences.mirrored ?? false,
    long,
    short,
    width: turned ? short : long,
    height: turned ? long : short,
  };
}

/** The largest board that goes into `width` x `height`. */
export function fit(layout: Layout, width: number, height: number, preferences: Preferences = {}): Geometry {
  const desktop = layout === "desktop";
  // Beyond the usual sizes a screen is far away: the board grows with it, but more slowly.
  const most = desktop ? Math.max(LARGEST, 2 * Math.floor(height * 0.031)) : 120;
  // Every layout is longer than 13 checkers and wider than 9: no need to try more.
  const [along, across] = layout === "portrait" ? [height, width] : [width, height];
  const start = Math.min(most, Math.floor(along / 13), Math.floor(across / 9));
  const gaps = desktop ? [GAP] : preferences.large ? [2, 1, 0] : [4, 3, 2, 1, 0];
  for (let d = desktop ? start - (start % 2) : start; d > SMALLEST; d -= desktop ? 2 : 1) {
    for (const gap of gaps) {
      const geometry = board(layout, d, preferences, gap);
      if (geometry.width <= width && geometry.height <= height) return geometry;
    }
  }
  return board(layout, SMALLEST, preferences, 0);
}

/** The layout for a window of `width` x `height` (without its safe areas), and what of the page has room beside the board. */
export function plan(width: number, height: number, preferences: Preferences = {}): Plan {
  const first: Layout =
    height < 520 && width > height ? "landscape" : width / height < 0.8 ? "portrait" : "desktop";
  const chosen = largest(first, width, height, preferences);
  if (first !== "desktop" || chosen.geometry.d >= COMFORTABLE) return chosen;
  const others: readonly Layout[] = ["landscape", "portrait"];
  return others
    .map((layout) => largest(layout, width, height, preferences))
    .reduce((best, other) => (other.geometry.d > best.geometry.d ? other : best), chosen);
}

/** Chrome goes before checkers shrink: the largest checkers, then the most chrome that leaves them so large. */
function largest(layout: Layout, width: number, height: number, preferences: Preferences): Plan {
  const plans = BESIDE[layout].map(([chrome, w, h]) => ({
    layout,
    chrome,
    geometry: fit(layout, width - w, height - h, preferences),
  }));
  const enough = layout === "landscape" ? Number.POSITIVE_INFINITY : COMFORTABLE;
  return plans.reduce((best, other) =>
    other.geometry.d > best.geometry.d && best.geometry.d < enough ? other : best,
  );
}

/** From the board's own coordinates to the screen's. */
export function toScreen(g: Geometry, u: number, v: number): Spot {
  if (g.layout === "portrait") return { x: g.mirrored ? v : g.short - v, y: u };
  return { x: g.mirrored ? g.long - u : u, y: v };
}

function fromScreen(g: Geometry, x: number, y: number): readonly [u: number, v: number] {
  if (g.layout === "portrait") return [y, g.mirrored ? x : g.short - x];
  return [g.mirrored ? g.long - x : x, y];
}

/** A rectangle of the board's own coordinates, on the screen. */
export function boxOnScreen(g: Geometry, u: number, v: number, du: number, dv: number): Box {
  const a = toScreen(g, u, v);
  const b = toScreen(g, u + du, v + dv);
  return {
    x: Math.min(a.x, b.x),
    y: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  };
}

export function isPoint(place: Place): boolean {
  return place >= 1 && place <= 24;
}

/** Whether a place lies in the half with the points 13 to 24. */
function isFar(place: Place): boolean {
  return place === THEIR_BAR || place === THEIR_OFF || (isPoint(place) && place >= 13);
}

/** The u of a point's left edge. */
function pointU(g: Geometry, point: Place): number {
  const k = point >= 13 ? point - 13 : 12 - point;
  return g.rimU + k * g.w + (k > 5 ? g.bar : 0);
}

export const barU = (g: Geometry): number => g.rimU + 6 * g.w;
export const trayU = (g: Geometry): number => g.rimU + 12 * g.w + g.bar + g.div;
/** Length of one well of the trays. */
export const wellLength = (g: Geometry): number => (g.short - 2 * g.rimV - wellGap(g)) / 2;
export const wellGap = (g: Geometry): number => (g.layout === "desktop" ? 12 : 4);
/** Thickness of a checker seen edge-on in the tray. */
export const slabThickness = (g: Geometry): number => Math.min(g.d / 3, (wellLength(g) - 8) / ALL);

/** The middle of the slot on which the checker number `index` (from 0) of a place stands. */
export function slot(g: Geometry, place: Place, index: number): Spot {
  const far = isFar(place);
  const inward = far ? 1 : -1;
  if (isPoint(place)) {
    const v = (far ? g.rimV : g.short - g.rimV) + inward * (g.d / 2 + Math.min(index, 4) * g.pitch);
    return toScreen(g, pointU(g, place) + g.w / 2, v);
  }
  if (place === BAR || place === THEIR_BAR) {
    // From the middle outwards, beside the dice where these lie on the bar.
    const first = g.layout === "desktop" ? 12 : g.die + 10;
    const v = g.short / 2 - inward * (first + g.d / 2 + Math.min(index, 2) * g.pitch);
    return toScreen(g, barU(g) + g.bar / 2, v);
  }
  const t = slabThickness(g);
  const v = (far ? g.rimV : g.short - g.rimV) + inward * (4 + t / 2 + Math.min(index, ALL - 1) * t);
  return toScreen(g, trayU(g) + g.tray / 2, v);
}

/** The direction in which a place's stack grows, as a unit vector on the screen. */
export function growth(g: Geometry, place: Place): Spot {
  const a = slot(g, place, 0);
  const b = slot(g, place, 1);
  return { x: Math.sign(Math.round(b.x - a.x)), y: Math.sign(Math.round(b.y - a.y)) };
}

/** The well of a tray. */
export function well(g: Geometry, place: Place): Box {
  const length = wellLength(g);
  const v = place === OFF ? g.short - g.rimV - length : g.rimV;
  return boxOnScreen(g, trayU(g), v, g.tray, length);
}

/** The area that belongs to a place: whole strips, not checkers. */
export function strip(g: Geometry, place: Place): Box {
  const half = g.short / 2;
  const v = isFar(place) ? 0 : half;
  if (isPoint(place)) return boxOnScreen(g, pointU(g, place), v, g.w, half);
  if (place === BAR || place === THEIR_BAR) return boxOnScreen(g, barU(g), v, g.bar, half);
  return boxOnScreen(g, trayU(g), v, g.tray + g.rimU, half);
}

/** The middle of a point's number on the rim. */
export function rimSpot(g: Geometry, point: Place): Spot {
  const v = isFar(point) ? g.rimV / 2 : g.short - g.rimV / 2;
  return toScreen(g, pointU(g, point) + g.w / 2, v);
}

/** The middles of the two dice, the first shown first. */
export function dieSpots(g: Geometry): readonly [Spot, Spot] {
  const desktop = g.layout === "desktop";
  const u = desktop ? barU(g) + g.bar + 3 * g.w : barU(g) + g.bar / 2;
  const { x, y } = toScreen(g, u, g.short / 2);
  const apart = desktop ? Math.round(g.die * 0.64) : g.die / 2 + 4;
  if (g.layout === "landscape")
    return [
      { x, y: y - apart },
      { x, y: y + apart },
    ];
  return [
    { x: x - apart, y },
    { x: x + apart, y },
  ];
}

function distance(box: Box, x: number, y: number): number {
  const dx = Math.max(box.x - x, 0, x - box.x - box.width);
  const dy = Math.max(box.y - y, 0, y - box.y - box.height);
  return Math.hypot(dx, dy);
}

/** The place under (x, y). Between strips, or just beside one, a place of `preferred` (where something may be done) wins. */
export function placeAt(g: Geometry, x: number, y: number, preferred?: ReadonlySet<Place>): Place {
  const exact = exactPlace(g, x, y);
  if (!preferred || preferred.size === 0 || preferred.has(exact)) return exact;
  const reach = Math.max(6, g.d * 0.15);
  let best = exact;
  let least = reach;
  for (const place of preferred) {
    const away = distance(strip(g, place), x, y);
    if (away <= least) {
      best = place;
      least = away;
    }
  }
  return best;
}

function exactPlace(g: Geometry, x: number, y: number): Place {
  const [u, v] = fromScreen(g, x, y);
  const far = v < g.short / 2;
  if (u >= trayU(g) - g.div / 2) return far ? THEIR_OFF : OFF;
  const across = u - g.rimU;
  const half = 6 * g.w;
  if (across >= half && across < half + g.bar) return far ? THEIR_BAR : BAR;
  const along = across < half ? across : across - g.bar;
  const k = Math.max(0, Math.min(11, Math.floor(along / g.w)));
  return far ? 13 + k : 12 - k;
}

export type Direction = "up" | "down" | "left" | "right";

/** The next place in a direction of the screen, or the same one at the edge. */
export function neighbour(g: Geometry, place: Place, direction: Direction): Place {
  const across = direction === "left" || direction === "right";
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  const middle = (p: Place): readonly [along: number, aside: number] => {
    const box = strip(g, p);
    const x = box.x + box.width / 2;
    const y = box.y + box.height / 2;
    return across ? [x * sign, y] : [y * sign, x];
  };
  const [fromAlong, fromAside] = middle(place);
  let best = place;
  let least = Number.POSITIVE_INFINITY;
  for (const other of PLACES) {
    const [along, aside] = middle(other);
    const ahead = along - fromAlong;
    if (ahead < 1) continue;
    const cost = ahead + 3 * Math.abs(aside - fromAside);
    if (cost < least) {
      least = cost;
      best = other;
    }
  }
  return best;
}
