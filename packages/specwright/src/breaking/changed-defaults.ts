/** Reports a change of `x-operation-defaults` once, at its line, and not at each operation that it changes. */
import { isDeepStrictEqual } from 'node:util';
import { plural } from '@specwright/server/command';
import { pointerKeys, pointerTo, type SourceDocument } from '@specwright/contract/document';
import type { BreakingChange, DetectedChange } from './change.ts';

const KEY = 'x-operation-defaults';

/** A change as it is detected, and as it is reported. */
export type Reported = readonly [DetectedChange, BreakingChange];

/** A change as it is reported, and as it was detected: in several places, if one change of an entry makes it there. */
export interface DetectedBreak {
  readonly change: BreakingChange;
  readonly detected: readonly DetectedChange[];
}

/**
 * The changes, where those that one change of an entry makes in several operations are one.
 *
 * @param formatSubject the operation of a pointer, to begin a sentence with.
 */
export function mergeChangedDefaults(
  base: SourceDocument,
  working: SourceDocument,
  changes: readonly Reported[],
  formatSubject: (pointer: string) => string,
): DetectedBreak[] {
  const alone = ([detected, change]: Reported): DetectedBreak => ({ change, detected: [detected] });
  // Else the cause is in the operations: another parameter, a condition that they no longer meet, an opt-out.
  if (isDeepStrictEqual(base.written[KEY], working.written[KEY])) return changes.map(alone);
  const groups = new Map<unknown, Reported[]>();
  for (const reported of changes) {
    const [{ rule, message }] = reported;
    const origin = originOf(base, working, reported[0]);
    const key = origin === undefined ? reported : `${rule} ${message} ${origin}`;
    groups.set(key, [...(groups.get(key) ?? []), reported]);
  }
  return [...groups.values()].map((group) => {
    const [first] = group as [Reported, ...Reported[]];
    const [detected, change] = first;
    const origin = originOf(base, working, detected);
    if (origin === undefined) return alone(first);
    const subjects = new Set(group.map(([{ base: before, working: after }]) => formatSubject(after ?? before ?? '#')));
    const more = subjects.size === 1 ? '' : `, and in ${plural(subjects.size - 1, 'more place')}`;
    const keys = pointerKeys(origin);
    const merged = {
      ...change,
      change: change.change.replace(/\.$/, `${more}.`),
      at: origin,
      // Behind an entry that was added or removed another one has this index.
      working: working.locate(detected.working === undefined && lengthOf(base) !== lengthOf(working) ? [KEY] : keys),
    };
    return { change: merged, detected: group.map(([one]) => one) };
  });
}

const lengthOf = ({ written }: SourceDocument): number => (Array.isArray(written[KEY]) ? written[KEY].length : 0);

/** The pointer of what was changed in an entry; `undefined` for a change elsewhere. */
function originOf(base: SourceDocument, working: SourceDocument, change: DetectedChange): string | undefined {
  const [source, pointer] = change.working === undefined ? [base, change.base] : [working, change.working];
  const path = source.writtenAt(pointerKeys(pointer ?? '#'));
  return path[0] === KEY ? pointerTo(...path) : undefined;
}
