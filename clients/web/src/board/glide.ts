/** Motion of checkers: decoration over a truth that is already in place. Stopping it shows the truth. */

import type { Spot } from "./geometry";
import type { Glide } from "./stage";

const EASE = "cubic-bezier(.25,.7,.2,1)";
const TO_BAR = 200;
const UNDO = 160;

/** How long a checker travels, in ms. */
export function glideTime(glide: Glide, pips: number): number {
  if (glide === "none") return 0;
  return glide === "undo" ? UNDO : Math.min(240 + 8 * Math.abs(pips), 320);
}

/** How long a hit checker takes to the bar, once the hitter has landed. */
export const hitTime = TO_BAR;

export const stillness = (): boolean =>
  typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Where an element with a `translate` is seen now, in the midst of its motion. */
export function seenAt(element: SVGElement, otherwise: Spot): Spot {
  const running = element.getAnimations?.().some((animation) => animation.playState === "running");
  if (!running) return otherwise;
  const { e, f } = new DOMMatrixReadOnly(getComputedStyle(element).transform);
  return { x: e, y: f };
}

export const translate = ({ x, y }: Spot): string => `translate(${x}px,${y}px)`;

/**
 * Lets `element`, which stands at `to`, be seen travelling there from `from` in a straight line; `shadow` deepens midway.
 * While it travels the element carries `data-flying`.
 */
export function glide(
  element: SVGElement,
  from: Spot,
  to: Spot,
  { duration, delay = 0, lift = 0 }: { duration: number; delay?: number; lift?: number },
): void {
  stop(element);
  if (duration <= 0 || stillness() || !element.animate) return;
  element.dataset.flying = "";
  const animation = element.animate([{ transform: translate(from) }, { transform: translate(to) }], {
    duration,
    delay,
    easing: EASE,
    fill: "backwards",
  });
  const landed = (): void => {
    if (!element.getAnimations().some((other) => other !== animation && other.playState === "running")) {
      delete element.dataset.flying;
    }
  };
  animation.onfinish = landed;
  animation.oncancel = landed;
  const shadow = element.querySelector(".shadow");
  if (lift > 0)
    shadow?.animate([{}, { transform: `translateY(${lift}px)`, offset: 0.45 }, {}], { duration, delay });
}

export function stop(element: SVGElement): void {
  for (const animation of element.getAnimations?.() ?? []) animation.cancel();
  delete element.dataset.flying;
}
