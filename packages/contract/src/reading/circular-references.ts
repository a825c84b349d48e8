/** Finds what refers to itself with nothing between: a reference that names no object, and a schema that a value would be validated against without end. */
import { type Document, isObject, pointerKeys, pointerTo, valueAt } from '../document/openapi.ts';
import { visitDocument, type DocumentPath } from '../document/visit-schemas.ts';
import { resolveIdentifiers } from '../schema/model-of.ts';
import { withInheritance } from '../schema/inheritance.ts';

/** @property path of the reference that closes the ring. */
export interface CircularReference {
  readonly path: DocumentPath;
  readonly message: string;
}

/** Keywords whose schemas apply to the same value as the schema around them (JSON Schema 2020-12, core, section 10.2). */
const IN_PLACE = ['allOf', 'oneOf', 'anyOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * Recursion through the parts of a value (`properties`, `items`) ends with the value; through `allOf` and the like it has no end, and JSON
 * Schema forbids it (2020-12, core, section 9.4.1).
 *
 * @returns each ring once.
 */
export function circularReferences(given: Document): CircularReference[] {
  const document = withInheritance(resolveIdentifiers(given));
  const search = new RingSearch(document);
  // Components first, in their order: a ring is named from its first one.
  for (const [section, components] of Object.entries(document.components ?? {}))
    for (const name of Object.keys(isObject(components) ? components : {}))
      search.from(pointerTo('components', section, name), section === 'schemas');
  // Every ring has an object that is referred to.
  visitDocument(document, { reference: (target, _path, section) => search.from(target, section === 'schemas') });
  return search.found;
}

interface Step {
  readonly value: Readonly<Record<string, unknown>>;
  readonly path: DocumentPath;
  /** How it is reached from the step before: `$ref`, or a keyword of a schema. */
  readonly by: string;
}

interface OpenStep extends Step {
  readonly rest: Step[];
}

class RingSearch {
  readonly found: CircularReference[] = [];
  readonly #document: Document;
  readonly #isDraft: boolean;
  readonly #done = new Set<object>();
  readonly #references = new Set<string>();

  constructor(document: Document) {
    this.#document = document;
    this.#isDraft = /^3\.0/.test(document.openapi);
  }

  /** Searches what is reached in place from the target of a reference. Without recursion: a chain may be as long as the document. */
  from(reference: string, isSchema: boolean): void {
    if (this.#references.has(reference)) return;
    this.#references.add(reference);
    const start = this.#target(reference);
    if (start === undefined || this.#done.has(start.value)) return;
    const open: OpenStep[] = [{ ...start, rest: this.#next(start, isSchema) }];
    const depths = new Map<object, number>([[start.value, 0]]);
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const next = last.rest.shift();
      if (next === undefined) {
        open.pop();
        depths.delete(last.value);
        this.#done.add(last.value);
        continue;
      }
      const depth = depths.get(next.value);
      if (depth !== undefined) this.#report(open.slice(depth), isSchema);
      else if (!this.#done.has(next.value)) {
        depths.set(next.value, open.length);
        open.push({ ...next, rest: this.#next(next, isSchema) });
      }
    }
  }

  #target(reference: string): Step | undefined {
    if (!reference.startsWith('#/')) return undefined;
    try {
      const path = pointerKeys(reference);
      const value = valueAt(this.#document, path);
      return isObject(value) ? { value, path, by: '$ref' } : undefined;
    } catch {
      // A percent-encoding that cannot be decoded is reported where references are resolved.
      return undefined;
    }
  }

  #next({ value, path }: Step, isSchema: boolean): Step[] {
    const targets = ['$ref', ...(isSchema ? ['$dynamicRef'] : [])].flatMap((keyword) => {
      const reference = value[keyword];
      return typeof reference === 'string' ? (this.#target(reference) ?? []) : [];
    });
    // Keywords beside a `$ref` are ignored (OpenAPI 3.0.3, section 4.7.23).
    if (!isSchema || (this.#isDraft && typeof value['$ref'] === 'string')) return targets;
    const parts = IN_PLACE.flatMap((keyword): Step[] => {
      const held = value[keyword];
      if (typeof held !== 'object' || held === null) return [];
      const isOne = !Array.isArray(held) && keyword !== 'dependentSchemas';
      const entries: [DocumentPath, unknown][] = isOne
        ? [[[keyword], held]]
        : Object.entries(held).map(([key, part]) => [[keyword, Array.isArray(held) ? Number(key) : key], part]);
      return entries.flatMap(([keys, part]) => (isObject(part) ? [{ value: part, path: [...path, ...keys], by: keyword }] : []));
    });
    return [...targets, ...parts];
  }

  #report(ring: readonly Step[], isSchema: boolean): void {
    const last = ring.at(-1);
    if (last === undefined) return;
    this.found.push({ path: [...last.path, '$ref'], message: describe(ring, isSchema) });
  }
}

/** A ring of more is named by its first and last ones. */
const MAX_NAMES = 6;

function describe(ring: readonly Step[], isSchema: boolean): string {
  const keywords = new Set(ring.slice(1).flatMap(({ by }) => (by === '$ref' ? [] : [by])));
  const steps = ring.map(({ path, by }, i) => (i > 0 && by !== '$ref' ? by : nameOf(path)));
  const [first = ''] = steps;
  const named =
    steps.length <= 2 * MAX_NAMES
      ? steps
      : [...steps.slice(0, MAX_NAMES), `(${steps.length - 2 * MAX_NAMES} more)`, ...steps.slice(-MAX_NAMES)];
  const chain = [...named, first].join(' -> ');
  if (!isSchema || keywords.size === 0) return `${first} refers to itself, and says nothing: ${chain}. Write out what one of them is`;
  const isParent = keywords.has('allOf') && (keywords.has('oneOf') || keywords.has('anyOf'));
  const fix = isParent
    ? 'Remove the parent from the `allOf` of the child, or the child from the alternatives'
    : 'Remove one of the references';
  return `${first} contains itself, so that no validation would end: ${chain}. ${fix}`;
}

const nameOf = (path: DocumentPath): string => (path[0] === 'components' && path.length === 3 ? String(path[2]) : pointerTo(...path));
