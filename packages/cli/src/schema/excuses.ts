/** What the map says is meant to be so, and which of that was of use. */
import type { SchemaMap } from './map.ts';

type Section = 'tables' | 'columns' | 'constraints' | 'schemas' | 'properties' | 'differences';

export class Excuses {
  readonly #all: Map<string, boolean>;

  constructor(map: SchemaMap) {
    const sections = { ...map['not in the contract'], ...map['not in the database'], differences: map.differences };
    this.#all = new Map(
      Object.entries(sections).flatMap(([section, names]) => Object.keys(names).map((name) => [`${section} ${name}`, false] as const)),
    );
  }

  has(section: Section, name: string): boolean {
    const key = `${section} ${name}`;
    if (!this.#all.has(key)) return false;
    this.#all.set(key, true);
    return true;
  }

  unused(): string[] {
    return [...this.#all].flatMap(([name, used]) => (used ? [] : [name]));
  }
}
