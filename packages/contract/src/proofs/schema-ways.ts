/** The ways in which a value can be valid: a schema without compositions, references and conditions, as lists of keywords that all hold. */
import { isObject, pointerKeys, pointerTo, resolve, type Document, type Schema } from '../document/openapi.ts';
import { isTarget, tagsOf } from '../schema/discriminator-tags.ts';
import {
  alternativesOf,
  branchesOf,
  conditionOf,
  discriminatorOf,
  isReadOnly,
  isWriteOnly,
  propertiesOf,
  referenceOf,
  requiredOf,
} from '../schema/model.ts';

/** Whether clients send a value, or receive it. */
export type Side = 'sent' | 'received';

export type Keywords = Readonly<Record<string, unknown>>;
/** A schema, or the boolean that stands for one. */
export type Given = Schema | boolean;

/** A pointer as `pointerTo` writes it: the same one may be escaped in several ways. */
export const canonicalPointer = (pointer: string): string => pointerTo(...pointerKeys(pointer));

export interface Way {
  /** Keywords that all hold; none of them is a composition. */
  readonly parts: readonly Keywords[];
  /** The pointers of the schemas that it is made of, beside what is written in place. */
  readonly references: ReadonlySet<string>;
}

/** The schema that says what a part says, and the keyword, if it is of one alone. */
export interface PartSource {
  readonly schema: Schema;
  readonly keyword?: string;
}

/** Of more ways nothing is proved. */
const MAX_WAYS = 200;

/** Keywords that are written as ways, and `unevaluatedProperties`, which depends on the others. */
const COMPOSED = ['$ref', 'allOf', 'oneOf', 'anyOf', 'if', 'then', 'else', 'unevaluatedProperties'];

/** Reads the schemas of a model, with the meaning that they have where clients send or receive values. */
export class SchemaWays {
  readonly document: Document;
  readonly #side: Side;
  /** By the references whose content is not read. */
  readonly #ways = new WeakMap<ReadonlySet<string>, Map<Given, readonly Way[] | undefined>>();
  readonly #sources = new WeakMap<Keywords, PartSource>();

  constructor(document: Document, side: Side) {
    this.document = document;
    this.#side = side;
  }

  target(schema: Given): Given {
    return typeof schema === 'boolean' ? schema : resolve<Schema>(this.document, schema);
  }

  /** @param known references whose content is not read: something else holds that is at least as narrow. @returns `undefined` if there are too many. */
  of(schema: Given, known: ReadonlySet<string> = NONE): readonly Way[] | undefined {
    const key = known.size === 0 ? NONE : known;
    const ways = this.#ways.get(key) ?? new Map<Given, readonly Way[] | undefined>();
    this.#ways.set(key, ways);
    if (!ways.has(schema)) {
      // Within itself it says nothing more.
      ways.set(schema, [ANY]);
      ways.set(schema, this.#read(schema, key));
    }
    return ways.get(schema);
  }

  #read(schema: Given, known: ReadonlySet<string>): readonly Way[] | undefined {
    if (typeof schema === 'boolean') return schema ? [ANY] : [];
    const inner = (part: Given) => this.of(part, known);
    const own = this.#ownKeywords(schema);
    this.#sources.set(own, { schema });
    const reference = referenceOf(schema);
    let ways: readonly Way[] | undefined = [{ parts: [own], references: NONE }];
    if (reference !== undefined) ways = product(ways, this.#referred(canonicalPointer(reference), schema, known));
    for (const part of branchesOf(schema).allOf) ways = product(ways, inner(part));
    for (const keyword of ['oneOf', 'anyOf'] as const) {
      const parts = branchesOf(schema)[keyword];
      const rest = (index: number) => (keyword === 'oneOf' ? this.#noOther(schema, index) : ANY);
      const alternatives = parts.map((part, i) => product(product(inner(part), [this.#tagged(schema, part)]), [rest(i)]));
      if (parts.length > 0) ways = product(ways, union(alternatives));
    }
    const condition = conditionOf(schema);
    if (condition !== undefined) {
      const otherwise = { parts: [{ not: condition.if }], references: NONE };
      const then = product(inner(condition.if), inner(condition.then ?? true));
      ways = product(ways, union([then, product([otherwise], inner(condition.else ?? true))]));
    }
    const { unevaluatedProperties: rest } = schema as { unevaluatedProperties?: Given };
    return rest === undefined ? ways : ways?.map((way) => this.#closed(way, rest, schema));
  }

  /** What no part names is what `unevaluatedProperties` says. */
  #closed(way: Way, rest: Given, schema: Schema): Way {
    if (way.parts.some((part) => part['additionalProperties'] !== undefined)) return way;
    const names = way.parts.map(namesOnly);
    const all = (keyword: string): Keywords => Object.assign({}, ...names.map((part) => part[keyword])) as Keywords;
    const part = { properties: all('properties'), patternProperties: all('patternProperties'), additionalProperties: rest };
    this.#sources.set(part, { schema, keyword: 'unevaluatedProperties' });
    return { ...way, parts: [...way.parts, part] };
  }

  /** @returns `undefined` for a part that no schema has as it is. */
  sourceOf = (part: Keywords): PartSource | undefined => this.#sources.get(part);

  #referred(pointer: string, schema: Schema, known: ReadonlySet<string>): readonly Way[] | undefined {
    const target = resolve<Schema>(this.document, { $ref: referenceOf(schema) ?? pointer });
    const references = new Set([pointer]);
    if (!known.has(pointer)) return this.of(target, known)?.map((way) => ({ ...way, references: new Set([...way.references, pointer]) }));
    // Its names are still declared.
    const parts = [...new Set((this.of(target) ?? []).flatMap((way) => way.parts))].map(namesOnly);
    return [{ parts, references }];
  }

  /**
   * A request is valid in exactly one alternative, unless a discriminator chooses it. Clients read a response as any of them: what is valid in
   * two is nothing new to them.
   */
  #noOther(schema: Schema, index: number): Way {
    if (this.#side === 'received' || discriminatorOf(schema) !== undefined) return ANY;
    const others = branchesOf(schema).oneOf.filter((_other, i) => i !== index);
    return { parts: others.map((not) => ({ not })), references: NONE };
  }

  /** What a discriminator requires of one of the alternatives. */
  #tagged(schema: Schema, part: Schema): Way {
    const discriminator = discriminatorOf(schema);
    if (discriminator === undefined || !alternativesOf(schema).every((one) => referenceOf(one) !== undefined)) return ANY;
    const { propertyName, mapping, fallback } = discriminator;
    const tags = tagsOf(this.document, propertyName, mapping, part);
    // What has no value of another one.
    if (tags.length === 0 || (fallback !== undefined && isTarget(fallback.target, part))) return ANY;
    return { parts: [{ required: [propertyName], properties: { [propertyName]: { enum: tags } } }], references: NONE };
  }

  /** A request may omit what is `readOnly`, whose value is ignored; a response may omit what is `writeOnly` (OpenAPI 3.0.3, section 4.7.24.2). */
  #ownKeywords(schema: Schema): Keywords {
    const own = Object.fromEntries(Object.entries(schema as Keywords).filter(([keyword]) => !COMPOSED.includes(keyword)));
    const isOmitted = this.#side === 'sent' ? isReadOnly : isWriteOnly;
    const omitted = Object.entries(propertiesOf(schema)).filter(
      ([, property]) => isObject(property) && isOmitted(this.target(property) as Schema),
    );
    if (omitted.length === 0) return own;
    const names = omitted.map(([name]) => name);
    const replaced = this.#side === 'sent' ? Object.fromEntries(names.map((name) => [name, true])) : {};
    return {
      ...own,
      properties: { ...propertiesOf(schema), ...replaced },
      required: requiredOf(schema).filter((name) => !names.includes(name)),
    };
  }
}

const NONE: ReadonlySet<string> = new Set();
const ANY: Way = { parts: [], references: NONE };

function product(left: readonly Way[] | undefined, right: readonly Way[] | undefined): readonly Way[] | undefined {
  if (left === undefined || right === undefined || left.length * right.length > MAX_WAYS) return undefined;
  return left.flatMap((one) =>
    right.map((other) => ({
      // Of two references to one schema both have its parts.
      parts: [...new Set([...one.parts, ...other.parts])],
      references: other.references.size === 0 ? one.references : new Set([...one.references, ...other.references]),
    })),
  );
}

function union(lists: readonly (readonly Way[] | undefined)[]): readonly Way[] | undefined {
  const all: Way[] = [];
  for (const ways of lists) {
    if (ways === undefined || all.length + ways.length > MAX_WAYS) return undefined;
    all.push(...ways);
  }
  return all;
}

/** The names that a part declares, whatever their values. */
function namesOnly(part: Keywords): Keywords {
  const allowed = (keyword: string): Keywords => {
    const given = part[keyword];
    return isObject(given) ? Object.fromEntries(Object.keys(given).map((name) => [name, true])) : {};
  };
  const isOpen = part['additionalProperties'] !== undefined && part['additionalProperties'] !== false;
  return {
    properties: allowed('properties'),
    patternProperties: allowed('patternProperties'),
    ...(isOpen && { additionalProperties: true }),
  };
}
