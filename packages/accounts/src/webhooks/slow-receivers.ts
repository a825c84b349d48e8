/** Which receivers take long to answer, as this process has seen it, and in what order they are served: each account in turn. */

/** From how long on a delivery is slow, in ms. */
const SLOW_MS = 1000;
/** Accounts that are remembered: the ones that were slow last. */
const MAX_ACCOUNTS = 10_000;
/** The last priority of the queue. */
const MAX_PRIORITY = 32_767;

interface SlowReceiver {
  /** How long the last delivery took, in ms. */
  readonly duration: number;
  /** When the deliveries that wait would have ended, if each took as long as the last: in ms of `performance.now()`. */
  busyUntil: number;
}

export class SlowReceivers {
  readonly #receivers = new Map<number, SlowReceiver>();

  has(accountId: number): boolean {
    return this.#receivers.has(accountId);
  }

  /** @param duration how long a delivery took, in ms. @returns whether the receiver was slow before, and is not any more. */
  record(accountId: number, duration: number): boolean {
    const before = this.#receivers.get(accountId);
    this.#receivers.delete(accountId);
    if (duration < SLOW_MS) return before !== undefined;
    this.#receivers.set(accountId, { duration, busyUntil: before?.busyUntil ?? 0 });
    const [oldest] = this.#receivers.keys();
    if (this.#receivers.size > MAX_ACCOUNTS && oldest !== undefined) this.#receivers.delete(oldest);
    return false;
  }

  /**
   * The priority of the next delivery to the account among those for slow receivers: how many of the account are before it. By their times
   * alone the backlog of one, which is older, would be in front of what others are sent. None waits longer than for a free place.
   */
  nextPriority(accountId: number): number {
    const receiver = this.#receivers.get(accountId);
    if (receiver === undefined) return 0;
    const now = performance.now();
    const begins = Math.max(now, receiver.busyUntil);
    receiver.busyUntil = begins + receiver.duration;
    return Math.min(Math.round((begins - now) / receiver.duration), MAX_PRIORITY);
  }
}
