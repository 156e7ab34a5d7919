import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { App } from "../app/app";
import { AppContext } from "../app/context";
import { lobbyApp } from "../app/fake";
import Devices from "./Devices";
import { zh } from "./words.zh";

type Answer = Record<string, unknown> | string;

let app: App;
/** What the server answers under each path; a text is the code of a refusal. */
let answers: Record<string, Answer | Promise<Answer>>;
const asked = vi.fn<(method: string, path: string) => void>();
const reload = vi.fn();

const server = async (path: string, { method }: RequestInit) => {
  asked(String(method), path);
  const answer = (await answers[path.replace("/api/devices", "")]) ?? {};
  const refused = typeof answer === "string";
  const body = refused ? { error: { code: answer, text: "" } } : answer;
  return { status: refused ? 404 : 200, ok: !refused, json: async () => body };
};

const root = document.body;
const element = (selector: string) => root.querySelector<HTMLElement>(selector);
const named = (action: string) => element(`[data-action=${action}]`)!;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms).then(() => undefined));

async function open(): Promise<void> {
  const page = (
    <AppContext.Provider value={app}>
      <Devices />
    </AppContext.Provider>
  );
  await act(() => render(page, root));
  await pass(0);
}
const close = () => act(() => render(null, root));

async function press(button: HTMLElement, detail = 1): Promise<void> {
  await act(() => void button.dispatchEvent(new MouseEvent("click", { bubbles: true, detail })));
  await pass(0);
}

async function submit(code: string): Promise<void> {
  const input = element("input[name=code]") as HTMLInputElement;
  await act(() => {
    input.value = code;
    input.dispatchEvent(new InputEvent("input", { bubbles: true }));
  });
  await act(() => void element("form")!.dispatchEvent(new Event("submit", { bubbles: true })));
  await pass(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", server);
  vi.spyOn(location, "reload").mockImplementation(reload);
  answers = {
    "": { devices: [] },
    "/invite": { code: "AB12-CD34", seconds: 600 },
    "/asker": { state: "open" },
  };
  app = lobbyApp();
  app.setPreference({ language: "zh" });
});

afterEach(async () => {
  await close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

describe("signing out", () => {
  beforeEach(async () => {
    const device = (id: string) => ({ id, name: "?", seen: 0, here: false });
    answers[""] = { devices: [device("one"), device("two")] };
    await open();
  });

  test("takes two presses", async () => {
    for (let n = 0; n < 2; n++) await press(named("sign-out"));
    expect(asked).toHaveBeenCalledWith("DELETE", "/api/devices/one");
  });

  test("takes more than a double click", async () => {
    for (const detail of [1, 2]) await press(named("sign-out"), detail);
    expect(asked).not.toHaveBeenCalledWith("DELETE", expect.anything());
    expect(named("sign-out").textContent).toBe(zh.sure);
  });
});

describe("joining", () => {
  beforeEach(() => {
    answers["/join"] = { state: "asked", check: "42" };
    answers["/joined"] = { state: "asked" };
  });

  afterEach(async () => {
    // Whatever waits is turned away, so that the next test begins with nothing.
    answers["/joined"] = { state: "refused" };
    await close();
    await open();
    await pass(2_000);
    expect(element("[data-check]")).toBe(null);
  });

  test("the code of the address is used once", async () => {
    app.joinCode.value = "AB12-CD34";
    await open();
    expect((element("input[name=code]") as HTMLInputElement).value).toBe("AB12-CD34");
    await close();
    expect(app.joinCode.value).toBe("");
    await open();
    expect((element("input[name=code]") as HTMLInputElement).value).toBe("");
  });

  test("goes on waiting when the panel is closed and opened again", async () => {
    app.joinCode.value = "AB12-CD34";
    await open();
    const [live] = [...root.querySelectorAll("[role=status]")];
    await submit("AB12-CD3");
    expect(live!.querySelector("[data-check]")?.textContent).toBe("42");
    await close();
    await open();
    expect(element("[data-check]")?.textContent).toBe("42");
    asked.mockClear();
    await pass(2_000);
    expect(asked).toHaveBeenCalledWith("POST", "/api/devices/joined");
  });

  test("another code takes the place of the one that waits", async () => {
    await open();
    await submit("AB12-CD34");
    await close();
    app.joinCode.value = "EF56-GH78";
    await open();
    expect((element("input[name=code]") as HTMLInputElement).value).toBe("EF56-GH78");
  });

  test("an approval loads the page anew though the panel has just been closed", async () => {
    let approve = (_: Answer) => undefined as undefined;
    answers["/joined"] = new Promise((go) => {
      approve = (answer) => void go(answer);
    });
    await open();
    await submit("AB12-CD34");
    await close();
    approve({ state: "approved" });
    await pass(0);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("a refusal is said where the number stood", async () => {
    await open();
    await submit("AB12-CD34");
    answers["/joined"] = { state: "refused" };
    await pass(2_000);
    expect(element("[role=status]")?.textContent).toBe(zh.turnedAway);
    expect(element("form")).not.toBe(null);
  });
});

describe("inviting", () => {
  test("a code that has expired is said to be that, and what goes wrong is said in every state", async () => {
    await open();
    await press(named("invite"));
    expect(element("[data-code]")).not.toBe(null);
    answers["/asker"] = "too-many";
    await pass(2_000);
    expect(element("[data-code]")).not.toBe(null);
    expect(element("[data-trouble]")?.dataset.trouble).toBe("too-many");

    answers["/asker"] = { state: "asked", name: "Firefox", check: "42" };
    await close();
    await open();
    await pass(2_000);
    expect(element("[data-check]")?.closest("[role=alert]")?.contains(named("approve"))).toBe(false);
    answers["/answer"] = "overloaded";
    await press(named("approve"));
    expect(element("[data-trouble]")?.dataset.trouble).toBe("overloaded");
    expect(named("approve")).not.toBe(null);

    answers["/answer"] = "no-code";
    await press(named("approve"));
    expect(element("[data-trouble]")?.textContent).toBe(zh.trouble.expired);
    expect(named("invite")).not.toBe(null);
  });

  test("the number comes into a live region that was there before", async () => {
    await open();
    const live = element("[data-invitation] [role=alert]")!;
    await press(named("invite"));
    answers["/asker"] = { state: "asked", name: "Firefox", check: "42" };
    await pass(2_000);
    expect(live.querySelector("[data-check]")?.textContent).toBe("42");
    named("refuse").focus();
    answers["/answer"] = { state: "refused" };
    await press(named("refuse"));
    expect(live.textContent).toBe(zh.refused);
    expect(document.activeElement).toBe(element("[data-invitation]"));
  });
});
