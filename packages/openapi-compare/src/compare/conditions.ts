/** What conditions of rules are made of: which side narrows, what is lost, and what a part has to say. */
import type { Side } from '@specwright/contract/proofs';
import type { Facts, Part } from './part.ts';
import type { RuleName } from './rules.ts';

export interface Judged {
  /** The values of a fact; of a part, the part. */
  readonly before: unknown;
  readonly after: unknown;
  /** Who sends it; `undefined` for what is no value. */
  readonly side: Side | undefined;
  /** The facts of the part that it is about; for an added or a removed part, those of the part around it. */
  readonly former: Facts;
  readonly beside: Facts;
  readonly now: Date;
  /** Of a part: the keys of the parts beside it, now. */
  readonly siblings: readonly string[];
  /** Of alternatives: whether each requires other constants of a property, now. */
  readonly isToldBy?: ((property: string) => boolean) | undefined;
}

export interface BrokenRule {
  readonly rule: RuleName;
  readonly sides: readonly Side[];
  /** Whether it is about which values are valid: nothing breaks if all that were valid still are. */
  readonly isOfValues: boolean;
}

export type Condition = (judged: Judged) => RuleName | undefined;
/** `values` is about which values are valid. A text is the reason why no difference breaks anybody. */
export type Entry = { readonly values: Condition } | { readonly rule: Condition } | string;

/** Facts that are sets: what they gained and lost is told apart. */
export const SETS: readonly string[] = ['values', 'names of types', 'tags', 'servers'];

/** The fact of a schema that accepts less, though no keyword tells. */
export const UNPROVED = 'accepted values';

export const valueOf = (facts: Facts, name: string): unknown => facts[name]?.value;
export const always =
  (rule: RuleName): Condition =>
  () =>
    rule;
const onSide =
  (side: Side) =>
  (test: (judged: Judged) => boolean, rule: RuleName): Condition =>
  (judged) =>
    judged.side === side && test(judged) ? rule : undefined;
export const [sent, received] = [onSide('sent'), onSide('received')];
export const gone = ({ before, after }: Judged) => before === true && after !== true;
export const come = ({ before, after }: Judged) => before !== true && after === true;
export const changed = (rule: RuleName): Entry => ({ rule: always(rule) });

/** What narrows the values breaks who sends them, and what widens them who receives them. */
export const narrows =
  (rule: RuleName, test: (before: unknown, after: unknown) => boolean): Condition =>
  ({ before, after, side }) =>
    (side === 'sent' && test(before, after)) || (side === 'received' && test(after, before)) ? rule : undefined;

export const CONSTRAINT = 'schema-constraint-changed';
const orElse = (value: unknown, none: number) => (value as number | undefined) ?? none;
export const isLowered = (before: unknown, after: unknown) => orElse(after, Infinity) < orElse(before, Infinity);
export const lower: Entry = { values: narrows(CONSTRAINT, (before, after) => orElse(after, -Infinity) > orElse(before, -Infinity)) };
export const upper: Entry = { values: narrows(CONSTRAINT, isLowered) };
/** Any other value may be narrower. */
export const other: Entry = { values: narrows(CONSTRAINT, (_before, after) => after !== undefined) };
export const flag: Entry = { values: narrows(CONSTRAINT, (before, after) => before !== true && after === true) };

const isTypeOf = (type: string, types: readonly string[]) => types.includes(type) || (type === 'integer' && types.includes('number'));
const typesOf = (value: unknown) => (typeof value === 'string' ? value.split(' or ') : undefined);
export const losesType = (before: unknown, after: unknown): boolean => {
  const [old, current] = [typesOf(before), typesOf(after)];
  return current !== undefined && (old === undefined || !old.every((type) => isTypeOf(type, current)));
};
/** The format of an integer and that of a number differ with the type, which tells it. */
export const isFormatOfType = ({ former, beside }: Judged) =>
  [former, beside]
    .map((facts) => valueOf(facts, 'type'))
    .sort()
    .join() === 'integer,number';

export const isRequiredIn = (facts: Facts) => valueOf(facts, 'required') === true;
export const isRequiredPart = ({ after }: Judged) => isRequiredIn((after as Part).facts);

/** What can be written in one way alone has no style. */
export const isWrittenOtherwise: Condition = ({ before, after }) =>
  before === undefined || after === undefined ? undefined : 'parameter-serialization-changed';

/** From the strongest promise to the weakest. */
export const STABILITY = ['stable', 'beta', 'experimental'];

/** A day in ms; infinitely late for what is none. */
export const dayOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : Infinity);

/** Whether a type that was allowed is none, and in no range, that is allowed now. */
export const losesMedia = (before: unknown, after: unknown): boolean => {
  const [old, current] = [before, after].map((types) =>
    typeof types === 'string' ? types.split(',').map((type) => type.trim().toLowerCase()) : undefined,
  );
  return current !== undefined && old !== undefined && !old.every((type) => current.some((range) => isInRange(type, range)));
};
export const isInRange = (type: string, range: string) =>
  range === '*/*' || type === range || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));
