/** One deadline for many things that may all take the same time: a timer for the oldest of them instead of one for each. */

/** What has a deadline keeps it itself: a map would cost more than all else here. One may be in one `Deadlines` at a time. */
export interface Timed {
  /** On the clock of `performance.now()`, in ms. Its owner may move it while it is watched: `Infinity` stops the time. */
  deadline: number;
  /** Its place among those that are watched; -1 if it is none of them. Written by `Deadlines` alone. */
  slot: number;
}

export class Deadlines<Item extends Timed> {
  readonly #ms: number;
  readonly #onExpired: (item: Item) => void;
  readonly #items: Item[] = [];
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param ms how long each may take: no deadline is sooner. @param onExpired called with each that has not ended in time. */
  constructor(ms: number, onExpired: (item: Item) => void) {
    this.#ms = ms;
    this.#onExpired = onExpired;
  }

  /** Starts the time of an item, again if it has begun. @param now of `performance.now()`. */
  start(item: Item, now: number): void {
    item.deadline = now + this.#ms;
    if (item.slot === -1) item.slot = this.#items.push(item) - 1;
    this.#timer ??= setTimeout(() => this.#expire(), this.#ms).unref();
  }

  end(item: Item): void {
    const { slot } = item;
    if (slot === -1) return;
    item.slot = -1;
    const last = this.#items.pop() as Item;
    if (last === item) return;
    this.#items[slot] = last;
    last.slot = slot;
  }

  /** Ends the time of all of them. @returns them, the oldest first. */
  endAll(): readonly Item[] {
    const items = this.#items.splice(0);
    for (const item of items) item.slot = -1;
    return items.sort((a, b) => a.deadline - b.deadline);
  }

  /** Looks at all of them, but only when the oldest has had its time: on a quiet server hardly more than once in that time. */
  #expire(): void {
    const now = performance.now();
    const late = this.#items.filter(({ deadline }) => deadline <= now).map((item) => ({ item, deadline: item.deadline }));
    // No later than a deadline that is moved right after this.
    const next = this.#items.reduce((least, { deadline }) => (deadline > now ? Math.min(least, deadline) : least), now + this.#ms);
    this.#timer = this.#items.length === 0 ? undefined : setTimeout(() => this.#expire(), Math.max(1, next - now)).unref();
    if (late.length === 0) return;
    // Timers run before input is read: after a pause of this process the answer may be there already.
    setImmediate(() => {
      for (const { item, deadline } of late) {
        if (item.slot === -1 || item.deadline !== deadline) continue;
        this.end(item);
        this.#onExpired(item);
      }
    });
  }
}
