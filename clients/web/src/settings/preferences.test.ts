import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lobbyApp } from "../app/fake";
import type { LobbyData } from "../link/http";
import { DEFAULTS, Preferences } from "./preferences";

/** The settings that the server has been given. */
let saved: string[];
let reachable: boolean;
/** What the server lists next; answered when it is let go. */
let lobby: { readonly data: LobbyData; go: () => void };

const server: typeof fetch = async (path, init) => {
  if (!reachable) throw new TypeError("no network");
  if (path === "/api/settings") {
    saved.push(JSON.parse(String(init?.body)).theme);
    return new Response(null, { status: 204 });
  }
  const { data } = lobby;
  await new Promise<void>((go) => {
    lobby.go = go;
  });
  return new Response(JSON.stringify(data));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", server);
  saved = [];
  reachable = true;
  lobby = { data: { settings: DEFAULTS, unfinished: [] }, go: () => undefined };
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a setting that could not be saved", () => {
  let preferences: Preferences;
  beforeEach(async () => {
    preferences = new Preferences(DEFAULTS);
    reachable = false;
    preferences.set({ theme: "ink" });
    await pass(300);
    expect(preferences.unsaved.value).toBe(true);
  });

  test("is not undone by what the server had before", () => {
    preferences.adopt(DEFAULTS);
    expect(preferences.value.value.theme).toBe("ink");
  });

  test("is tried again, once at a time, when somebody waits for it", async () => {
    reachable = true;
    await Promise.all([preferences.saved(), preferences.saved()]);
    expect(saved).toEqual(["ink"]);
    expect(preferences.unsaved.value).toBe(false);
  });
});

describe("the lobby", () => {
  test("is asked for after what has not been saved, so that it brings nothing back", async () => {
    const app = lobbyApp();
    reachable = false;
    app.setPreference({ theme: "ink" });
    await pass(300);
    reachable = true;
    void app.refreshLobby();
    await pass(0);
    expect(saved).toEqual(["ink"]);
  });

  test("says nothing of a setting changed while it was on its way", async () => {
    const app = lobbyApp();
    void app.refreshLobby();
    await pass(0);
    app.setPreference({ theme: "ink" });
    await pass(300);
    expect(saved).toEqual(["ink"]);
    lobby.go();
    await pass(0);
    expect(app.preferences.value.value.theme).toBe("ink");
  });

  test("otherwise brings what another device has set", async () => {
    const app = lobbyApp();
    lobby = { ...lobby, data: { settings: { ...DEFAULTS, theme: "contrast" }, unfinished: [] } };
    void app.refreshLobby();
    await pass(0);
    lobby.go();
    await pass(0);
    expect(app.preferences.value.value.theme).toBe("contrast");
  });
});
