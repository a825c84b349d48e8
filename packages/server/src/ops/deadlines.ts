/** One deadline for many things that may all take the same time: a timer for the oldest of them instead of one for each. */

export class Deadlines<Item> {
  readonly #ms: number;
  readonly #onExpired: (item: Item) => void;
  /** In the order of their deadlines, as all have the same time. */
  readonly #deadlines = new Map<Item, number>();
  #timer: NodeJS.Timeout | undefined = undefined;

  /** @param ms how long each may take. @param onExpired called with each that has not ended in time. */
  constructor(ms: number, onExpired: (item: Item) => void) {
    this.#ms = ms;
    this.#onExpired = onExpired;
  }

  /** @param now of `performance.now()`. */
  start(item: Item, now: number): void {
    this.#deadlines.set(item, now + this.#ms);
    this.#timer ??= setTimeout(() => this.#expire(), this.#ms).unref();
  }

  end(item: Item): void {
    this.#deadlines.delete(item);
  }

  #expire(): void {
    const now = performance.now();
    const late: [Item, number][] = [];
    let next: number | undefined;
    for (const entry of this.#deadlines) {
      if (entry[1] > now) {
        next = entry[1];
        break;
      }
      late.push(entry);
    }
    this.#timer = undefined;
    if (next !== undefined) this.#timer = setTimeout(() => this.#expire(), Math.max(1, next - now)).unref();
    if (late.length === 0) return;
    // Timers run before input is read: after a pause of this process the answer may be there already.
    setImmediate(() => {
      for (const [item, deadline] of late) {
        if (this.#deadlines.get(item) !== deadline) continue;
        this.#deadlines.delete(item);
        this.#onExpired(item);
      }
    });
  }
}
