/** Joins the changes of two documents with those that break clients: what breaks, the impact, and the recorded reasons. */
import { pointerKeys } from '@specwright/contract/document';
import type { DetectedBreak } from '../breaking/changed-defaults.ts';
import type { BreakingChange, DetectedChange } from '../breaking/change.ts';
import type { Record as BreakingRecord } from '../breaking/records.ts';
import type { ClientChange } from './list-changes.ts';

/** What a client meets. */
export interface Break {
  readonly rule: string;
  readonly impact: string;
  /** Why it was made, as recorded in breaking-changes.yaml. */
  readonly reasons: readonly string[];
}

export interface ChangelogChange extends ClientChange {
  readonly breaking?: Break;
}

/**
 * Each break belongs to the changes at its pointers; one without such a change is a change by itself.
 *
 * @param records those that the base has not.
 */
export function addBreaking(
  changes: readonly ClientChange[],
  breaks: readonly DetectedBreak[],
  records: readonly BreakingRecord[],
): ChangelogChange[] {
  const found = new Map<ClientChange, Break>();
  const unmatched: ChangelogChange[] = [];
  for (const { change, detected } of breaks) {
    const { rule, impact } = change;
    const breaking = { rule, impact, reasons: reasonsOf(change, records) };
    const matched = detected.flatMap((one) => matching(one, changes));
    for (const one of matched) if (!found.has(one)) found.set(one, breaking);
    if (matched.length > 0) continue;
    unmatched.push({ kind: 'changed', where: '', what: change.change.replace(/\.$/, ''), operations: [], base: [], working: [], breaking });
  }
  return [
    ...changes.map((change) => {
      const breaking = found.get(change);
      return breaking === undefined ? change : { ...change, breaking };
    }),
    ...unmatched,
  ];
}

/** Of the record of this change; or, as other changes have come since it was recorded, of those that name a part of it. */
function reasonsOf({ rule, at, change }: BreakingChange, records: readonly BreakingRecord[]): string[] {
  const there = records.filter((record) => record.rule === rule && record.at === at);
  const exact = there.filter((record) => record.change === change);
  const quoted = (text: string): readonly string[] => text.match(/'[^']*'/g) ?? [];
  // One that quotes no value is not told apart by its values.
  const ofPart = there.filter(({ change: recorded }) => {
    const values = quoted(recorded);
    return values.length === 0 || values.some((value) => quoted(change).includes(value));
  });
  return (exact.length > 0 ? exact : ofPart).map(({ reason }) => reason.replace(/\s+/g, ' ').trim());
}

type Keys = readonly string[];
const isWithin = (inner: Keys, outer: Keys) => inner.length >= outer.length && outer.every((key, i) => inner[i] === key);

/** The changes at the pointers of a break; if there is none, at the part around it, or else those within it. */
function matching({ rule, message, base, working }: DetectedChange, changes: readonly ClientChange[]): readonly ClientChange[] {
  const pointers = [base, working].map((pointer) => (pointer === undefined ? undefined : pointerKeys(pointer)));
  const select = (test: (of: Keys, at: Keys) => boolean) =>
    changes.filter((change) =>
      [change.base, change.working].some((own, side) => {
        const at = pointers[side];
        return at !== undefined && own.some((pointer) => test(pointerKeys(pointer), at));
      }),
    );
  const isNear = (a: Keys, b: Keys) => Math.abs(a.length - b.length) <= 2;
  const same = select((of, at) => of.length === at.length && isWithin(of, at));
  const around = same.length > 0 ? same : select((of, at) => isWithin(at, of) && isNear(of, at) && of.length > 1);
  const near = around.length > 0 ? around : select((of, at) => isWithin(of, at) && isNear(of, at) && at.length > 1);
  const kind = /-(added|removed)$/.exec(rule)?.[1];
  const ofKind = near.filter((change) => change.kind === kind);
  const candidates = ofKind.length > 0 ? ofKind : near;
  // Of several at one list, those that the message names.
  const names = [...message.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name}\``);
  const named = candidates.filter(({ where, what }) => names.some((name) => `${where} ${what}`.includes(name)));
  return named.length > 0 ? named : candidates;
}
