import { firstDie, landings, mayBeSwapped, movable, movesToTakeBack, wasMovedTo } from "./choices";
import { type Direction, type Geometry, neighbour, placeAt, type Spot, slot } from "./geometry";
import { translate } from "./glide";
import type { Motion } from "./motion";
import { checkersAt, PLACES, placeName } from "./places";
import { type Checker, outermost } from "./settle";
import type { BoardProps, Option, Place } from "./types";

/** What a hand needs to know of its board; read at the time of each event. */
export interface Reach {
  readonly props: BoardProps;
  readonly checkers: readonly Checker[];
  readonly motion: Motion;
  readonly svg: SVGSVGElement;
  /** The checker that follows the pointer. */
  readonly held: SVGGElement;
  /** The target under the dragged checker has changed. */
  over(place: Place | null): void;
  focus(place: Place): void;
}

interface Press {
  readonly pointer: number;
  readonly touch: boolean;
  readonly place: Place;
  readonly start: Spot;
  /** It hurried what was still playing: meant for that, it is no mistake if it does nothing else. */
  readonly hurries: boolean;
  /** It was selected before this press: a second click. */
  readonly again: boolean;
  /** The checker that may be lifted from here. */
  readonly checker: Checker | undefined;
  lifted: boolean;
  over: Place | null;
}

/** A pointer that moves less than this clicks. */
const STILL = { mouse: 4, touch: 9 };

const PLACE_OF = new Map(PLACES.map((place) => [placeName(place), place]));
const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** The player's hands: pointer, keyboard and assistive clicks, all ending in the same few acts. */
export class Hands {
  readonly #reach: () => Reach;
  #press: Press | null = null;

  constructor(reach: () => Reach) {
    this.#reach = reach;
  }

  /** The place whose checker is in the air. */
  get liftedFrom(): Place | null {
    return this.#press?.lifted ? this.#press.place : null;
  }

  readonly down = (event: PointerEvent): void => {
    if (!event.isPrimary) this.#giveUp();
    if (!event.isPrimary || event.button !== 0 || onControl(event)) return;
    this.abandon();
    const { props, checkers, svg } = this.#reach();
    const { stage, geometry, options, moves } = props;
    const hurries = stage.busy.value;
    stage.hurry();
    const start = spotOf(event, svg, geometry);
    const selected = stage.selected.value;
    const from = movable(options);
    const to = landings(options, selected);
    const place = placeAt(geometry, start.x, start.y, new Set([...from, ...to.keys()]));
    const pickable = from.has(place) || wasMovedTo(moves, place);
    this.#press = {
      pointer: event.pointerId,
      touch: event.pointerType === "touch",
      place,
      start,
      hurries,
      again: selected === place,
      checker: pickable ? outermost(checkers, 0, place) : undefined,
      lifted: false,
      over: null,
    };
    if (from.has(place) && !to.has(place)) stage.selected.value = place;
    svg.setPointerCapture?.(event.pointerId);
  };

  readonly move = (event: PointerEvent): void => {
    const press = this.#press;
    if (press?.pointer !== event.pointerId || !press.checker) return;
    const reach = this.#reach();
    const at = spotOf(event, reach.svg, reach.props.geometry);
    const far = Math.hypot(at.x - press.start.x, at.y - press.start.y);
    if (!press.lifted) {
      if (far < (press.touch ? STILL.touch : STILL.mouse)) return;
      this.#lift(press, reach);
    }
    const { options, geometry, stage } = reach.props;
    const seen = above(at, press, geometry);
    reach.held.style.transform = translate(seen);
    const to = landings(options, stage.selected.value);
    const over = this.#under(at, seen, to, geometry);
    if (over !== press.over) {
      press.over = over;
      reach.over(over);
    }
  };

  readonly up = (event: PointerEvent): void => {
    const press = this.#press;
    if (press?.pointer !== event.pointerId) return;
    const reach = this.#reach();
    const at = spotOf(event, reach.svg, reach.props.geometry);
    if (press.lifted) this.#drop(press, at, reach);
    else {
      this.#press = null;
      const { options, geometry, stage } = reach.props;
      const to = landings(options, stage.selected.value);
      const place = placeAt(geometry, at.x, at.y, new Set([...movable(options), ...to.keys()]));
      if (place === press.place) this.#tap(place, press.again, reach, press.hurries);
    }
  };

  readonly cancel = (event: PointerEvent): void => {
    if (this.#press?.pointer === event.pointerId) this.#giveUp();
  };

  /**
   * The press was no move: the browser has taken it for itself, or a second finger begins to zoom. Of that Chromium
   * does not tell the first finger once it has moved.
   */
  #giveUp(): void {
    if (this.#press === null) return;
    this.abandon();
    this.#reach().props.stage.selected.value = null;
  }

  /** Lets go of what is held; it flies home. */
  abandon(): void {
    const press = this.#press;
    this.#press = null;
    if (press?.lifted && press.checker) {
      const reach = this.#reach();
      const from = spotHeld(reach.held);
      this.#putDown(reach);
      this.#flyHome(press.checker, from, reach);
    }
  }

  /** Right click: which die is played first. */
  readonly menu = (event: MouseEvent): void => {
    event.preventDefault();
    if (event.button === 2) this.swap();
  };

  readonly swap = (): void => {
    const { stage } = this.#reach().props;
    if (mayBeSwapped(stage.table.value.dice)) stage.swapped.value = !stage.swapped.value;
  };

  /** Clicks without a pointer: assistive technology. */
  readonly click = (event: MouseEvent): void => {
    const place = placeOfTarget(event.target);
    if (event.detail === 0 && place !== null) this.#act(place);
  };

  readonly key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const reach = this.#reach();
    const { stage, geometry, options } = reach.props;
    const place = placeOfTarget(event.target);
    const arrow = ARROWS[event.key];
    if (event.key === "Escape") {
      if (this.#press?.lifted) this.abandon();
      else if (stage.selected.value === null) return;
      stage.selected.value = null;
    } else if (place !== null && arrow) {
      reach.focus(neighbour(geometry, place, arrow));
    } else if (place !== null && (event.key === "Enter" || event.key === " ") && options.length > 0) {
      this.#act(place);
    } else return;
    event.preventDefault();
  };

  #act(place: Place): void {
    const reach = this.#reach();
    const { stage, options } = reach.props;
    stage.hurry();
    const again = stage.selected.value === place;
    if (!again && !landings(options, stage.selected.value).has(place) && movable(options).has(place)) {
      stage.selected.value = place;
    } else this.#tap(place, again, reach);
  }

  /** A place without a press on it that lifts: land there, play the first die, select, or say why not. */
  #tap(place: Place, again: boolean, { props }: Reach, hurried = false): void {
    const { stage, options } = props;
    const option = landings(options, stage.selected.value).get(place);
    if (option) {
      play(option, props);
      return;
    }
    if (again) {
      const first = firstDie(options, place, stage.table.value.dice, stage.swapped.value);
      if (first) play(first, props);
      return;
    }
    if (stage.selected.value === place) return;
    const had = stage.selected.value !== null;
    stage.selected.value = null;
    if (hurried) return;
    if (options.length === 0) props.onRefused?.(place, "not-now");
    else if (checkersAt(stage.table.value.position, place) > 0) props.onRefused?.(place, "cannot-move");
    else props.onRefused?.(place, had ? "cannot-land" : "not-yours");
  }

  #lift(press: Press, reach: Reach): void {
    const { stage, options } = reach.props;
    press.lifted = true;
    if (movable(options).has(press.place)) stage.selected.value = press.place;
    else stage.selected.value = null;
    piece(reach.svg, press.checker!)?.setAttribute("data-held", "");
    reach.held.setAttribute("data-on", "");
    reach.svg.setAttribute("data-dragging", "");
  }

  #putDown({ svg, held, over }: Reach): void {
    held.removeAttribute("data-on");
    svg.removeAttribute("data-dragging");
    svg.querySelector("[data-held]")?.removeAttribute("data-held");
    over(null);
  }

  #under(at: Spot, seen: Spot, to: ReadonlyMap<Place, Option>, geometry: Geometry): Place | null {
    const targets = new Set(to.keys());
    for (const spot of [at, seen]) {
      const place = placeAt(geometry, spot.x, spot.y, targets);
      if (targets.has(place)) return place;
    }
    return null;
  }

  #drop(press: Press, at: Spot, reach: Reach): void {
    this.#press = null;
    const { props, motion } = reach;
    const { stage, options, moves, geometry } = props;
    const seen = above(at, press, geometry);
    const checker = press.checker!;
    const to = landings(options, stage.selected.value);
    const over = this.#under(at, seen, to, geometry);
    const place = placeAt(geometry, at.x, at.y);
    const back = over === null ? movesToTakeBack(moves, press.place, place) : 0;
    this.#putDown(reach);
    motion.drop(checker.id, seen);
    if (over !== null) play(to.get(over)!, props);
    else if (back > 0) {
      stage.selected.value = null;
      props.onUndo(back);
    } else if (place !== press.place) {
      stage.selected.value = null;
      props.onRefused?.(place, "cannot-land");
    }
    // After the board has been drawn again: if it did not go anywhere, it flies home.
    queueMicrotask(() => {
      if (motion.takeMiss(checker.id)) this.#flyHome(checker, seen, reach);
    });
  }

  #flyHome(checker: Checker, from: Spot, { svg, props, motion }: Reach): void {
    const element = piece(svg, checker);
    if (element) motion.home(element, from, slot(props.geometry, checker.place, checker.index));
  }
}

function play(option: Option, { stage, onMove }: BoardProps): void {
  stage.selected.value = null;
  onMove(option);
}

/** Under a finger a checker could not be seen: it is carried a little above. */
function above(at: Spot, press: Press, { d }: Geometry): Spot {
  return press.touch ? { x: at.x, y: at.y - Math.max(28, d * 0.8) } : at;
}

function piece(svg: SVGSVGElement, { id }: Checker): SVGGElement | null {
  return svg.querySelector<SVGGElement>(`[data-id="${id}"]`);
}

function spotOf(event: MouseEvent, svg: SVGSVGElement, geometry: Geometry): Spot {
  const box = svg.getBoundingClientRect();
  const scale = box.width > 0 ? geometry.width / box.width : 1;
  return { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale };
}

function spotHeld(held: SVGGElement): Spot {
  const [x = 0, y = 0] = (held.style.transform.match(/-?[\d.]+/g) ?? []).map(Number);
  return { x, y };
}

function placeOfTarget(target: EventTarget | null): Place | null {
  const name = target instanceof Element ? target.closest("[data-point]")?.getAttribute("data-point") : null;
  return PLACE_OF.get(name ?? "") ?? null;
}

const onControl = (event: Event): boolean =>
  event.target instanceof Element && event.target.closest("[data-action]") !== null;
