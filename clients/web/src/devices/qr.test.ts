import decodeQR from "qr/decode.js";
import { expect, test } from "vitest";
import { addressOf, pictureOf } from "./qr";

/** The picture as a camera sees it: black on white, `scale` pixels a module. */
function photograph({ size, path }: { size: number; path: string }, scale: number) {
  const width = size * scale;
  const data = new Uint8Array(width * width * 4).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g))
    for (let row = Number(y) * scale; row < (Number(y) + 1) * scale; row++)
      for (let column = Number(x) * scale; column < (Number(x) + Number(length)) * scale; column++)
        data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
  return { width, height: width, data };
}

test("another's reader reads what the picture says", () => {
  for (const origin of ["http://localhost:8000", "https://backgammon.a-rather-long-name.example.org"]) {
    const address = addressOf(origin, "7KQ2-M9XA");
    expect(decodeQR(photograph(pictureOf(address), 4))).toBe(address);
  }
});
