import { RequestFailed } from "../link/http";
import type { Words } from "./words";

/** The code of what went wrong with a request; anything else is a fault of ours. */
export function codeOf(error: unknown): string {
  if (error instanceof RequestFailed) return error.code;
  throw error;
}

export function Trouble({ words, code }: { words: Words; code: string | null }) {
  return code === null ? null : (
    <p class="trouble" role="alert" data-trouble={code}>
      {words.trouble[code] ?? words.trouble.other}
    </p>
  );
}
