/** The page as a whole: which screen is shown, what the lobby knows, and the game in progress. */
import { batch, computed, effect, type Signal, signal } from "@preact/signals";
import type { Sounds } from "../board/sound";
import type { BoardWords, Frame } from "../board/types";
import { en as boardEn, zh as boardZh } from "../board/words";
import { type Begun, Game } from "../game/game";
import { wordsOf } from "../i18n/language";
import type { Words } from "../i18n/zh";
import type { Socket } from "../link/connection";
import {
  fetchLobby,
  type LobbyData,
  RequestFailed,
  type Settings,
  type Started,
  type Summary,
  startSession,
} from "../link/http";
import { newId } from "../link/ids";
import type { Format, Id, Level, Refusal } from "../link/messages";
import { Preferences, playOptionsOf, samePlay } from "../settings/preferences";
import { Announcer } from "./announcer";
import { Memory } from "./memory";
import { seedFrom } from "./seed";

export type Panel = "settings" | "fairness" | "devices" | "leave" | "restart";

const START_TRIES = 3;
const NOT_STARTED: Partial<Record<string, string>> = { "no-player": "player", malformed: "position" };
const ASK_WHY_AFTER = 8_000;
const LOBBY_AGAIN_AFTER = 3_000;

export class App {
  readonly screen = signal<"lobby" | "game">("lobby");
  readonly panel: Signal<Panel | null> = signal(null);
  readonly helpOpen = signal(false);
  readonly recordOpen = signal(false);
  readonly lobby: Signal<LobbyData | null>;
  readonly preferences: Preferences;
  readonly game: Game;
  readonly announcer: Announcer;
  readonly level: Signal<Level>;
  readonly format: Signal<Format>;
  /** A session is being started. */
  readonly starting = signal(false);
  /** Code of what went wrong in the lobby. */
  readonly trouble: Signal<string | null> = signal(null);
  /** The words that the player wants the dice's seed to be made of; empty for a random one. */
  readonly seedWords = signal("");
  /** The code of another device that this page was opened with, to be the same player. */
  readonly joinCode = signal("");
  readonly words = computed<Words>(() => wordsOf(this.preferences.language.value));
  readonly boardWords = computed<BoardWords>(() =>
    this.preferences.language.value === "zh" ? boardZh : boardEn,
  );
  #sounds: Sounds | null = null;
  #loadingSounds: Promise<Sounds | null> | null = null;

  constructor(lobby: LobbyData | null, openSocket: () => Socket, memory = new Memory(localStorage)) {
    this.lobby = signal(lobby);
    this.preferences = new Preferences(lobby?.settings ?? ({} as Settings));
    this.announcer = new Announcer(this.boardWords);
    this.level = memory.remembered("level", "normal", ["beginner", "normal", "expert"]);
    this.format = memory.remembered("format", 1, [1, 5, 7]);
    this.game = new Game({
      openSocket,
      seed: () => seedFrom(this.seedWords.peek()),
      // In the lobby the game goes on, but nobody watches it.
      onCue: (cue, delay) => {
        if (this.screen.value === "game") this.#sounds?.play(cue, delay);
      },
      onFrame: (frame: Frame) => {
        if (this.screen.value === "game") this.announcer.seen(frame);
      },
      failed: (refusal) => this.#failed(refusal),
      played: (options) => {
        if (this.#entered) this.preferences.adopt(options);
        else this.#enter();
      },
    });
    // Browsers keep silent until the player has touched the page: sounds are loaded then.
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => void this.#wakeSounds());
    // A websocket that is refused at the door looks like a broken one. HTTP tells the two apart.
    effect(() => {
      const link = this.game.link.value;
      if (link === "refused") this.trouble.value = "player";
      if (link !== "waiting") return;
      const timer = setTimeout(() => void this.refreshLobby(), ASK_WHY_AFTER);
      return () => clearTimeout(timer);
    });
    if (lobby === null) void this.refreshLobby();
  }

  async #wakeSounds(): Promise<void> {
    if (!this.preferences.value.value.sound) return;
    this.#loadingSounds ??= import("../board/sound").then(
      ({ Sounds }) => {
        const sounds = new Sounds();
        effect(() => {
          sounds.on = this.preferences.value.value.sound;
        });
        return sounds;
      },
      () => null,
    );
    this.#sounds = await this.#loadingSounds;
    // Without a network there are none yet: the next touch asks again.
    if (this.#sounds === null) this.#loadingSounds = null;
    else this.#sounds.wake();
  }

  /** The open session has been made to follow the player's settings. */
  #entered = false;

  /** The player's unfinished sessions, the latest first: what the server listed, and the open one as it is now. */
  readonly unfinished = computed<readonly Summary[]>(() => {
    const listed = this.lobby.value?.unfinished ?? [];
    const view = this.game.confirmed.value;
    const session = this.game.session;
    if (view === null || session === null) return listed;
    const others = listed.filter((summary) => summary.session !== session);
    if (view.phase === "match-over" || view.phase === "dropped") return others;
    const { level, format, practice, game, score, phase, board, off, dice } = view;
    return [
      { session, level, format, practice, game, score, phase, board, off, dice, at: Date.now() },
      ...others,
    ];
  });

  #lobbyAgain: ReturnType<typeof setTimeout> | undefined;

  async refreshLobby(): Promise<void> {
    clearTimeout(this.#lobbyAgain);
    await this.preferences.saved();
    const before = this.preferences.value.value;
    try {
      const lobby = await fetchLobby();
      batch(() => {
        if (this.trouble.value === "lobby") this.trouble.value = null;
        this.lobby.value = lobby;
        // What was changed while the answer was on its way is newer than the answer.
        if (this.preferences.value.value === before) this.preferences.adopt(lobby.settings);
      });
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      // Without a valid cookie nothing works here, and only the page itself brings one.
      if (error.code === "no-player") {
        this.trouble.value = "player";
        this.game.link.value = "refused";
      } else if (this.lobby.value === null) {
        // Nothing is known of this player yet: without a word that would look as if there were no games.
        this.trouble.value ??= "lobby";
        clearTimeout(this.#lobbyAgain);
        this.#lobbyAgain = setTimeout(() => void this.refreshLobby(), LOBBY_AGAIN_AFTER);
      }
    }
  }

  async start(position?: string): Promise<void> {
    if (this.starting.value) return;
    this.starting.value = true;
    this.trouble.value = null;
    try {
      const seed = seedFrom(this.seedWords.peek());
      await this.preferences.saved();
      const id = newId();
      const answer = this.#startSession(id, position);
      // The board is laid out while the server answers: on a slow phone that takes as long as the network.
      if (position === undefined) this.#layOut();
      const { session, commitment } = await answer;
      // The seed is worth something only to who knows what the server is bound to.
      const begun = commitment === undefined || position !== undefined ? null : { by: id, seed: await seed };
      // Who has gone elsewhere meanwhile finds the game in the lobby.
      if (position === undefined && !this.#laidOut) void this.refreshLobby();
      else this.open(session, begun);
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      if (this.#laidOut) this.screen.value = "lobby";
      this.trouble.value = NOT_STARTED[error.code] ?? "start";
    } finally {
      this.starting.value = false;
    }
  }

  #layOut(): void {
    batch(() => {
      this.#show();
      this.game.close();
    });
  }

  /** A board is shown whose session is not known yet. */
  get #laidOut(): boolean {
    return this.screen.value === "game" && this.game.session === null;
  }

  /** The same id again gives the same session, so a lost answer costs nothing. */
  async #startSession(id: Id, position: string | undefined): Promise<Started> {
    const format = position === undefined ? this.format.value : 1;
    for (let tries = 1; ; tries++) {
      try {
        return await startSession(id, this.level.value, format, position);
      } catch (error) {
        const again =
          error instanceof RequestFailed && ["offline", "unavailable", "overloaded"].includes(error.code);
        if (!again || tries === START_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, 400 * tries));
      }
    }
  }

  open(session: Id, begun: Begun | null = null): void {
    this.#entered = false;
    batch(() => {
      // What was opened over a board that waited for its session stays open.
      if (!this.#laidOut) this.#show();
      this.game.open(session, begun);
    });
    if (this.game.confirmed.value !== null) this.#enter();
  }

  #show(): void {
    // What went wrong in the lobby is over, but for what only loading the page anew mends.
    if (!/player|protocol/.test(this.trouble.value ?? "")) this.trouble.value = null;
    this.screen.value = "game";
    this.recordOpen.value = false;
    this.panel.value = null;
  }

  /** Back to the lobby; the game stays as it stood at the start of the turn. */
  toLobby(): void {
    this.game.leave();
    batch(() => {
      this.screen.value = "lobby";
      this.panel.value = null;
    });
    void this.refreshLobby();
  }

  restart(): void {
    this.panel.value = null;
    const view = this.game.confirmed.value;
    if (view === null) return;
    if (view.may.includes("restart")) this.game.restart();
    else {
      batch(() => {
        this.level.value = view.level;
        this.format.value = view.format;
      });
      void this.start();
    }
  }

  /** Asks first, but for a session that is over: there is nothing to lose. */
  ask(panel: "leave" | "restart"): void {
    const phase = this.game.phase.value;
    const over = phase === "game-over" || phase === "match-over";
    if (panel === "leave" && over) this.toLobby();
    else if (panel === "restart" && !this.game.confirmed.value?.may.includes("restart")) this.restart();
    else this.panel.value = panel;
  }

  /** Closes what lies topmost over the game: a panel, the hint, the help, the record; says whether anything did. */
  putAway(): boolean {
    if (this.panel.value !== null) this.panel.value = null;
    else if (this.game.hint.value !== null) this.game.hint.value = null;
    else if (this.helpOpen.value) this.helpOpen.value = false;
    else if (this.recordOpen.value) this.recordOpen.value = false;
    else return false;
    return true;
  }

  setPreference(changes: Partial<Settings>): void {
    this.preferences.set(changes);
    const options = playOptionsOf(this.preferences.value.value);
    const view = this.game.confirmed.value;
    if (view !== null && !samePlay(options, view.options_set)) this.game.setOptions(options);
  }

  #enter(): void {
    const view = this.game.confirmed.value;
    if (view === null) return;
    this.#entered = true;
    const options = playOptionsOf(this.preferences.value.value);
    if (!samePlay(options, view.options_set)) this.game.setOptions(options);
  }

  #failed({ code }: Refusal): void {
    batch(() => {
      this.screen.value = "lobby";
      this.panel.value = null;
      this.trouble.value = code === "protocol" ? "protocol" : "session";
    });
    void this.refreshLobby();
  }
}
