/** References that name another component than before: what changed is the reference, not what it names. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, pointerKeys, pointerTo, resolve, type Document } from '@specwright/contract/document';

interface ExchangedReference {
  readonly pointer: string;
  readonly targets: readonly string[];
}

/**
 * Finds, for a pointer into a component that both documents have alike, the reference that was exchanged for one to it, or from it.
 *
 * @returns a function that gives the pointer of that reference; `undefined` for every other change.
 */
export function exchangedReferences(base: Document, working: Document): (pointer: string) => string | undefined {
  const exchanged = [...compare(base, working, [])];
  const componentOf = (document: Document, pointer: string) => resolve<object | undefined>(document, { $ref: pointer });
  const isUnchanged = (pointer: string) => {
    const [before, after] = [componentOf(base, pointer), componentOf(working, pointer)];
    return before === undefined || after === undefined || isDeepStrictEqual(before, after);
  };
  return (pointer) => {
    if (!pointer.startsWith('#/components/')) return undefined;
    const component = pointerTo(...pointerKeys(pointer).slice(0, 3));
    if (!isUnchanged(component)) return undefined;
    return exchanged.find(({ targets }) => targets.includes(component))?.pointer;
  };
}

/** The places where both documents have a `$ref`, each another one. */
function* compare(before: unknown, after: unknown, path: readonly string[]): Generator<ExchangedReference> {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (const [index, part] of before.entries()) yield* compare(part, after[index], [...path, String(index)]);
  } else if (isObject(before) && isObject(after)) {
    const [old, current] = [before['$ref'], after['$ref']];
    if (typeof old === 'string' && typeof current === 'string' && old !== current) {
      yield { pointer: pointerTo(...path), targets: [old, current].map((target) => pointerTo(...pointerKeys(target))) };
    }
    for (const [key, part] of Object.entries(before)) yield* compare(part, after[key], [...path, key]);
  }
}
