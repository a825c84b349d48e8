/** A part of a document as clients see it, and what differs between two of them: one comparison for operations, parameters, bodies and schemas. */
import { isDeepStrictEqual } from 'node:util';

/** What can be said of a part in one value. `pointer` is where the document says it. */
export interface Fact {
  readonly value: unknown;
  readonly pointer: string;
}

export type Facts = Readonly<Record<string, Fact>>;

/** A step on the way to a part. Those of a path are joined: `.owner`, `[]`. */
export interface Segment {
  readonly text: string;
  readonly isPath?: boolean;
}

export interface Part {
  /** `undefined` if it needs no name: the schema of a parameter. */
  readonly segment: Segment | undefined;
  /** Whether it is named only where it was added or removed: it is the only one of its kind. */
  readonly isOnly?: boolean;
  readonly pointer: string;
  readonly facts: Facts;
  /** The pointers of the schemas that it refers to. What they say is not in `facts` and `parts`. */
  readonly references: readonly string[];
  /** The parts in it, by what makes them the same in both documents. */
  readonly parts: () => ReadonlyMap<string, Part>;
  /** The same part, with what its references say. */
  readonly expand: () => Part;
}

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
}

export const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && 'expand' in value;

/** Compares parts, and notes the schemas that both sides refer to, which are compared once. */
export class PartComparison {
  /** Pointers of schemas that both documents refer to at the same place. */
  readonly shared = new Set<string>();
  readonly #expanded = new Map<string, readonly Difference[]>();

  compare(before: Part, after: Part): readonly Difference[] {
    if (isDeepStrictEqual(before.references, after.references)) {
      for (const reference of after.references) this.shared.add(reference);
      return this.#compareOwn(before, after);
    }
    const key = `${before.pointer} ${after.pointer} ${before.references.join()} ${after.references.join()}`;
    const known = this.#expanded.get(key);
    if (known !== undefined) return known;
    // A schema within itself adds nothing to what it is compared with already.
    this.#expanded.set(key, []);
    const found = this.#compareOwn(before.expand(), after.expand());
    this.#expanded.set(key, found);
    return found;
  }

  #compareOwn(before: Part, after: Part): Difference[] {
    return [...differentFacts(before, after), ...this.#differentParts(before, after)];
  }

  #differentParts(before: Part, after: Part): Difference[] {
    const [old, current] = [before.parts(), after.parts()];
    const removed = [...old].flatMap(([key, part]) => (current.has(key) ? [] : [part]));
    return [
      ...[...current].flatMap(([key, part]): Difference[] => {
        const former = old.get(key);
        if (former === undefined) return [{ where: [], after: part, working: part.pointer, former: {}, beside: part.facts }];
        return this.compare(former, part).map((one) => ({
          ...one,
          where: [...(part.segment && part.isOnly !== true ? [part.segment] : []), ...one.where],
        }));
      }),
      ...removed.map((part): Difference => ({ where: [], before: part, base: part.pointer, former: part.facts, beside: {} })),
    ];
  }
}

function differentFacts({ facts: before }: Part, { facts: after }: Part): Difference[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((fact): Difference[] => {
    const [old, current] = [before[fact], after[fact]];
    if (isDeepStrictEqual(old?.value, current?.value)) return [];
    return [
      {
        where: [],
        fact,
        before: old?.value,
        after: current?.value,
        former: before,
        beside: after,
        ...(old && { base: old.pointer }),
        ...(current && { working: current.pointer }),
      },
    ];
  });
}
