/** A queue in which each key gets its turn (round robin). */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Item[]>();
  size = 0;

  /** How many keys wait. */
  get lines(): number {
    return this.#lines.size;
  }

  lengthOf(key: string): number {
    return this.#lines.get(key)?.length ?? 0;
  }

  push(key: string, item: Item): void {
    const line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, [item]);
    else line.push(item);
    this.size++;
  }

  shift(): Item | undefined {
    const [turn] = this.#lines;
    if (turn === undefined) return undefined;
    const [key, line] = turn;
    // A map keeps the order of insertion: the next turn of this key comes last.
    this.#lines.delete(key);
    if (line.length > 1) this.#lines.set(key, line);
    this.size--;
    return line.shift();
  }
}
