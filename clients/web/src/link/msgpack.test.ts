import * as library from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";
import { decode, encode, NotMessagePack } from "./msgpack";

const long = (n: number) => Array.from({ length: n }, (_, i) => i);
const values = new Map<string, unknown>([
  ["nil and booleans", [null, true, false]],
  ["small integers", long(300).map((n) => n - 150)],
  ["integers at the edges", [127, 128, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1]],
  ["negative ones", [-1, -32, -33, -128, -129, -32_768, -32_769, -(2 ** 31)]],
  ["times", [1_753_000_000_000, -1_753_000_000_000]],
  ["fractions", [0.5, -0.125, 0.1, 1e300]],
  [
    "text",
    ["", "双陆", "x".repeat(31), "x".repeat(32), "x".repeat(255), "x".repeat(256), "点".repeat(30_000)],
  ],
  ["bytes", [new Uint8Array(0), new Uint8Array(16).fill(7), new Uint8Array(256), new Uint8Array(66_000)]],
  ["arrays", [[], long(15), long(16), long(66_000)]],
  [
    "maps",
    [
      {},
      { t: "move", dice: [3, 1], deep: { a: null } },
      Object.fromEntries(long(20).map((n) => [`k${n}`, n])),
    ],
  ],
]);

describe("against the common library", () => {
  test.each([...values.keys()])("%s are written so that it reads the same", (name) => {
    const value = values.get(name);
    expect(library.decode(encode(value))).toEqual(value);
  });

  test.each([...values.keys()])("%s are read as it has written them", (name) => {
    const value = values.get(name);
    expect(decode(library.encode(value))).toEqual(value);
  });

  test("fields that are undefined are left out", () => {
    expect(decode(encode({ a: 1, b: undefined }))).toEqual({ a: 1 });
  });

  test("32-bit floats are read", () => {
    expect(decode(library.encode(0.5, { forceFloat32: true }))).toBe(0.5);
  });
});

describe("refused", () => {
  test.each([
    ["nothing", []],
    ["a byte that is never used", [0xc1]],
    ["an extension", [0xd4, 1, 0]],
    ["an array that ends too early", [0x92, 1]],
    ["a length beyond the end", [0xdd, 0xff, 0xff, 0xff, 0xff]],
    ["bytes left over", [1, 2]],
    ["text that is no UTF-8", [0xa1, 0xff]],
    ["a key that is no text", [0x81, 1, 1]],
    ["an integer beyond 2^53", [0xcf, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]],
  ])("%s", (_, bytes) => {
    expect(() => decode(Uint8Array.from(bytes))).toThrow(NotMessagePack);
  });
});
