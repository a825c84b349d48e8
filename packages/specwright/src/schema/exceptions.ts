/** The exceptions of the schema map, and which of them applied. */
import type { SchemaMap } from './schema-map.ts';

type Section = 'tables' | 'columns' | 'constraints' | 'schemas' | 'properties' | 'differences';

export class Exceptions {
  readonly #applied: Map<string, boolean>;

  constructor(map: SchemaMap) {
    const sections = { ...map['not in the contract'], ...map['not in the database'], differences: map.differences };
    this.#applied = new Map(
      Object.entries(sections).flatMap(([section, names]) => Object.keys(names).map((name) => [`${section} ${name}`, false] as const)),
    );
  }

  /** Whether the map has an exception, which counts as applied from now on. */
  apply(section: Section, name: string): boolean {
    const key = `${section} ${name}`;
    if (!this.#applied.has(key)) return false;
    this.#applied.set(key, true);
    return true;
  }

  unused(): string[] {
    return [...this.#applied].flatMap(([name, applied]) => (applied ? [] : [name]));
  }
}
