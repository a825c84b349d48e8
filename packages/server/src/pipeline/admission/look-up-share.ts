/** Bounds how many callers are looked up at once for requests without a slot: an address has no more of them than it leaves. */

/** Cached callers take no time; look-ups of unknown keys are limited separately. */
const MAX_LOOK_UPS = 2000;

export class LookUpShare {
  readonly #byAddress = new Map<string, number>();
  #count = 0;

  /** @returns whether there is room for one more. */
  enter(address: string): boolean {
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= MAX_LOOK_UPS - this.#count) return false;
    this.#byAddress.set(address, count + 1);
    this.#count++;
    return true;
  }

  leave(address: string): void {
    const count = (this.#byAddress.get(address) ?? 1) - 1;
    this.#count--;
    if (count === 0) this.#byAddress.delete(address);
    else this.#byAddress.set(address, count);
  }
}
