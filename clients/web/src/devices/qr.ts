/** The picture that another device scans: an SVG path of a QR code. */
import { correction, generate } from "lean-qr/nano";

/** What scanners need around a code. Source: ISO/IEC 18004, "quiet zone". */
const QUIET = 4;

export interface Picture {
  /** Width and height in modules, the quiet zone included. */
  readonly size: number;
  /** The dark modules. */
  readonly path: string;
}

export function pictureOf(text: string): Picture {
  const code = generate(text, { minCorrectionLevel: correction.M });
  let path = "";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      let length = 0;
      while (code.get(x + length, y)) length++;
      if (length > 0) path += `M${x + QUIET} ${y + QUIET}h${length}v1h-${length}z`;
      x += length;
    }
  }
  return { size: code.size + 2 * QUIET, path };
}

/** The address that opens the page with the code in it. The fragment goes to no server and into no server's log. */
export const addressOf = (origin: string, code: string): string => `${origin}/#join=${code}`;
