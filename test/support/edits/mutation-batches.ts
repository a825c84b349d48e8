/** Makes mutations of the spec together, so that a gate runs once for many of them, and knows where each has ended up. */
import { SPEC } from '../service/schema-map.ts';
import type { Gates, Mutation } from './mutations.ts';

const FILE = 'spec/petstore.yaml';

export interface Batch {
  readonly text: string;
  /** The line that the gates have to name, and the lines that were changed, with all mutations and without any. */
  placeOf(mutation: Mutation): { readonly line: number; readonly changed: number; readonly before: number };
}

/**
 * Runs a gate on as few texts as possible. Those that have to leave it green are made without the others: nothing but
 * them can be the cause of what it then says.
 *
 * @param kindOf mutations of one kind are made together; of `undefined` the gate is not asked.
 * @returns the result for the batch that a mutation is in, and the batch.
 */
export function inBatches<T>(
  mutations: readonly Mutation[],
  kindOf: (gates: Gates) => string | undefined,
  run: (text: string) => T,
): (mutation: Mutation) => { readonly batch: Batch; readonly result: T } {
  const kinds = new Map<string, Mutation[][]>();
  for (const mutation of mutations) {
    const [name, , , , gates] = mutation;
    const kind = kindOf(gates);
    if (kind === undefined) continue;
    // After text that cannot be read nothing else is looked at; after a structure that is not OpenAPI's, none of its content.
    const key = gates.stage === 'syntax' ? name : `${kind} ${gates.stage ?? ''}`;
    const groups = kinds.get(key) ?? kinds.set(key, []).get(key) ?? [];
    const group = groups.find((others) => others.every((other) => areApart(other, mutation)));
    if (group === undefined) groups.push([mutation]);
    else group.push(mutation);
  }
  const made = new Map<Mutation, () => { batch: Batch; result: T }>();
  for (const group of [...kinds.values()].flat()) {
    let ran: { batch: Batch; result: T } | undefined;
    const once = () => {
      const batch = makeBatch(group);
      return (ran ??= { batch, result: run(batch.text) });
    };
    for (const mutation of group) made.set(mutation, once);
  }
  return (mutation) => {
    const once = made.get(mutation);
    if (once === undefined) throw new Error(`${mutation[0]} is in no batch`);
    return once();
  };
}

/** Whether they change other text, and none hides the other. */
function areApart(one: Mutation, other: Mutation): boolean {
  if (one[4].hiddenBy?.includes(other[0]) === true || other[4].hiddenBy?.includes(one[0]) === true) return false;
  const [a, b] = [rangeOf(one), rangeOf(other)];
  return a.end < b.start || b.end < a.start;
}

function makeBatch(mutations: readonly Mutation[]): Batch {
  const edits = mutations.map((mutation) => ({ mutation, ...rangeOf(mutation) })).sort((a, b) => a.start - b.start);
  let text = '';
  let from = 0;
  const offsets = new Map<Mutation, number>();
  for (const { mutation, start, end } of edits) {
    text += SPEC.slice(from, start);
    offsets.set(mutation, text.length);
    text += mutation[3];
    from = end;
  }
  text += SPEC.slice(from);
  return {
    text,
    placeOf(mutation) {
      const [, part, , , , at] = mutation;
      const changed = lineAt(text, offsets.get(mutation) ?? 0);
      return { line: at === undefined ? changed : lineReading(text, part, at), changed, before: lineAt(SPEC, rangeOf(mutation).start) };
    },
  };
}

/** What a mutation replaces. @throws Error if the spec does not have it. */
function rangeOf([name, part, from]: Mutation): { start: number; end: number } {
  const at = SPEC.indexOf(part);
  const start = SPEC.indexOf(from, at);
  if (at === -1 || start === -1) throw new Error(`${FILE} has no ${JSON.stringify(at === -1 ? part : from)}: adapt "${name}" to it`);
  return { start, end: start + from.length };
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** The first line from `part` on that reads `at`, without its indentation unless `at` has it. */
export function lineReading(text: string, part: string, at: string): number {
  // What was changed may be the part itself: then there is no other.
  const first = text.includes(part) ? lineAt(text, text.indexOf(part)) : lineAt(SPEC, SPEC.indexOf(part));
  return text.split('\n').findIndex((line, i) => i + 1 >= first && [line, line.trim()].includes(at)) + 1;
}
