import { effect, type Signal, signal } from "@preact/signals";

/** Small choices that this browser remembers. Forgetting them harms nothing, so a full or forbidden store is no error. */
export class Memory {
  readonly #store: Storage | null;

  constructor(store: Storage | null) {
    this.#store = store;
  }

  /** A signal that starts as it was last left, where that is one of `known`. */
  remembered<T extends string | number>(name: string, otherwise: T, known: readonly T[]): Signal<T> {
    const kept = this.#read(name);
    const value = signal(known.find((one) => String(one) === kept) ?? otherwise);
    effect(() => this.#write(name, String(value.value)));
    return value;
  }

  #read(name: string): string | null {
    try {
      return this.#store?.getItem(name) ?? null;
    } catch {
      return null;
    }
  }

  #write(name: string, value: string): void {
    try {
      this.#store?.setItem(name, value);
    } catch {
      // Nothing is lost but the memory of this choice.
    }
  }
}
