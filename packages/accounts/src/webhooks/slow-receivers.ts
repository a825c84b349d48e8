/** Which receivers take long to answer, as this process has seen it. */

/** From how long on a delivery is slow, in ms. */
const SLOW_MS = 1000;
/** Accounts that are remembered: the ones that were slow last. */
const MAX_ACCOUNTS = 10_000;

export class SlowReceivers {
  readonly #accounts = new Set<number>();

  has(accountId: number): boolean {
    return this.#accounts.has(accountId);
  }

  /** @param duration how long the last delivery to the account took, in ms. */
  record(accountId: number, duration: number): void {
    this.#accounts.delete(accountId);
    if (duration < SLOW_MS) return;
    this.#accounts.add(accountId);
    const [oldest] = this.#accounts;
    if (this.#accounts.size > MAX_ACCOUNTS && oldest !== undefined) this.#accounts.delete(oldest);
  }
}
