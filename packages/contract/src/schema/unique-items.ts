/** `uniqueItems` in linear time: items that are equal as JSON have the same canonical id. */
import type { FuncKeywordDefinition } from 'ajv';
import { isObject } from '../document/openapi.ts';
import { typesOf } from './model.ts';
import { isOfType } from './problems/json-type.ts';

/**
 * Gives values that are equal as JSON the same number (JSON Schema 2020-12, core, section 4.2.2): the order of properties does not matter.
 *
 * A list or object is known by the numbers of its parts, so nested lists are not read again for each level. Values must not change meanwhile.
 */
export class CanonicalIds {
  readonly #ids = new Map<unknown, number>();
  readonly #ofObjects = new Map<object, number>();

  of(value: unknown): number {
    if (typeof value !== 'object' || value === null) return this.#intern(typeof value === 'string' ? `"${value}` : value);
    let id = this.#ofObjects.get(value);
    if (id === undefined) this.#ofObjects.set(value, (id = this.#intern(this.#textOf(value))));
    return id;
  }

  #textOf(value: object): string {
    if (Array.isArray(value)) return `[${value.map((item) => this.of(item)).join()}`;
    if (!isPlain(value)) return this.#textOfOther(value);
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}${this.of((value as Record<string, unknown>)[name])}`).join()}`;
  }

  /** An object that stands for a scalar, such as a `Date`. */
  #textOfOther(value: object): string {
    const scalar: unknown = value.valueOf();
    return scalar === value ? `@${this.#ofObjects.size}` : `=${this.of(scalar)}`;
  }

  #intern(key: unknown): number {
    let id = this.#ids.get(key);
    if (id === undefined) this.#ids.set(key, (id = this.#ids.size));
    return id;
  }
}

const isPlain = (value: object): boolean => isObject(value) && value.valueOf === Object.prototype.valueOf;

/** Two items that are equal. */
interface Duplicates {
  readonly i: number;
  readonly j: number;
}

/**
 * The first two items that are equal, from the end of the list.
 *
 * @param isScalar for items of scalar types: whether an item is of them. Others have a problem without this one.
 */
export function findDuplicates(
  items: readonly unknown[],
  ids: () => CanonicalIds,
  isScalar: ((item: unknown) => boolean) | undefined,
): Duplicates | undefined {
  if (items.length < 2) return undefined;
  return isScalar === undefined ? findEqual(items, ids()) : findEqualScalars(items, isScalar);
}

function findEqualScalars(items: readonly unknown[], isScalar: (item: unknown) => boolean): Duplicates | undefined {
  const seen = new Map<unknown, number>();
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (!isScalar(item)) continue;
    const j = seen.get(item);
    if (j !== undefined) return { i, j };
    seen.set(item, i);
  }
  return undefined;
}

function findEqual(items: readonly unknown[], ids: CanonicalIds): Duplicates | undefined {
  const last = new Map<number, number>();
  let found: Duplicates | undefined;
  for (let i = 0; i < items.length; i++) {
    const id = ids.of(items[i]);
    const j = last.get(id);
    if (j !== undefined) found = { i, j };
    last.set(id, i);
  }
  return found;
}

/** In the place of Ajv's, which compares each item with each. */
export const uniqueItemsKeyword = (ids: () => CanonicalIds): FuncKeywordDefinition => ({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  compile: (isUnique: boolean, parent) => {
    if (!isUnique) return () => true;
    const isScalar = scalarTestOf(parent as { items?: unknown });
    return (items: readonly unknown[]) => findDuplicates(items, ids, isScalar) === undefined;
  },
});

/** Whether an item is of the scalar types that the schema of items requires; `undefined` if that says no type, or lists and objects. */
export function scalarTestOf({ items }: { readonly items?: unknown }): ((item: unknown) => boolean) | undefined {
  const types = typeof items === 'object' && items !== null ? typesOf(items) : [];
  if (types.length === 0 || types.includes('object') || types.includes('array')) return undefined;
  return (item) => types.some((type) => isOfType(type, item));
}
