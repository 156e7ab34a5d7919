import type { Id } from "./messages";

/** 16 bytes as 32 hex digits. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Hex digits as bytes; throws RangeError where the text is no whole number of bytes. */
export function bytes(text: string): Uint8Array {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError(`not hex digits: ${text}`);
  return Uint8Array.from({ length: text.length / 2 }, (_, i) =>
    Number.parseInt(text.slice(2 * i, 2 * i + 2), 16),
  );
}

export function newId(): Id {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}
