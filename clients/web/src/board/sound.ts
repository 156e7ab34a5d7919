/**
 * Sounds made on the spot, low and dry: wood on felt, ivory on ivory. Loaded when first wanted; never the only carrier of
 * anything. A cue is a list of voices (plain data); only `Sounds` touches the audio hardware.
 */

import type { Cue } from "./types";

/** One voice of a cue. Times in seconds from the cue's beginning, frequencies in Hz. */
export interface Voice {
  readonly kind: "noise" | "tone" | "pluck";
  readonly at: number;
  readonly length: number;
  readonly frequency: number;
  /** Band width of noise: the higher the narrower. */
  readonly q?: number;
  /** Where a tone or a band glides to. */
  readonly to?: number;
  readonly gain: number;
}

const thump = (at: number, gain: number, frequency = 180): readonly Voice[] => [
  { kind: "noise", at, length: 0.07, frequency: 900, q: 1.1, gain },
  { kind: "tone", at, length: 0.09, frequency, to: frequency * 0.6, gain: gain * 0.8 },
];
const click = (at: number, gain: number, frequency = 2400): Voice => ({
  kind: "noise",
  at,
  length: 0.025,
  frequency,
  q: 3,
  gain,
});
const pluck = (at: number, frequency: number, gain: number): Voice => ({
  kind: "pluck",
  at,
  length: 1.1,
  frequency,
  gain,
});

/** Dice on wood: the clicks come slower and softer over 400 ms. */
const RATTLE = [0, 0.07, 0.155, 0.265, 0.4];

/** The voices of a cue; `vary` (about 1) shifts all pitches, so that repeats do not tire. */
export function voices(cue: Cue, vary = 1): readonly Voice[] {
  return score(cue).map((voice) => ({
    ...voice,
    frequency: voice.frequency * vary,
    ...(voice.to === undefined ? {} : { to: voice.to * vary }),
  }));
}

function score(cue: Cue): readonly Voice[] {
  switch (cue) {
    case "place":
      return thump(0, 0.5);
    case "stack":
      return [...thump(0, 0.4), click(0, 0.35)];
    case "hit":
      // Two clicks, then a lower knock when the checker reaches the bar.
      return [click(0, 0.5), ...thump(0, 0.45), click(0.045, 0.4, 2000), ...thump(0.2, 0.5, 120)];
    case "dice":
      return RATTLE.flatMap((at, i) => [
        click(at, 0.4 - 0.05 * i, 1900 - 130 * i),
        { kind: "tone", at, length: 0.05, frequency: 240 - 15 * i, to: 150, gain: 0.18 },
      ]);
    case "off":
      return [
        { kind: "noise", at: 0, length: 0.11, frequency: 700, to: 1300, q: 1.4, gain: 0.16 },
        ...thump(0.11, 0.35, 210),
        click(0.11, 0.25, 2100),
      ];
    case "win":
      return [pluck(0, 220, 0.4), pluck(0.18, 330, 0.4)];
    case "loss":
      return [pluck(0, 220, 0.35)];
  }
}

/** Plus or minus four per cent. */
const variation = (): number => 0.96 + 0.08 * Math.random();

export class Sounds {
  #context: AudioContext | null = null;
  #noise: AudioBuffer | null = null;
  /** Off in one click; nothing is made while it is off. */
  on = true;

  /** Plays `cue` in `delay` ms. Before the player's first touch of the page browsers keep silent, and so do we. */
  play(cue: Cue, delay = 0): void {
    if (!this.on || document.hidden) return;
    const context = this.#ready();
    if (context?.state !== "running") return;
    const start = context.currentTime + delay / 1000 + 0.005;
    for (const voice of voices(cue, variation())) this.#sound(context, voice, start + voice.at);
  }

  /** Call in a handler of a tap or a key: wakes the audio. */
  wake(): void {
    if (this.on) void this.#ready()?.resume();
  }

  #ready(): AudioContext | null {
    if (!this.#context && typeof AudioContext === "function") {
      this.#context = new AudioContext({ latencyHint: "interactive" });
    }
    return this.#context;
  }

  #sound(context: AudioContext, voice: Voice, at: number): void {
    const gain = context.createGain();
    gain.connect(context.destination);
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(voice.gain * 0.5, at + 0.003);
    gain.gain.exponentialRampToValueAtTime(0.0005, at + voice.length);
    const source =
      voice.kind === "noise" ? this.#hiss(context, voice, at, gain) : this.#tone(context, voice, at, gain);
    source.start(at);
    source.stop(at + voice.length + 0.02);
    source.onended = () => gain.disconnect();
  }

  #hiss(context: AudioContext, voice: Voice, at: number, out: AudioNode): AudioScheduledSourceNode {
    this.#noise ??= whiteNoise(context);
    const source = context.createBufferSource();
    source.buffer = this.#noise;
    source.loop = true;
    const band = context.createBiquadFilter();
    band.type = "bandpass";
    band.Q.value = voice.q ?? 1;
    band.frequency.setValueAtTime(voice.frequency, at);
    if (voice.to) band.frequency.linearRampToValueAtTime(voice.to, at + voice.length);
    source.connect(band).connect(out);
    return source;
  }

  #tone(context: AudioContext, voice: Voice, at: number, out: AudioNode): AudioScheduledSourceNode {
    const source = context.createOscillator();
    source.type = voice.kind === "pluck" ? "triangle" : "sine";
    source.frequency.setValueAtTime(voice.frequency, at);
    if (voice.to) source.frequency.exponentialRampToValueAtTime(voice.to, at + voice.length);
    source.connect(out);
    return source;
  }
}

function whiteNoise(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
