/** A set whose entries know their place in it: to add one or to take it out costs no hashing, and there is no order. */

export interface Slotted {
  /** Its place in the set; -1 if it is in none. Written by the set alone. */
  slot: number;
}

/** An entry can be in one such set at a time. */
export class SlottedSet<Entry extends Slotted> {
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
