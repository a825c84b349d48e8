/** What the operations of a document refer to, and which of them are as they were with all of it. */
import { isDeepStrictEqual } from 'node:util';
import { type Document, isObject, pointerKeys, valueAt } from '@specwright/contract/document';
import { canonicalPointer } from '@specwright/contract/proofs';
import type { NamedOperation, PlacedOperation } from './operation-part.ts';

/** What else a document says of all its operations. */
const OF_ALL = ['security', 'servers', 'x-body-limit'] as const;

/**
 * Most operations are as they were, with all that they refer to: those need not be taken apart.
 *
 * @returns whether an operation of the one document is, to the letter, that of the other.
 */
export function unchangedOperations(before: Document, after: Document): (former: NamedOperation, placed: NamedOperation) => boolean {
  if (!OF_ALL.every((key) => isDeepStrictEqual(before[key], after[key]))) return () => false;
  const isSame = (one: unknown, other: unknown) => one === other || JSON.stringify(one) === JSON.stringify(other);
  const references = referencesWithin(after);
  const compared = new Map<string, boolean>();
  const isSameAt = (pointer: string): boolean => {
    const known = compared.get(pointer);
    if (known !== undefined) return known;
    const [old, current] = [before, after].map((document) => valueAt(document, pointerKeys(pointer)));
    const result = isSame(old, current);
    compared.set(pointer, result);
    return result;
  };
  return (former, placed) => {
    const own = [former, placed].map(({ name, path, item: { parameters, servers }, operation }) => [
      { name, path, parameters, servers },
      operation,
    ]);
    if (!isSame(own[0], own[1])) return false;
    const reached = new Set([...references(placed.operation), ...references(placed.item.parameters)]);
    // A set grows while it is read.
    for (const pointer of reached) {
      if (!isSameAt(pointer)) return false;
      for (const next of references(valueAt(after, pointerKeys(pointer)))) reached.add(next);
    }
    return true;
  };
}

export interface Reach {
  readonly sent: Set<string>;
  readonly received: Set<string>;
}

/** @returns the operations by the pointer of what they refer to. */
export function reachOf(document: Document, operations: ReadonlyMap<string, PlacedOperation>): ReadonlyMap<string, Reach> {
  const reach = new Map<string, Reach>();
  const references = referencesWithin(document);
  const follow = (values: readonly unknown[], name: string, side: keyof Reach) => {
    const queue = values.flatMap((value) => [...references(value)]);
    for (let pointer = queue.pop(); pointer !== undefined; pointer = queue.pop()) {
      const entry = reach.get(pointer) ?? { sent: new Set<string>(), received: new Set<string>() };
      reach.set(pointer, entry);
      if (entry[side].has(name)) continue;
      entry[side].add(name);
      queue.push(...references(valueAt(document, pointerKeys(pointer))));
    }
  };
  for (const [name, { item, operation, isIncoming }] of operations) {
    const [request, response] = isIncoming ? (['sent', 'received'] as const) : (['received', 'sent'] as const);
    follow([item.parameters, operation.parameters, operation.requestBody], name, request);
    follow([operation.responses], name, response);
    // What the server sends is received.
    follow([operation.callbacks], name, response);
  }
  return reach;
}

/** The references in a value, each read once. */
function referencesWithin(document: Document): (value: unknown) => ReadonlySet<string> {
  const found = new Map<unknown, ReadonlySet<string>>();
  const collect = (value: unknown, into: Set<string>): void => {
    if (Array.isArray(value)) return value.forEach((part) => collect(part, into));
    if (!isObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && $ref.startsWith('#/') && valueAt(document, pointerKeys($ref)) !== undefined)
      into.add(canonicalPointer($ref));
    for (const part of Object.values(value)) collect(part, into);
  };
  return (value) => {
    const known = found.get(value);
    if (known !== undefined) return known;
    const into = new Set<string>();
    collect(value, into);
    found.set(value, into);
    return into;
  };
}
