/** A queue in which each key gets its turn (round robin). */

interface Entry<Item> {
  readonly item: Item;
  readonly work: number;
}

interface Line<Item> {
  readonly entries: Entry<Item>[];
  work: number;
}

export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>();
  size = 0;
  work = 0;

  workOf(key: string): number {
    return this.#lines.get(key)?.work ?? 0;
  }

  push(key: string, item: Item, work: number): void {
    let line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, (line = { entries: [], work: 0 }));
    line.entries.push({ item, work });
    line.work += work;
    this.work += work;
    this.size++;
  }

  shift(): Item | undefined {
    const [turn] = this.#lines;
    if (turn === undefined) return undefined;
    const [key, line] = turn;
    const { item, work } = line.entries.shift() as Entry<Item>;
    // A map keeps the order of insertion: the next turn of this key comes last.
    this.#lines.delete(key);
    if (line.entries.length > 0) this.#lines.set(key, line);
    line.work -= work;
    this.size--;
    this.work = this.size === 0 ? 0 : this.work - work;
    return item;
  }
}
