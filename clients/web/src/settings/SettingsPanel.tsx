import { useApp } from "../app/context";
import { Dialog } from "../app/Dialog";
import { Forward } from "../app/icons";
import type { Settings } from "../link/http";
import { Segments, Switch } from "./controls";

type Toggle = {
  [Key in keyof Settings]: Settings[Key] extends boolean ? Key : never;
}[keyof Settings];

/** One of the settings that are on or off, as a row. */
export function Toggle({ name, note }: { name: Toggle; note?: string }) {
  const app = useApp();
  return (
    <Switch
      name={name}
      label={app.words.value.settings[name]}
      {...(note === undefined ? {} : { note })}
      on={app.preferences.value.value[name]}
      onChange={(on) => app.setPreference({ [name]: on })}
    />
  );
}

export function ThemeChoice() {
  const app = useApp();
  const { settings } = app.words.value;
  return (
    <Segments
      cards
      name="theme"
      label={settings.theme}
      value={app.preferences.value.value.theme}
      onChoose={(theme) => app.setPreference({ theme })}
      choices={(["wood", "ink", "contrast"] as const).map((theme) => ({
        value: theme,
        label: (
          <>
            <span class={`swatch ${theme}`} aria-hidden="true" />
            {settings.themes[theme]}
          </>
        ),
      }))}
    />
  );
}

export function ModeChoice() {
  const app = useApp();
  const { settings } = app.words.value;
  return (
    <Segments
      name="mode"
      label={settings.mode}
      value={app.preferences.value.value.mode}
      onChoose={(mode) => app.setPreference({ mode })}
      choices={(["auto", "light", "dark"] as const).map((mode) => ({
        value: mode,
        label: settings.modes[mode],
      }))}
    />
  );
}

export function SettingsPanel({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const { settings, refusal } = app.words.value;
  const { pace, language } = app.preferences.value.value;
  return (
    <Dialog kind="sheet" title={settings.title} onClose={onClose}>
      <h3>{settings.pace}</h3>
      <Segments
        name="pace"
        label={settings.pace}
        value={pace}
        onChoose={(chosen) => app.setPreference({ pace: chosen })}
        choices={(["real", "fast", "instant"] as const).map((one) => ({
          value: one,
          label: settings.paces[one],
          note: settings.paceNote[one],
        }))}
      />
      <p class="note">{settings.paceNote[pace]}</p>
      <div class="rows">
        <Toggle name="sound" />
      </div>

      <h3>{settings.play}</h3>
      <div class="rows">
        <Toggle name="auto_end" />
        <Toggle name="auto_forced" />
        <Toggle name="auto_bear_off" note={settings.auto_bear_off_note} />
      </div>

      <h3>{settings.display}</h3>
      <div class="rows">
        <Toggle name="numbers" />
        <Toggle name="pips" />
        <Toggle name="mirrored" />
        <Toggle name="large" />
      </div>

      <h3>{settings.theme}</h3>
      <ThemeChoice />
      <h3>{settings.mode}</h3>
      <ModeChoice />

      <h3>{settings.language}</h3>
      <Segments
        name="language"
        label={settings.language}
        value={language}
        onChoose={(chosen) => app.setPreference({ language: chosen })}
        choices={(["auto", "zh", "en"] as const).map((one) => ({
          value: one,
          label: settings.languages[one],
        }))}
      />

      <div class="rows">
        <button
          type="button"
          class="switch"
          data-action="fairness"
          onClick={() => {
            app.panel.value = "fairness";
          }}
        >
          <span>{settings.fairness}</span>
          <Forward />
        </button>
      </div>
      {app.preferences.unsaved.value && <p class="note">{refusal.settings}</p>}
    </Dialog>
  );
}
