/** A schema as a part: its keywords as facts, its properties, items and alternatives as parts, its references by their pointers. */
import {
  alternativesOf,
  discriminatorOf,
  discriminatorTags,
  isDefinitions,
  isObject,
  pointerKeys,
  propertiesOf,
  referenceOf,
  requiredOf,
  resolve,
  resolveAt,
  schemaShape,
  SCHEMA_KEYWORDS,
  subschemasOf,
  titleOf,
  typesOf,
  valuesOf,
  type Document,
  type Schema,
} from '@specwright/contract/document';
import { canonicalPointer } from '@specwright/contract/proofs';
import { childPointer, type Fact, type Facts, type Part, type PartKind, type Segment } from './part.ts';

/** Keywords that say nothing of a value, or are read in another way than as one fact. */
const SKIPPED = new Set<string>([
  ...['description', 'title', 'summary', 'example', 'examples', 'externalDocs', 'xml', 'required', 'type', 'enum', 'const', 'nullable'],
  ...['discriminator', ...SCHEMA_KEYWORDS.list, ...SCHEMA_KEYWORDS.named, 'unevaluatedProperties', 'additionalProperties'],
]);

const isSchemaKeyword = (keyword: string) => (SCHEMA_KEYWORDS.one as readonly string[]).includes(keyword);

/** Extensions that clients notice. */
const EXTENSIONS = ['x-int64', 'x-date-time', 'x-max-bytes'];

/** What a keyword means that is left out. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  ...{ minLength: 0, minItems: 0, minProperties: 0, uniqueItems: false },
  ...{ readOnly: false, writeOnly: false, deprecated: false },
};

/** Keywords in whose schemas narrower is not narrower of the whole. */
const TURNED: readonly string[] = [
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'dependentSchemas',
  'contentSchema',
  'unevaluatedItems',
];

export interface SchemaPlace {
  readonly kind?: PartKind;
  readonly segment?: Segment;
  /** Whether narrower is not narrower of the whole. */
  readonly isTurned?: boolean;
  readonly isExclusive?: boolean;
  /** Facts that are not the schema's: whether a property is required. */
  readonly facts?: Facts;
}

/** @param pointer where the schema is, references to it followed. */
export function schemaPart(document: Document, schema: Schema, pointer: string, place: SchemaPlace = {}): Part {
  const { kind = 'schema', segment, facts = {}, isTurned = false, isExclusive = false } = place;
  const make = (isExpanded: boolean): Part => {
    const view = new SchemaView(document, isExpanded);
    view.add(schema, pointer);
    return {
      kind,
      segment,
      pointer,
      schema,
      ...(isTurned && { side: null }),
      isToldBy: (property) => areTold(constantsOf(document, schema, property)),
      isExclusive,
      facts: { ...view.facts(), ...facts },
      references: [...view.references].sort(),
      parts: () => view.parts(),
      expand: () => make(true),
    };
  };
  return make(false);
}

/** What a schema says by itself and by its `allOf`; if `isExpanded`, by its references, too. */
class SchemaView {
  readonly references = new Set<string>();
  readonly #document: Document;
  readonly #isExpanded: boolean;
  readonly #facts: Record<string, Fact> = {};
  readonly #required = new Map<string, string>();
  readonly #properties = new Map<string, readonly [Schema, pointer: string]>();
  readonly #others = new Map<string, readonly [SchemaPlace, Schema, pointer: string]>();
  readonly #seen = new Set<Schema>();

  constructor(document: Document, isExpanded: boolean) {
    this.#document = document;
    this.#isExpanded = isExpanded;
  }

  add(schema: Schema, pointer: string): void {
    if (this.#seen.has(schema)) return;
    this.#seen.add(schema);
    const reference = referenceOf(schema);
    if (reference !== undefined && !this.#isExpanded) this.references.add(canonicalPointer(reference));
    if (reference !== undefined && this.#isExpanded) {
      const target = resolveAt<Schema>(this.#document, { $ref: reference }, pointer);
      this.add(target.value, canonicalPointer(target.pointer));
    }
    this.#addFacts(schema, pointer);
    for (const name of requiredOf(schema)) this.#required.set(name, childPointer(pointer, 'required'));
    for (const [name, property] of Object.entries(propertiesOf(schema)))
      this.#properties.set(name, [property, childPointer(pointer, 'properties', name)]);
    this.#addParts(schema, pointer);
  }

  #addFacts(schema: Schema, pointer: string): void {
    const set = (name: string, value: unknown, ...keys: readonly string[]) =>
      (this.#facts[name] = { value, pointer: childPointer(pointer, ...(keys.length > 0 ? keys : [name])) });
    for (const [keyword, value] of Object.entries(schema as Record<string, unknown>)) {
      if (SKIPPED.has(keyword) || keyword.startsWith('$') || DEFAULTS[keyword] === value) continue;
      if (keyword.startsWith('x-') ? EXTENSIONS.includes(keyword) : !(isSchemaKeyword(keyword) && isObject(value))) set(keyword, value);
    }
    this.#addValues(schema, set);
    for (const keyword of ['additionalProperties', 'unevaluatedProperties'] as const)
      if ((schema as Record<string, unknown>)[keyword] === false) set('closed', true, keyword);
    const discriminator = discriminatorOf(schema);
    if (discriminator === undefined) return;
    const { propertyName, mapping } = discriminator;
    set('discriminator', propertyName, 'discriminator', 'propertyName');
    const place = childPointer(pointer, 'discriminator', 'mapping');
    this.#facts['names of types'] = {
      value: this.#namesOfTypes(schema, propertyName, mapping),
      pointer: Object.keys(mapping).length === 0 ? childPointer(pointer, 'discriminator') : place,
      at: (name) => (Object.hasOwn(mapping, name) ? childPointer(place, name) : childPointer(pointer, 'discriminator')),
    };
  }

  /** Constants of the property decide, if a discriminator names others. */
  #namesOfTypes(schema: Schema, property: string, mapping: Readonly<Record<string, string>>): string[] {
    const parts = alternativesOf(schema);
    const constants = constantsOf(this.#document, schema, property);
    const names = parts.flatMap((part, i) => {
      const tags = discriminatorTags(this.#document, property, mapping, part);
      return tags.length > 0 ? tags : (constants[i] ?? []).map(String);
    });
    return [...new Set(areTold(constants) ? names : [...names, ...Object.keys(mapping)])].sort();
  }

  #addValues(schema: Schema, set: (name: string, value: unknown, ...keys: readonly string[]) => void): void {
    const types = typesOf(schema);
    const values = valuesOf(schema)?.filter((value) => value !== null || !types.includes('null'));
    const named = types.filter((type) => type !== 'null');
    if (named.length > 0) set('type', [...named].sort().join(' or '));
    if (types.includes('null')) set(named.length > 0 ? 'nullable' : 'type', named.length > 0 || 'null', 'type');
    if (values !== undefined) set('values', values.map(format).sort(), 'enum' in schema ? 'enum' : 'const');
  }

  #addParts(schema: Schema, pointer: string): void {
    const all = subschemasOf(schema);
    const isAlternative = ([[keyword]]: (typeof all)[number]) => keyword === 'oneOf' || keyword === 'anyOf';
    const alternatives = all.filter(isAlternative);
    const isNull = ([, part]: (typeof all)[number]) => typesOf(part).join() === 'null';
    const rest = alternatives.filter((one) => !isNull(one));
    const [only] = rest;
    if (rest.length < alternatives.length)
      this.#facts['nullable'] = { value: true, pointer: childPointer(pointer, String(only?.[0][0] ?? 'anyOf')) };
    for (const [keys, part] of all) {
      const [keyword, name] = keys;
      const at = childPointer(pointer, ...keys);
      if (keyword === 'allOf') this.add(part, at);
      else if (keyword !== 'properties' && !isDefinitions(keyword) && !isAlternative([keys, part]))
        this.#others.set(keys.join(' '), [
          { segment: segmentOf(String(keyword), name), isTurned: TURNED.includes(String(keyword)) },
          part,
          at,
        ]);
    }
    // An alternative to null is the schema itself.
    if (only !== undefined && rest.length === 1 && alternatives.length === 2) return this.add(only[1], childPointer(pointer, ...only[0]));
    for (const [keys, part] of rest) this.#addAlternative(schema, part, childPointer(pointer, ...keys), keys[0] === 'oneOf');
  }

  #addAlternative(schema: Schema, part: Schema, pointer: string, isOne: boolean): void {
    const name = nameOf(part);
    const same = [...this.#others.keys()].filter((key) => key.replace(/ #\d+$/, '') === `alternative ${name}`).length;
    const key = `alternative ${name}${same === 0 ? '' : ` #${same + 1}`}`;
    const isExclusive = isOne && discriminatorOf(schema) === undefined;
    if (isExclusive) this.#facts['exclusive'] = { value: true, pointer: pointer.slice(0, pointer.lastIndexOf('/')) };
    this.#others.set(key, [{ kind: 'alternative', segment: { text: `alternative \`${name}\`` }, isExclusive }, part, pointer]);
  }

  /** With the properties that are required where they are not described: beside a reference. */
  facts(): Facts {
    const elsewhere = [...this.#required].filter(([name]) => !this.#properties.has(name));
    const facts = elsewhere.map(([name, pointer]) => [`requires ${name}`, { value: true, pointer }] as const);
    return { ...this.#facts, ...Object.fromEntries(facts) };
  }

  parts(): Map<string, Part> {
    const properties = [...this.#properties].map(([name, [schema, pointer]]) => {
      const required = { value: this.#required.has(name), pointer: this.#required.get(name) ?? pointer };
      const place: SchemaPlace = { kind: 'property', segment: { text: `.${name}`, isPath: true }, facts: { required } };
      return [`.${name}`, schemaPart(this.#document, schema, pointer, place)] as const;
    });
    const others = [...this.#others].map(
      ([key, [place, schema, pointer]]) => [key, schemaPart(this.#document, schema, pointer, place)] as const,
    );
    return new Map([...properties, ...others]);
  }
}

/** Of each alternative: the values that it lists of a property that it requires; `undefined` without a list. */
const constantsOf = (document: Document, schema: Schema, property: string): (readonly unknown[] | undefined)[] =>
  alternativesOf(schema).map((part) => {
    const { properties, required } = schemaShape(document, [part]);
    const lists = (properties.get(property) ?? []).flatMap((one) => [valuesOf(resolve<Schema>(document, one))]);
    return required.has(property) ? lists.find((list) => list !== undefined) : undefined;
  });

/** Whether there are several lists, and no value is in two. */
function areTold(lists: readonly (readonly unknown[] | undefined)[]): boolean {
  const values = lists.flatMap((list) => list ?? []);
  return lists.length > 0 && lists.every((list) => list !== undefined) && new Set(values).size === values.length;
}

/** How a subschema is named that is no property and no alternative. */
function segmentOf(keyword: string, name: string | number | undefined): Segment {
  if (keyword === 'items') return { text: '[]', isPath: true };
  if (keyword === 'prefixItems') return { text: `[${name}]`, isPath: true };
  if (keyword === 'patternProperties') return { text: `.{${name}}`, isPath: true };
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return { text: '.*', isPath: true };
  return { text: name === undefined ? `\`${keyword}\`` : `\`${keyword}\` of \`${name}\`` };
}

/** Of an alternative: that of its component, its title, or its type. */
function nameOf(schema: Schema): string {
  const reference = referenceOf(schema);
  if (reference !== undefined) return pointerKeys(reference).at(-1) ?? reference;
  return titleOf(schema) ?? valuesOf(schema)?.map(format).join(', ') ?? (typesOf(schema).join(' or ') || 'any');
}

const format = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
