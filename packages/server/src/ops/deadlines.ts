/** One deadline for many things that may all take the same time: a timer for the oldest of them instead of one for each. */
import { SlottedSet, type Slotted } from './slotted-set.ts';

/** What has a deadline keeps it itself: a map would cost more than all else here. */
export interface Timed extends Slotted {
  /** On the clock of `performance.now()`, in ms. Written by `Deadlines` alone. */
  deadline: number;
}

export class Deadlines<Item extends Timed> {
  readonly #ms: number;
  readonly #onExpired: (item: Item) => void;
  readonly #items = new SlottedSet<Item>();
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param ms how long each may take. @param onExpired called with each that has not ended in time. */
  constructor(ms: number, onExpired: (item: Item) => void) {
    this.#ms = ms;
    this.#onExpired = onExpired;
  }

  /** Starts the time of an item, again if it has begun. @param now of `performance.now()`. */
  start(item: Item, now: number): void {
    item.deadline = now + this.#ms;
    this.#items.add(item);
    this.#timer ??= setTimeout(() => this.#expire(), this.#ms).unref();
  }

  end(item: Item): void {
    this.#items.delete(item);
  }

  /** Ends the time of all of them. @returns them, the oldest first. */
  endAll(): readonly Item[] {
    const items = this.#items.list();
    for (const item of items) this.#items.delete(item);
    return items.toSorted((a, b) => a.deadline - b.deadline);
  }

  /** Looks at all of them, but only when the oldest has had its time: on a quiet server hardly more than once in that time. */
  #expire(): void {
    const now = performance.now();
    const items = this.#items.list();
    const late = items.filter(({ deadline }) => deadline <= now).map((item) => ({ item, deadline: item.deadline }));
    const next = items.reduce((least, { deadline }) => (deadline > now ? Math.min(least, deadline) : least), Infinity);
    this.#timer = next === Infinity ? undefined : setTimeout(() => this.#expire(), Math.max(1, next - now)).unref();
    if (late.length === 0) return;
    // Timers run before input is read: after a pause of this process the answer may be there already.
    setImmediate(() => {
      for (const { item, deadline } of late) {
        if (item.slot === -1 || item.deadline !== deadline) continue;
        this.#items.delete(item);
        this.#onExpired(item);
      }
    });
  }
}
