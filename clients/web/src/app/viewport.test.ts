import { expect, test } from "vitest";
import { enlargement } from "./viewport";

test("the page is enlarged on very large windows only", () => {
  for (const [width, height] of [
    [360, 740],
    [820, 1180],
    [1440, 900],
    [1920, 1080],
    [3840, 1080],
    [1080, 1920],
  ] as const)
    expect(enlargement(width, height)).toBe(1);
  expect(enlargement(2560, 1440)).toBeCloseTo(1.16);
  expect(enlargement(3840, 2160)).toBeCloseTo(1.74);
  expect(enlargement(20_000, 20_000)).toBe(3);
});
