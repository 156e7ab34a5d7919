import { type Signal, signal } from "@preact/signals";

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** On windows larger than this everything grows with the window, text too. */
const LARGE = { width: 2200, height: 1240 };
const MOST = 3;

/** By how much the page is enlarged in a window of this size. */
export function enlargement(width: number, height: number): number {
  return Math.min(MOST, Math.max(1, Math.min(width / LARGE.width, height / LARGE.height)));
}

/**
 * The part of the window that no notch and no home bar covers, in pixels of the page (CSS pixels, but on very large
 * windows, where the page is enlarged); it follows the window.
 */
export function watchViewport(): Signal<Viewport> {
  const probe = document.createElement("div");
  probe.className = "insets";
  document.body.append(probe);
  const root = document.documentElement;
  const measure = (): Viewport => {
    const zoom = CSS.supports("zoom", "2") ? enlargement(innerWidth, innerHeight) : 1;
    root.style.setProperty("--zoom", `${zoom}`);
    const { paddingTop, paddingRight, paddingBottom, paddingLeft } = getComputedStyle(probe);
    const px = (length: string) => Number.parseFloat(length) || 0;
    return {
      width: innerWidth / zoom - px(paddingLeft) - px(paddingRight),
      height: innerHeight / zoom - px(paddingTop) - px(paddingBottom),
    };
  };
  const viewport = signal(measure());
  addEventListener("resize", () => {
    const now = measure();
    const { width, height } = viewport.value;
    if (now.width !== width || now.height !== height) viewport.value = now;
  });
  return viewport;
}
