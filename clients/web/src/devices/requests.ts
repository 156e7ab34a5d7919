/** A player's devices over HTTP (docs/protocol.md, "Devices"). A code goes to the server in bodies only. */
import { request } from "../link/http";

export interface Device {
  readonly id: string;
  readonly name: string;
  /** When it last came, milliseconds since 1970. */
  readonly seen: number;
  readonly here: boolean;
}

/** How an invitation stands; `name` and `check` once somebody asks. */
export interface Invitation {
  readonly state: "open" | "asked" | "approved" | "refused";
  readonly name?: string;
  readonly check?: string;
}

const post = async <T>(path: string, body?: unknown): Promise<T> =>
  (await request("POST", `/api/devices/${path}`, body)) as T;

export const listDevices = async (): Promise<readonly Device[]> =>
  ((await request("GET", "/api/devices")) as { devices: readonly Device[] }).devices;

export const signOut = (id: string): Promise<unknown> => request("DELETE", `/api/devices/${id}`);

export const invite = (): Promise<{ code: string; seconds: number }> => post("invite");
export const askerOf = (code: string): Promise<Invitation> => post("asker", { code });
export const answerAsker = (code: string, approve: boolean): Promise<Invitation> =>
  post("answer", { code, approve });

/** What becomes of the games that the joining device has. */
export type OwnGames = "bring" | "leave";

export const join = (code: string, games: OwnGames): Promise<Invitation> => post("join", { code, games });
/** With the answer "approved" the browser is given the cookie of the other player. */
export const joined = (code: string): Promise<Invitation> => post("joined", { code });
