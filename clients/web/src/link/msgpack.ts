/**
 * The part of MessagePack that the protocol uses: nil, booleans, numbers, text, bytes, arrays and maps with text keys.
 * The common library reads and writes all of it (tests hold this one against it) at three times the size of this page's
 * whole link; what is left out here (extension types, 64-bit integers beyond 2^53) is refused, not guessed.
 */

/** What is not MessagePack, or more than is read here. */
export class NotMessagePack extends Error {}

const text = new TextDecoder("utf-8", { fatal: true });

export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  write(bytes, value);
  return Uint8Array.from(bytes);
}

function write(out: number[], value: unknown): void {
  if (value === null || value === undefined) out.push(0xc0);
  else if (typeof value === "boolean") out.push(value ? 0xc3 : 0xc2);
  else if (typeof value === "number") writeNumber(out, value);
  else if (typeof value === "string") {
    const utf8 = new TextEncoder().encode(value);
    head(out, utf8.length, [0xa0, 32], [0xd9, 0xda, 0xdb]);
    for (const byte of utf8) out.push(byte);
  } else if (value instanceof Uint8Array) {
    head(out, value.length, null, [0xc4, 0xc5, 0xc6]);
    for (const byte of value) out.push(byte);
  } else if (Array.isArray(value)) {
    head(out, value.length, [0x90, 16], [0, 0xdc, 0xdd]);
    for (const item of value) write(out, item);
  } else {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    head(out, entries.length, [0x80, 16], [0, 0xde, 0xdf]);
    for (const [key, item] of entries) {
      write(out, key);
      write(out, item);
    }
  }
}

/** The kind and length of what follows: in one byte where it fits, else followed by 1, 2 or 4 bytes. */
function head(
  out: number[],
  length: number,
  fix: [mark: number, below: number] | null,
  marks: number[],
): void {
  if (fix !== null && length < fix[1]) out.push(fix[0] | length);
  else if (length < 0x100 && marks[0] !== 0) out.push(marks[0]!, length);
  else if (length < 0x10000) out.push(marks[1]!, length >> 8, length & 0xff);
  else out.push(marks[2]!, ...bigEndian(4, (view) => view.setUint32(0, length)));
}

function writeNumber(out: number[], value: number): void {
  if (!Number.isInteger(value) || Math.abs(value) > 0xffffffff)
    out.push(0xcb, ...bigEndian(8, (view) => view.setFloat64(0, value)));
  else if (value >= 0 && value < 0x80) out.push(value);
  else if (value < 0 && value >= -32) out.push(value & 0xff);
  else if (value >= 0 && value < 0x100) out.push(0xcc, value);
  else if (value >= 0 && value < 0x10000) out.push(0xcd, value >> 8, value & 0xff);
  else if (value >= 0) out.push(0xce, ...bigEndian(4, (view) => view.setUint32(0, value)));
  else if (value >= -0x80000000) out.push(0xd2, ...bigEndian(4, (view) => view.setInt32(0, value)));
  else out.push(0xd3, ...bigEndian(8, (view) => view.setBigInt64(0, BigInt(value))));
}

function bigEndian(size: number, set: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  set(new DataView(bytes.buffer));
  return bytes;
}

/** Throws NotMessagePack. */
export function decode(data: ArrayBuffer | Uint8Array): unknown {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const reader = new Reader(bytes);
  let value: unknown;
  try {
    value = reader.value();
  } catch (error) {
    // What ends too early, and text that is no UTF-8.
    if (error instanceof RangeError || error instanceof TypeError) throw new NotMessagePack(error.message);
    throw error;
  }
  if (reader.at !== bytes.length) throw new NotMessagePack("bytes left over");
  return value;
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  value(): unknown {
    const mark = this.#uint(1);
    if (mark < 0x80) return mark;
    if (mark < 0x90) return this.#map(mark & 0x0f);
    if (mark < 0xa0) return this.#array(mark & 0x0f);
    if (mark < 0xc0) return text.decode(this.#take(mark & 0x1f));
    if (mark >= 0xe0) return mark - 0x100;
    switch (mark) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#take(this.#uint(1 << (mark - 0xc4))).slice();
      case 0xca:
        return this.#view.getFloat32(this.#skip(4));
      case 0xcb:
        return this.#view.getFloat64(this.#skip(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#uint(1 << (mark - 0xcc));
      case 0xcf:
        return safe(this.#view.getBigUint64(this.#skip(8)));
      case 0xd0:
        return this.#view.getInt8(this.#skip(1));
      case 0xd1:
        return this.#view.getInt16(this.#skip(2));
      case 0xd2:
        return this.#view.getInt32(this.#skip(4));
      case 0xd3:
        return safe(this.#view.getBigInt64(this.#skip(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return text.decode(this.#take(this.#uint(1 << (mark - 0xd9))));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#uint(mark === 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return this.#map(this.#uint(mark === 0xde ? 2 : 4));
      default:
        throw new NotMessagePack(`the byte ${mark}`);
    }
  }

  #array(length: number): unknown[] {
    const items: unknown[] = [];
    for (let n = 0; n < length; n++) items.push(this.value());
    return items;
  }

  #map(length: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (let n = 0; n < length; n++) {
      const key = this.value();
      if (typeof key !== "string") throw new NotMessagePack("a key that is no text");
      entries.push([key, this.value()]);
    }
    return Object.fromEntries(entries);
  }

  #uint(size: number): number {
    const at = this.#skip(size);
    if (size === 1) return this.#view.getUint8(at);
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint32(at);
  }

  #take(length: number): Uint8Array {
    const at = this.#skip(length);
    return this.#bytes.subarray(at, at + length);
  }

  #skip(length: number): number {
    const at = this.at;
    if (at + length > this.#bytes.length) throw new NotMessagePack("it ends too early");
    this.at = at + length;
    return at;
  }
}

function safe(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new NotMessagePack(`the number ${value}`);
  return number;
}
