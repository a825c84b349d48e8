/** Which receivers take long to answer, as this process has seen it: their deliveries wait for each other, and for nobody else. */

/** From how long on a delivery is slow, in ms. */
const SLOW_MS = 1000;
/** Accounts that are remembered: the ones that were slow last. */
const MAX_ACCOUNTS = 10_000;

interface Turns {
  /** How long the last delivery took, in ms. */
  readonly duration: number;
  /** When the delivery that is handed out next has its turn, in ms of `performance.now()`. */
  next: number;
}

export class SlowReceivers {
  readonly #turns = new Map<number, Turns>();

  has(accountId: number): boolean {
    return this.#turns.has(accountId);
  }

  /** @param duration how long a delivery took, in ms. */
  record(accountId: number, duration: number): void {
    const { next = 0 } = this.#turns.get(accountId) ?? {};
    this.#turns.delete(accountId);
    if (duration < SLOW_MS) return;
    this.#turns.set(accountId, { duration, next });
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > MAX_ACCOUNTS && oldest !== undefined) this.#turns.delete(oldest);
  }

  /**
   * When the next delivery to the account begins if each one takes as long as the last: those that have waited longest go first, so a
   * backlog without such turns would be in front of what other slow receivers are sent.
   *
   * @returns in how many ms; 0 for a receiver that is not slow.
   */
  turnOf(accountId: number): number {
    const turns = this.#turns.get(accountId);
    if (turns === undefined) return 0;
    const now = performance.now();
    const turn = Math.max(now, turns.next);
    turns.next = turn + turns.duration;
    return turn - now;
  }
}
