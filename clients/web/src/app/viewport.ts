import { type Signal, signal } from "@preact/signals";

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

/** The part of the window that no notch and no home bar covers, in CSS pixels; it follows the window. */
export function watchViewport(): Signal<Viewport> {
  const probe = document.createElement("div");
  probe.className = "insets";
  document.body.append(probe);
  const measure = (): Viewport => {
    const { paddingTop, paddingRight, paddingBottom, paddingLeft } = getComputedStyle(probe);
    const px = (length: string) => Number.parseFloat(length) || 0;
    return {
      width: innerWidth - px(paddingLeft) - px(paddingRight),
      height: innerHeight - px(paddingTop) - px(paddingBottom),
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
