/** The names of the components that parts of other files become: those that the document itself gives them, or ones made of the references. */
import { type DocumentParts, isReference, type Keys, type Location, type Target, UnresolvedReference } from './document-parts.ts';
import type { Kind } from '../document/object-kinds.ts';
import { BUNDLED_SECTIONS } from '../document/object-places.ts';
import { isObject, pointerTo } from '../document/openapi.ts';

interface NewComponent {
  readonly section: string;
  readonly kind: Kind;
  readonly name: string;
  readonly target: Target;
}

export class ComponentNames {
  readonly #parts: DocumentParts;
  readonly #names = new Map<string, string>();
  readonly #used = new Map<string, Set<string>>();
  readonly #added: NewComponent[] = [];

  constructor(parts: DocumentParts) {
    this.#parts = parts;
    const { root: file, rootValue } = parts;
    if (isObject(rootValue)) this.#readComponents(this.#follow(rootValue['components'], { file, keys: ['components'] }));
  }

  next(): NewComponent | undefined {
    return this.#added.shift();
  }

  /** Whether a component at this path of the document is the one that has the name of what it refers to. */
  isOwn(section: string, target: Location, path: Keys): boolean {
    return path.length === 3 && path[0] === 'components' && path[1] === section && this.#names.get(idOf(section, target)) === path[2];
  }

  referenceTo(section: string, kind: Kind, target: Target): string {
    if (target.file === this.#parts.root) return pointerTo(...target.keys);
    const id = idOf(section, target);
    let name = this.#names.get(id);
    if (name === undefined) {
      name = this.#freeName(section, target.name.replace(/[^A-Za-z0-9._-]+/g, '_') || section);
      this.#names.set(id, name);
      this.#added.push({ section, kind, name, target });
    }
    return pointerTo('components', section, name);
  }

  #readComponents(components: (Location & { readonly value: unknown }) | undefined): void {
    if (components === undefined || !isObject(components.value)) return;
    for (const section of BUNDLED_SECTIONS) {
      const entries = this.#follow(components.value[section], child(components, section));
      if (entries === undefined || !isObject(entries.value)) continue;
      this.#used.set(section, new Set(Object.keys(entries.value)));
      for (const [name, value] of Object.entries(entries.value)) {
        const place = child(entries, name);
        const target = isReference(value) && Object.keys(value).length === 1 ? this.#follow(value, place) : place;
        if (target === undefined || (target.file === this.#parts.root && isReference(value))) continue;
        const id = idOf(section, target);
        if (!this.#names.has(id)) this.#names.set(id, name);
      }
    }
  }

  #follow(value: unknown, at: Location): (Location & { readonly value: unknown }) | undefined {
    if (!isReference(value)) return value === undefined ? undefined : { ...at, value };
    try {
      return this.#parts.resolve(value.$ref, at.file);
    } catch (error) {
      if (!(error instanceof UnresolvedReference)) throw error;
      // Reported where the document is bundled.
      return undefined;
    }
  }

  #freeName(section: string, wanted: string): string {
    const used = this.#used.get(section) ?? new Set();
    this.#used.set(section, used);
    let name = wanted;
    for (let n = 2; used.has(name); n++) name = `${wanted}${n}`;
    used.add(name);
    return name;
  }
}

export const child = (at: Location, key: string): Location => ({ file: at.file, keys: [...at.keys, key] });

export const idOf = (kind: string, { file, keys }: Location): string => `${kind} ${file}${pointerTo(...keys)}`;
