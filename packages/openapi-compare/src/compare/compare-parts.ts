/** What differs between two parts, and how it breaks clients: one comparison for operations, parameters, bodies and schemas. */
import { isDeepStrictEqual } from 'node:util';
import type { Document, Schema } from '@specwright/contract/document';
import { type Side, ValueSets } from '@specwright/contract/proofs';
import type { Fact, Facts, Part, Segment } from './part.ts';
import { textSchema } from './text-schema.ts';
import { SETS, UNPROVED, type BrokenRule, type Judged } from './conditions.ts';
import { judgeFact, judgePart } from './rule-conditions.ts';
import { isWarning } from './rules.ts';

/** A fact, or a part, that only one side has or that differs. A side that has nothing has no pointer. */
export interface Difference {
  /** From the subject of the comparison; of a part that was added or removed, to the part around it. */
  readonly where: readonly Segment[];
  /** The name of the fact; `undefined` for a part. */
  readonly fact?: string;
  /** The values of the fact, or the part. */
  readonly before?: unknown;
  readonly after?: unknown;
  /** All facts of the part that it is about, before and now. */
  readonly former: Facts;
  readonly beside: Facts;
  readonly base?: string;
  readonly working?: string;
  readonly brokenRule?: BrokenRule | undefined;
  /** The references that were exchanged for each other, if it is within them. */
  readonly exchanged?: { readonly base: string; readonly working: string; readonly targets: readonly string[] };
}

const isComponent = ({ kind, pointer }: Part): boolean => (kind === 'response' || kind === 'header') && pointer.startsWith('#/components/');

/** Compares parts, and notes the schemas that both sides refer to, which are compared once for each side. */
export class PartComparison {
  /** Pointers of schemas that both documents refer to at the same place, with who sends them. */
  readonly shared = new Map<string, { readonly pointer: string; readonly side: Side | undefined }>();
  readonly #expanded = new Map<string, readonly Difference[]>();
  readonly #components = new Map<string, readonly Difference[]>();
  readonly #sets: Readonly<Record<Side, ValueSets>>;
  readonly #before: Document;
  readonly #now: Date;

  /** @param now decides which operations are past their sunset. */
  constructor(before: Document, after: Document, now: Date) {
    this.#now = now;
    this.#before = before;
    this.#sets = {
      sent: new ValueSets(before, after, 'sent', (pointer) => this.#share(pointer, 'sent')),
      received: new ValueSets(after, before, 'received', (pointer) => this.#share(pointer, 'received')),
    };
  }

  #share(pointer: string, side: Side | undefined): void {
    this.shared.set(`${pointer} ${side}`, { pointer, side });
  }

  compare(before: Part, after: Part, around?: Side, isWithinSchema = false): readonly Difference[] {
    const side = sideOf(after, around);
    if (isComponent(before) && isComponent(after)) return this.#compareOnce(before, after, side);
    if (isDeepStrictEqual(before.references, after.references) && !this.#acceptsTexts(before, after, side)) {
      for (const reference of after.references) this.#share(reference, side);
      return this.#judged(before, after, side, isWithinSchema, this.#compareOwn(before, after, side));
    }
    const key = `${before.pointer} ${after.pointer} ${before.references.join()} ${after.references.join()} ${side}`;
    const known = this.#expanded.get(key);
    if (known !== undefined) return known;
    // A schema within itself adds nothing to what it is compared with already.
    this.#expanded.set(key, []);
    const exchanged = { base: before.pointer, working: after.pointer, targets: [...before.references, ...after.references] };
    const own = this.#compareOwn(before.expand(), after.expand(), side).map((one) => ({ exchanged, ...one }));
    const found = this.#judged(before, after, side, isWithinSchema, own);
    this.#expanded.set(key, found);
    return found;
  }

  /** What many operations refer to, such as the response to an error, is the same in each of them. */
  #compareOnce(before: Part, after: Part, side: Side | undefined): readonly Difference[] {
    const key = `${before.kind} ${before.pointer} ${after.pointer} ${side}`;
    const found = this.#components.get(key) ?? this.#compareOwn(before, after, side);
    this.#components.set(key, found);
    return found;
  }

  /** Without the breaks of what accepts the same after all; with one, if something is refused that no difference tells. */
  #judged(before: Part, after: Part, side: Side | undefined, isWithinSchema: boolean, found: readonly Difference[]): readonly Difference[] {
    if (side === undefined || before.schema === undefined || after.schema === undefined) return found;
    if (found.length === 0 && isWithinSchema) return found;
    const [narrow, wide] = side === 'sent' ? [before.schema, after.schema] : [after.schema, before.schema];
    if (this.#acceptsTexts(before, after, side) || this.#sets[side].accepts(narrow, wide))
      return found.map((one) => (one.brokenRule?.isOfValues === true ? { ...one, brokenRule: undefined } : one));
    if (found.some(({ brokenRule }) => brokenRule !== undefined && !isWarning(brokenRule.rule))) return found;
    const at = { base: before.pointer, working: after.pointer, former: before.facts, beside: after.facts };
    const keywords = differentKeywords(before.schema, after.schema);
    return [...found, { where: [], fact: UNPROVED, after: keywords, ...at, brokenRule: judgeFact('schema', UNPROVED, { side } as Judged) }];
  }

  /** Whether the texts of all values that are sent are valid, though not all values are: that of an integer is a string. */
  #acceptsTexts(before: Part, after: Part, side: Side | undefined): boolean {
    if (side !== 'sent' || before.isText !== true || after.isText !== true || !before.schema || !after.schema) return false;
    const text = textSchema(this.#before, before.schema);
    const { sent } = this.#sets;
    return text !== before.schema && !sent.acceptsStrictly(before.schema, after.schema) && sent.acceptsStrictly(text, after.schema);
  }

  #compareOwn(before: Part, after: Part, side: Side | undefined): Difference[] {
    return [...this.#differentFacts(before, after, side), ...this.#differentParts(before, after, side)];
  }

  #differentParts(before: Part, after: Part, side: Side | undefined): Difference[] {
    const current = after.parts();
    const old = this.#renamed(before.parts(), current);
    const judged = { former: before.facts, beside: after.facts, now: this.#now, siblings: [...current.keys()] };
    const removed = [...old].flatMap(([key, part]) => (current.has(key) ? [] : [part]));
    return [
      ...[...current].flatMap(([key, part]): readonly Difference[] => {
        const former = old.get(key);
        if (former === undefined) {
          const brokenRule =
            side === 'sent' && this.#overlaps(part, old)
              ? OVERLAP
              : judgePart(part.kind, 'added', { ...judged, before: undefined, after: part, side: sideOf(part, side) });
          return [{ where: [], after: part, working: part.place ?? part.pointer, former: {}, beside: part.facts, brokenRule }];
        }
        return this.compare(former, part, side, after.schema !== undefined).map((one) => ({
          ...one,
          where: [...(part.segment && part.isOnly !== true ? [part.segment] : []), ...one.where],
        }));
      }),
      ...removed.map((part): Difference => {
        const brokenRule = judgePart(part.kind, 'removed', { ...judged, before: part, after: undefined, side: sideOf(part, side) });
        return { where: [], before: part, base: part.place ?? part.pointer, former: part.facts, beside: {}, brokenRule };
      }),
    ];
  }

  /** The former parts, where an alternative of another name, which is the same, has its new one. */
  #renamed(old: ReadonlyMap<string, Part>, current: ReadonlyMap<string, Part>): ReadonlyMap<string, Part> {
    const added = new Map([...current].filter(([key, { kind }]) => kind === 'alternative' && !old.has(key)));
    if (added.size === 0) return old;
    return new Map(
      [...old].map(([key, part]) => {
        if (current.has(key) || part.kind !== 'alternative') return [key, part];
        const [name] = [...added].find(([, one]) => this.#sets.sent.isSame(part.schema, one.schema)) ?? [];
        if (name !== undefined) added.delete(name);
        return [name ?? key, part];
      }),
    );
  }

  /** Whether values of an alternative that was there are valid in a new one too: of `oneOf` only one may be. */
  #overlaps({ isExclusive, schema }: Part, old: ReadonlyMap<string, Part>): boolean {
    if (isExclusive !== true || schema === undefined) return false;
    const { sent } = this.#sets;
    return [...old.values()].some((former) => former.isExclusive === true && former.schema && sent.overlaps(former.schema, schema));
  }

  #differentFacts({ kind, facts: before }: Part, { facts: after, isToldBy }: Part, side: Side | undefined): Difference[] {
    const judged = { former: before, beside: after, side, now: this.#now, siblings: [], isToldBy };
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((fact): Difference[] => {
      const [old, current] = [before[fact], after[fact]];
      if (isDeepStrictEqual(old?.value, current?.value)) return [];
      const at = {
        where: [],
        fact,
        former: before,
        beside: after,
        ...(old && { base: old.pointer }),
        ...(current && { working: current.pointer }),
      };
      return halves(fact, old?.value, current?.value).map(([from, to]) => ({
        ...at,
        ...placesOf(old, current, from, to),
        before: from,
        after: to,
        brokenRule: judgeFact(kind, fact, { ...judged, before: from, after: to }),
      }));
    });
  }
}

/** Of a list that says where its values are: where the first is that the other side lacks. */
function placesOf(old: Fact | undefined, current: Fact | undefined, before: unknown, after: unknown): { base?: string; working?: string } {
  const [from, to] = [before, after].map((list) => (Array.isArray(list) ? (list as string[]) : [])) as [string[], string[]];
  const gained = to.find((value) => !from.includes(value));
  const lost = from.find((value) => !to.includes(value));
  return {
    ...(lost !== undefined && old?.at && { base: old.at(lost, to) }),
    ...(gained !== undefined && current?.at && { working: current.at(gained, from) }),
  };
}

/** The keywords that two schemas do not have alike. */
const differentKeywords = (before: Schema, after: Schema): string[] => {
  const [old, current] = [before, after] as unknown as Readonly<Record<string, unknown>>[];
  return Object.keys({ ...old, ...current }).filter((keyword) => !isDeepStrictEqual(old?.[keyword], current?.[keyword]));
};

const OVERLAP: BrokenRule = { rule: 'schema-combinator-changed', sides: ['sent'], isOfValues: false };

const sideOf = ({ side }: Part, around: Side | undefined) => (side === undefined ? around : (side ?? undefined));

/** Of a set that gained and lost values, what it gained and what it lost. */
function halves(fact: string, before: unknown, after: unknown): (readonly [before: unknown, after: unknown])[] {
  if (!SETS.includes(fact) || !Array.isArray(before) || !Array.isArray(after)) return [[before, after]];
  const kept = before.filter((value) => after.includes(value));
  return [
    ...(after.length > kept.length ? [[kept, after] as const] : []),
    ...(before.length > kept.length ? [[before, kept] as const] : []),
  ];
}
