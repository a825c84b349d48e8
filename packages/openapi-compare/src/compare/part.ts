/** A part of a contract as clients see it: an operation, a parameter, a body, a schema. */
import { isObject, pointerTo, type Schema } from '@specwright/contract/document';
import type { Side } from '@specwright/contract/proofs';

/** What is judged by the same rules. */
export type PartKind =
  | 'document'
  | 'scheme'
  | 'limits'
  | 'plan'
  | 'operationLimit'
  | 'operation'
  | 'parameter'
  | 'body'
  | 'media'
  | 'items'
  | 'response'
  | 'header'
  | 'link'
  | 'schema'
  | 'property'
  | 'alternative';

/** What can be said of a part in one value. `pointer` is where the document says it. */
export interface Fact {
  readonly value: unknown;
  readonly pointer: string;
  /** Of a list: where one of its values is that the other document lacks. @param others those of the other document. */
  readonly at?: (value: string, others: readonly string[]) => string;
}

export type Facts = Readonly<Record<string, Fact>>;

/** A step on the way to a part. Those of a path are joined: `.owner`, `[]`. */
export interface Segment {
  readonly text: string;
  readonly isPath?: boolean;
}

export interface Part {
  readonly kind: PartKind;
  /** `undefined` if it needs no name: the schema of a parameter. */
  readonly segment: Segment | undefined;
  /** Whether it is named only where it was added or removed: it is the only one of its kind. */
  readonly isOnly?: boolean;
  readonly pointer: string;
  /** Where it is referred to, or `pointer`. */
  readonly place?: string;
  readonly facts: Facts;
  /** Who sends it, if that is not as of the part around it; `null` where a narrower part is no narrower whole. */
  readonly side?: Side | null;
  readonly schema?: Schema;
  /** Whether its values are sent as texts: in a parameter, a header or a form. */
  readonly isText?: boolean;
  /** Of an alternative: whether a value may be no other one, which nothing but the alternatives tell. */
  readonly isExclusive?: boolean;
  /** Of alternatives: whether each requires other constants of a property. */
  readonly isToldBy?: (property: string) => boolean;
  /** The pointers of the schemas that it refers to. What they say is not in `facts` and `parts`. */
  readonly references: readonly string[];
  /** The parts in it, by what makes them the same in both documents. */
  readonly parts: () => ReadonlyMap<string, Part>;
  /** The same part, with what its references say. */
  readonly expand: () => Part;
}

export const isPart = (value: unknown): value is Part => typeof value === 'object' && value !== null && 'expand' in value;

/** A part without references. */
export function plainPart(
  kind: PartKind,
  pointer: string,
  {
    text,
    facts = {},
    parts = () => new Map(),
    ...more
  }: { text?: string } & Partial<Pick<Part, 'facts' | 'parts' | 'side' | 'place'>> = {},
): Part {
  const segment = text === undefined ? undefined : { text };
  const made: Part = { kind, segment, pointer, facts, references: [], parts, expand: () => made, ...more };
  return made;
}

export const childPointer = (pointer: string, ...keys: readonly (string | number)[]): string => pointer + pointerTo(...keys).slice(1);

/** Each value in an object as a fact, named by its keys. */
export function flatFacts(value: unknown, pointer: string, name = ''): Facts {
  if (!isObject(value)) return { [name]: { value, pointer } };
  const entries = Object.entries(value).filter(([key]) => key !== 'description');
  return Object.fromEntries(
    entries.flatMap(([key, inner]) => Object.entries(flatFacts(inner, childPointer(pointer, key), name === '' ? key : `${name}.${key}`))),
  );
}
