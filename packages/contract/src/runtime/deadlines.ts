/** One deadline for many things that may all take the same time: a timer for the oldest of them instead of one for each. */

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

  /** Those whose time runs, in no order. */
  list(): readonly Item[] {
    return this.#items.list();
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

interface Slotted {
  /** Its place in the set; -1 if it is in none. Written by the set alone. */
  slot: number;
}

/** An entry can be in one such set at a time. */
class SlottedSet<Entry extends Slotted> {
  readonly #entries: Entry[] = [];

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    if (entry.slot === -1) entry.slot = this.#entries.push(entry) - 1;
  }

  delete(entry: Entry): void {
    const { slot } = entry;
    if (slot === -1) return;
    entry.slot = -1;
    const last = this.#entries.pop() as Entry;
    if (last === entry) return;
    this.#entries[slot] = last;
    last.slot = slot;
  }

  /** The entries, in no order. They may be taken out while the list is read. */
  list(): readonly Entry[] {
    return this.#entries.slice();
  }
}
