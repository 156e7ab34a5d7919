import type { Spot } from "./geometry";
import { glide, glideTime, hitTime, seenAt } from "./glide";
import { BAR, OFF, THEIR_BAR, THEIR_OFF } from "./places";
import type { Checker } from "./settle";
import type { Glide } from "./stage";
import type { Place } from "./types";

/** Flying home after a drop that missed, and settling after one that did not. */
const HOME = 160;
const DROP = 90;

/** How many pips lie between two places. */
function pips(a: Place, b: Place): number {
  return Math.abs(along(a) - along(b));
}

const along = (place: Place): number => (place === THEIR_BAR ? OFF : place === THEIR_OFF ? BAR : place);

/** How the checkers of one board get to their new places. */
export class Motion {
  #glide: Glide = "none";
  #hits: Place | null = null;
  #delay = 0;
  #lift = 0;
  #dropped: { id: number; at: Spot } | null = null;

  /** Called with every change, before the checkers are drawn. */
  change(how: Glide, before: readonly Checker[], after: readonly Checker[], d: number): void {
    this.#glide = how;
    this.#lift = d * 0.08;
    this.#hits = null;
    this.#delay = 0;
    if (how !== "move") return;
    const stood = new Map(before.map((checker) => [checker.id, checker]));
    for (const { id, place } of after) {
      const from = stood.get(id)?.place ?? place;
      if (from === place) continue;
      if (place === BAR || place === THEIR_BAR) this.#hits = place;
      else
        this.#delay = Math.max(
          this.#delay,
          this.#dropped?.id === id ? DROP : glideTime(how, pips(from, place)),
        );
    }
  }

  /** The player let a checker go at a spot; it starts from there. */
  drop(id: number, at: Spot): void {
    this.#dropped = { id, at };
  }

  /** Whether the dropped checker has not gone anywhere. */
  takeMiss(id: number): boolean {
    const missed = this.#dropped?.id === id;
    this.#dropped = null;
    return missed;
  }

  travel(element: SVGElement, id: number, from: Spot & { place: Place }, to: Spot & { place: Place }): void {
    const dropped = this.#dropped?.id === id ? this.#dropped.at : null;
    if (dropped) this.#dropped = null;
    if (this.#glide === "none" || from.place === to.place) {
      if (dropped) this.home(element, dropped, to);
      else glide(element, from, to, { duration: 0 });
      return;
    }
    const toBar = to.place === this.#hits;
    glide(element, dropped ?? seenAt(element, from), to, {
      duration: dropped ? DROP : toBar ? hitTime : glideTime(this.#glide, pips(from.place, to.place)),
      delay: toBar ? this.#delay : 0,
      lift: this.#lift,
    });
  }

  home(element: SVGElement, from: Spot, to: Spot): void {
    glide(element, from, to, { duration: HOME, lift: this.#lift });
  }
}
