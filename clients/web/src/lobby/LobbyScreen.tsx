import { useApp } from "../app/context";
import { Forward, Gear, Mark } from "../app/icons";
import type { Viewport } from "../app/viewport";
import { Diagram } from "../board/Diagram";
import { START } from "../board/position";
import type { Summary } from "../link/http";
import { Segments } from "../settings/controls";
import { ModeChoice, ThemeChoice, Toggle } from "../settings/SettingsPanel";

export function LobbyScreen({ viewport }: { viewport: Viewport }) {
  const app = useApp();
  const words = app.words.value;
  const { lobby, settings } = words;
  const [latest, ...others] = app.unfinished.value;
  const wide = viewport.width >= 900;
  const trouble = app.trouble.value;
  return (
    <main class={wide ? "lobby wide" : "lobby"}>
      <header class="lobby-top">
        <h1 tabIndex={-1}>
          <Mark />
          {words.name}
        </h1>
        <div class="languages">
          {(["zh", "en"] as const).map((language) => (
            <button
              key={language}
              type="button"
              class="link"
              lang={language === "zh" ? "zh-CN" : "en"}
              data-language={language}
              aria-pressed={app.preferences.language.value === language}
              onClick={() => app.setPreference({ language })}
            >
              {settings.languages[language]}
            </button>
          ))}
          <button
            type="button"
            class="plain square"
            data-action="settings"
            aria-label={settings.title}
            onClick={() => {
              app.panel.value = "settings";
            }}
          >
            <Gear />
          </button>
        </div>
      </header>

      {(wide || latest !== undefined) && (
        <section class="lobby-game">
          <LatestCard summary={latest} />
          {others.length > 0 && <Others summaries={others} />}
        </section>
      )}

      <section class="lobby-new">
        <p class="tagline">{words.tagline}</p>
        <h2>{lobby.opponent}</h2>
        <Segments
          name="level"
          label={lobby.opponent}
          value={app.level.value}
          onChoose={(level) => {
            app.level.value = level;
          }}
          choices={(["beginner", "normal", "expert"] as const).map((level) => ({
            value: level,
            label: words.level[level],
            note: lobby.levelNote[level],
          }))}
        />
        <p class="note">{lobby.levelNote[app.level.value]}</p>
        <h2>{lobby.format}</h2>
        <Segments
          name="format"
          label={lobby.format}
          value={app.format.value}
          onChoose={(format) => {
            app.format.value = format;
          }}
          choices={([1, 5, 7] as const).map((format) => ({
            value: format,
            label: words.format[format],
            note: lobby.formatNote[format],
          }))}
        />
        <p class="note">{lobby.formatNote[app.format.value]}</p>
        <div class="go">
          {trouble !== null && (
            <p class="trouble" role="alert">
              {words.refusal[trouble]}
              {(trouble === "protocol" || trouble === "player") && (
                <button type="button" class="link" data-action="reload" onClick={() => location.reload()}>
                  {words.link.reload}
                </button>
              )}
            </p>
          )}
          <button
            type="button"
            class="button primary big"
            data-action="start"
            aria-disabled={app.starting.value}
            onClick={() => void app.start()}
          >
            {app.starting.value ? lobby.starting : lobby.start}
          </button>
          <div class="under">
            <span class="note">{latest === undefined ? "" : lobby.keeps}</span>
            <button
              type="button"
              class="link"
              data-action="help"
              onClick={() => {
                app.helpOpen.value = true;
              }}
            >
              {lobby.help}
            </button>
          </div>
        </div>
      </section>

      <section class="lobby-display">
        <h2>{lobby.display}</h2>
        <ThemeChoice />
        <ModeChoice />
        <div class="rows">
          <Toggle name="numbers" />
          <Toggle name="mirrored" />
          <button
            type="button"
            class="switch"
            onClick={() => {
              app.panel.value = "settings";
            }}
          >
            <span>{lobby.more}</span>
            <Forward />
          </button>
          <button
            type="button"
            class="switch"
            data-action="devices"
            onClick={() => {
              app.panel.value = "devices";
            }}
          >
            <span>{lobby.devices}</span>
            <Forward />
          </button>
        </div>
      </section>
    </main>
  );
}

function useFacts() {
  const { lobby, top, level: levels } = useApp().words.value;
  return ({ format, practice, score, game, level, phase }: Summary): string[] => [
    ...(practice ? [top.practice, levels[level]] : lobby.summary(format, score, game, level)),
    lobby.phase(phase),
  ];
}

const Facts = ({ facts }: { facts: readonly string[] }) => (
  <p class="meta">
    {facts.map((fact) => (
      <span key={fact}>{fact}</span>
    ))}
  </p>
);

/** The latest unfinished game, as it stands; without one, the start of every game (where there is room for it). */
function LatestCard({ summary }: { summary: Summary | undefined }) {
  const app = useApp();
  const { lobby } = app.words.value;
  const facts = useFacts();
  const { theme, mirrored } = app.preferences.value.value;
  const position = summary === undefined ? START : { points: summary.board, off: summary.off };
  const picture = (
    <div class="picture">
      <Diagram position={position} dice={summary?.dice ?? null} theme={theme} mirrored={mirrored} />
    </div>
  );
  if (summary === undefined) {
    return (
      <div class="card">
        {picture}
        <p class="note">{lobby.opening}</p>
      </div>
    );
  }
  return (
    <div class="card">
      {picture}
      <div class="card-foot">
        <div>
          <h2>{lobby.continueLast}</h2>
          <Facts facts={facts(summary)} />
        </div>
        <button
          type="button"
          class="button accent"
          data-action="continue"
          aria-label={lobby.continueLast}
          onClick={() => app.open(summary.session)}
        >
          {lobby.continue}
        </button>
      </div>
    </div>
  );
}

function Others({ summaries }: { summaries: readonly Summary[] }) {
  const app = useApp();
  const { lobby } = app.words.value;
  const facts = useFacts();
  return (
    <details class="others">
      <summary>
        {lobby.others} <span class="note">{summaries.length}</span>
      </summary>
      <ul class="rows">
        {summaries.map((summary) => (
          <li key={summary.session}>
            <button
              type="button"
              class="switch"
              data-session={summary.session}
              onClick={() => app.open(summary.session)}
            >
              <span>
                <Facts facts={facts(summary)} />
                <small>{lobby.ago(Math.floor((Date.now() - summary.at) / 60_000))}</small>
              </span>
              <Forward />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
