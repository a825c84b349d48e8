/** A queue in which each key gets its turn (round robin), and none takes all of the room. */

interface Entry<Item> {
  readonly item: Item;
  readonly work: number;
}

interface Line<Item> {
  readonly entries: Entry<Item>[];
  /** The index of the first waiting entry: removing it from the array would move the rest. */
  first: number;
  work: number;
}

export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>();
  #work = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get work(): number {
    return this.#work;
  }

  workOf(key: string): number {
    return this.#lines.get(key)?.work ?? 0;
  }

  push(key: string, item: Item, work: number): void {
    let line = this.#lines.get(key);
    if (line === undefined) this.#lines.set(key, (line = { entries: [], first: 0, work: 0 }));
    line.entries.push({ item, work });
    line.work += work;
    this.#work += work;
    this.#size++;
  }

  shift(): Item | undefined {
    const [turn] = this.#lines;
    if (turn === undefined) return undefined;
    const [key, line] = turn;
    const entry = line.entries[line.first++] as Entry<Item>;
    // A map keeps the order of insertion: the next turn of this key comes last.
    this.#lines.delete(key);
    if (line.first < line.entries.length) this.#lines.set(key, compact(line));
    line.work -= entry.work;
    this.#size--;
    this.#work = this.#size === 0 ? 0 : this.#work - entry.work;
    return entry.item;
  }
}

function compact<Item>(line: Line<Item>): Line<Item> {
  if (line.first >= 1000) {
    line.entries.splice(0, line.first);
    line.first = 0;
  }
  return line;
}
