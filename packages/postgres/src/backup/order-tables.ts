/** The order in which tables can be filled: each after those that it refers to. */

export interface ReferringTable {
  readonly name: string;
  /** The tables that its foreign keys refer to. */
  readonly references: readonly string[];
}

/** Tables that refer to each other in a circle are the last of what can be ordered; their constraints have to wait for the end. */
export function orderTables<T extends ReferringTable>(tables: readonly T[]): T[] {
  const rest = new Map(tables.map((table) => [table.name, table]));
  const ordered: T[] = [];
  while (rest.size > 0) {
    const isFree = ({ name, references }: T) => references.every((other) => other === name || !rest.has(other));
    const free = [...rest.values()].filter(isFree);
    const next = free.length > 0 ? free : [...rest.values()].slice(0, 1);
    for (const table of next) rest.delete(table.name);
    ordered.push(...next);
  }
  return ordered;
}
