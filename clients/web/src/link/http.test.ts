import { afterEach, expect, test, vi } from "vitest";
import { fetchLobby, saveSettings } from "./http";

const fetched = vi.fn<typeof fetch>();

/** An answer whose body is read like this. */
const answer = (status: number, json: () => Promise<unknown>): Response =>
  ({ status, ok: status < 300, statusText: "", json }) as Response;
const forever = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));

/** The time limit that a request is given, to be let run out. */
function limited(): AbortController {
  const clock = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(clock.signal);
  vi.stubGlobal("fetch", fetched);
  return clock;
}

afterEach(() => {
  fetched.mockReset();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a request that nobody answers ends as one that reached nobody", async () => {
  const clock = limited();
  fetched.mockImplementation((_, init) => forever(init?.signal));
  const lobby = fetchLobby();
  clock.abort();
  await expect(lobby).rejects.toMatchObject({ code: "offline" });
  expect(AbortSignal.timeout).toHaveBeenCalledWith(10_000);
});

test("so does one whose answer breaks off", async () => {
  const clock = limited();
  fetched.mockImplementation(async (_, init) => answer(200, () => forever(init?.signal)));
  const lobby = fetchLobby();
  await Promise.resolve();
  clock.abort();
  await expect(lobby).rejects.toMatchObject({ code: "offline" });
});

test("an answer that is no JSON counts by its status", async () => {
  limited();
  fetched.mockResolvedValue(answer(502, () => Promise.reject(new SyntaxError("Unexpected token <"))));
  await expect(fetchLobby()).rejects.toMatchObject({ code: "unavailable" });
});

test("settings are sent though the page is being left, and a browser without time limits sends too", async () => {
  limited();
  vi.stubGlobal("AbortSignal", {});
  fetched.mockResolvedValue(answer(204, () => Promise.reject(new SyntaxError("Unexpected end"))));
  await saveSettings({} as Parameters<typeof saveSettings>[0]);
  expect(fetched.mock.calls[0]![1]).toMatchObject({ method: "PUT", keepalive: true, signal: null });
});
