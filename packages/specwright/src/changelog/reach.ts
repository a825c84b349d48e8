/** Which operations a schema is part of, through references, and whether clients send it, receive it, or both. */
import { isObject, pointerKeys, pointerTo, valueAt, type Document } from '@specwright/contract/document';
import type { PlacedOperation } from './operation-part.ts';

/** Operations by name. */
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
      into.add(pointerTo(...pointerKeys($ref)));
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
