/** The lobby's requests (docs/protocol.md, "Lobby"). */
import type { Dice, Format, Id, Level, PlayOptions, View } from "./messages";

export interface Settings extends PlayOptions {
  readonly numbers: boolean;
  readonly pips: boolean;
  readonly sound: boolean;
  readonly mirrored: boolean;
  readonly large: boolean;
  readonly theme: "wood" | "ink" | "contrast";
  readonly mode: "auto" | "light" | "dark";
  readonly language: "auto" | "zh" | "en";
}

export interface Summary {
  readonly session: Id;
  readonly level: Level;
  readonly format: Format;
  readonly practice: boolean;
  readonly game: number;
  readonly score: readonly [number, number];
  readonly phase: View["phase"];
  readonly board: readonly number[];
  readonly off: readonly [number, number];
  readonly dice: Dice | null;
  /** The time of the last commit, milliseconds since 1970. */
  readonly at: number;
}

export interface LobbyData {
  readonly settings: Settings;
  readonly unfinished: readonly Summary[];
}

/** The server's refusal of a request, or code `offline` where none was reached. */
export class RequestFailed extends Error {
  readonly code: string;

  constructor(code: string, text: string) {
    super(text);
    this.code = code;
  }
}

const ANSWER_WITHIN = 10_000;

export async function request(method: string, path: string, body?: unknown): Promise<unknown> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(path, {
      method,
      // The settings may be saved while the page is being left.
      keepalive: method === "PUT",
      // Older browsers have no such signal, and wait.
      signal: AbortSignal.timeout?.(ANSWER_WITHIN) ?? null,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
    answer = await response.json().catch((error: unknown) => {
      // What is no JSON, or nothing, is read; what breaks off was not.
      if (!(error instanceof SyntaxError)) throw error;
    });
  } catch {
    throw new RequestFailed("offline", "the server could not be reached");
  }
  if (response.ok) return answer;
  const error = (answer as { error?: { code?: string; text?: string } } | null)?.error;
  throw new RequestFailed(error?.code ?? "unavailable", error?.text ?? response.statusText);
}

export async function fetchLobby(): Promise<LobbyData> {
  return (await request("GET", "/api/lobby")) as LobbyData;
}

export interface Started {
  readonly session: Id;
  /** What the server has bound itself to for the first game's dice, so that the seed may be given at once. */
  readonly commitment?: string;
}

/** `id` makes the request safe to repeat: the same id gives the same session. */
export async function startSession(
  id: Id,
  level: Level,
  format: Format,
  position?: string,
): Promise<Started> {
  const wanted = position === undefined ? { id, level, format } : { id, level, format, position };
  return (await request("POST", "/api/sessions", wanted)) as Started;
}

export async function saveSettings(settings: Settings): Promise<void> {
  await request("PUT", "/api/settings", settings);
}

export const recordAddress = (session: Id): string => `/api/sessions/${session}/record`;
