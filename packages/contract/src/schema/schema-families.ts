/** Finds parents and children among the schemas of `components`: which schemas build on which by `allOf`, and what selects one of them. */
import { type Document, isObject, pointerKeys, resolve } from '../document/openapi.ts';

type Keywords = Readonly<Record<string, unknown>>;

/** A schema whose values are of one of several schemas, some of which build on it. */
export interface Parent {
  readonly name: string;
  /** The schemas that build on it, and become alternatives or parts of these. Those that are closed forbid undeclared properties as a whole. */
  readonly heirs: ReadonlyMap<string, { readonly isClosed: boolean }>;
  /** Whether not every alternative builds on it, so that its own keywords apply beside them. */
  readonly needsBase: boolean;
  /** Whether it forbids undeclared properties. */
  readonly isClosed: boolean;
  /** What the discriminator selects; `undefined` for a parent that lists its alternatives itself. */
  readonly alternatives?: Alternatives;
}

interface Alternatives {
  readonly propertyName: string;
  /** By the name of the schema, that of the parent included, the values that select it. */
  readonly tags: ReadonlyMap<string, readonly string[]>;
  /** The schema of objects that no value selects, by `defaultMapping` (OpenAPI 3.2). */
  readonly fallback: string | undefined;
  /** Whether the parent allows objects without the property. */
  readonly isOptional: boolean;
}

interface Discriminator {
  readonly propertyName: string;
  /** Value -> name of a schema. */
  readonly mapping: ReadonlyMap<string, string>;
  readonly fallback: string | undefined;
  /** Whether it is written in the schema itself, not in one that this builds on. */
  readonly isOwn: boolean;
}

export class SchemaFamilies {
  readonly #document: Document;
  readonly #schemas: Readonly<Record<string, unknown>>;
  readonly #isDraft: boolean;
  /** By name, the schemas that one builds on. */
  readonly #parents = new Map<string, ReadonlySet<string>>();
  readonly #children = new Map<string, Set<string>>();

  constructor(document: Document) {
    this.#document = document;
    const { schemas } = document.components ?? {};
    this.#schemas = isObject(schemas) ? schemas : {};
    this.#isDraft = /^3\.0/.test(document.openapi);
  }

  /** By their names. A schema that builds on itself is none: the search for rings reports it. */
  parents(): Map<string, Parent> {
    const found = new Map<string, Parent>();
    const names = Object.keys(this.#schemas);
    // Most documents have none.
    if (!names.some((name) => this.#ownPartsOf(name).some((part) => 'discriminator' in part))) return found;
    for (const name of names) {
      const extended = new Set(this.#extended(this.#schemas[name], true));
      if (extended.size === 0) continue;
      this.#parents.set(name, extended);
      for (const parent of extended) this.#children.set(parent, (this.#children.get(parent) ?? new Set()).add(name));
    }
    for (const name of names) {
      const parent = isUnion(this.#schemas[name]) ? this.#listing(name) : this.#selecting(name);
      if (parent !== undefined) found.set(name, parent);
    }
    return found;
  }

  /** A parent that lists its alternatives, of which some build on it, as springdoc writes it. Without a discriminator it is a ring. */
  #listing(name: string): Parent | undefined {
    if (!isObject(keywordsOf(this.#schemas[name])['discriminator'])) return undefined;
    const listed = new Set<string>();
    const list = (one: string): void => {
      for (const part of unionParts(keywordsOf(this.#schemas[one]))) {
        const alternative = this.#nameOf(keywordsOf(part)['$ref']);
        if (alternative === undefined || listed.has(alternative)) continue;
        listed.add(alternative);
        list(alternative);
      }
    };
    list(name);
    const heirs = this.#descendants(name);
    const alternatives = [...heirs].filter((heir) => listed.has(heir));
    if (alternatives.length === 0 || heirs.has(name)) return undefined;
    const direct = unionParts(keywordsOf(this.#schemas[name])).map((part) => this.#nameOf(keywordsOf(part)['$ref']));
    // Schemas that build on the union as a whole stay so: no alternative builds on them.
    const rewritten = [...heirs].filter((heir) => listed.has(heir) || [...this.#descendants(heir)].some((below) => listed.has(below)));
    return {
      name,
      heirs: new Map(rewritten.map((heir) => [heir, { isClosed: false }])),
      needsBase: direct.some((alternative) => alternative === undefined || !heirs.has(alternative)),
      isClosed: false,
    };
  }

  /** A parent whose discriminator, or that of its own parent, selects one of the schemas that build on it. */
  #selecting(name: string): Parent | undefined {
    const heirs = this.#descendants(name);
    const found = this.#discriminatorOf(name);
    if (found === undefined || heirs.has(name)) return undefined;
    const discriminator = this.#withMappings(found, heirs);
    const mapped = found.isOwn ? [...discriminator.mapping.values(), discriminator.fallback] : [];
    // One that allows null as well is the parent, used.
    const isSearched = (heir: string) => keywordsOf(this.#schemas[heir])['nullable'] !== true || mapped.includes(heir);
    const others = Object.keys(this.#schemas).filter(
      (one) => one !== name && (mapped.includes(one) || (heirs.has(one) && isSearched(one))),
    );
    const alternatives = this.#alternatives(name, discriminator, others);
    if (alternatives === undefined) return undefined;
    const builders = [...heirs].filter((heir) => isSearched(heir) || [...this.#descendants(heir)].some((one) => others.includes(one)));
    const isClosed = (one: string) => this.#partsOf(one).some(isClosing);
    return {
      name,
      heirs: new Map(builders.map((heir) => [heir, { isClosed: isClosed(heir) }])),
      needsBase: [...alternatives.tags.keys()].some((one) => one !== name && !heirs.has(one)),
      isClosed: isClosed(name),
      alternatives,
    };
  }

  /** @param others the schemas beside the parent itself. @returns `undefined` if no value names any of them. */
  #alternatives(name: string, discriminator: Discriminator, others: readonly string[]): Alternatives | undefined {
    const { propertyName, mapping, fallback } = discriminator;
    const values = this.#valuesOf(name, propertyName);
    const tags = new Map<string, readonly string[]>();
    for (const one of others) {
      const selecting = this.#tagsOf(one, discriminator, values);
      if (selecting.length > 0 || one === fallback) tags.set(one, selecting);
    }
    if (tags.size === 0) return undefined;
    const ofOthers = [...tags.values()].flat();
    const rest = (values ?? []).filter((value) => !mapping.has(value));
    const itself = new Set([...this.#tagsOf(name, discriminator, undefined), ...rest].filter((value) => !ofOthers.includes(value)));
    const isOptional = !this.#partsOf(name).some((part) => listOf(part['required']).includes(propertyName));
    if (itself.size > 0 || fallback === name || (fallback === undefined && isOptional)) tags.set(name, [...itself]);
    return { propertyName, tags, fallback: fallback !== undefined && tags.has(fallback) ? fallback : undefined, isOptional };
  }

  /** Its own, or that of the nearest schema that it builds on. */
  #discriminatorOf(name: string): Discriminator | undefined {
    // What is added while a set is visited is visited too.
    const nearest = new Set([name]);
    for (const next of nearest) {
      const own = this.#ownDiscriminatorOf(next);
      if (own !== undefined) return { ...own, isOwn: next === name };
      for (const parent of this.#parents.get(next) ?? []) nearest.add(parent);
    }
    return undefined;
  }

  /** Of a schema that does not list its alternatives. */
  #ownDiscriminatorOf(name: string): Discriminator | undefined {
    const part = this.#ownPartsOf(name).find(({ discriminator: one }) => isObject(one) && typeof one['propertyName'] === 'string');
    return part === undefined || isUnion(part) ? undefined : this.#read(keywordsOf(part['discriminator']));
  }

  /** With the values that children map for the same property. */
  #withMappings(discriminator: Discriminator, heirs: ReadonlySet<string>): Discriminator {
    const mapping = new Map(discriminator.mapping);
    for (const heir of heirs) {
      const own = this.#ownDiscriminatorOf(heir);
      if (own?.propertyName !== discriminator.propertyName) continue;
      for (const [value, target] of own.mapping) if (!mapping.has(value)) mapping.set(value, target);
    }
    return { ...discriminator, mapping };
  }

  #read({ propertyName, mapping, defaultMapping }: Keywords): Discriminator {
    const entries = Object.entries(keywordsOf(mapping)).flatMap(([value, target]): [string, string][] => {
      const name = this.#targetOf(target);
      return name === undefined ? [] : [[value, name]];
    });
    return { propertyName: propertyName as string, mapping: new Map(entries), fallback: this.#targetOf(defaultMapping), isOwn: true };
  }

  /** A value that is a name and a reference is a name (3.0.4, section 4.7.25.2). */
  #targetOf(target: unknown): string | undefined {
    return typeof target === 'string' && Object.hasOwn(this.#schemas, target) ? target : this.#nameOf(target);
  }

  /** The values that select a schema: those that are mapped to it and its name; if its property has none of them, those that it has alone. */
  #tagsOf(
    name: string,
    { propertyName, mapping }: Pick<Discriminator, 'propertyName' | 'mapping'>,
    ofParent: readonly string[] | undefined,
  ): readonly string[] {
    const mapped = [...mapping].flatMap(([value, target]) => (target === name ? [value] : []));
    const all = mapping.has(name) ? mapped : [...mapped, name];
    const allowed = this.#valuesOf(name, propertyName);
    if (allowed === undefined) return all;
    const selecting = all.filter((value) => allowed.includes(value));
    const isNarrower = ofParent === undefined || allowed.length < ofParent.length;
    return selecting.length > 0 || !isNarrower ? selecting : allowed.filter((value) => !mapping.has(value));
  }

  /** The texts that each part of a schema allows for a property; `undefined` if none lists them. */
  #valuesOf(name: string, property: string): readonly string[] | undefined {
    let values: readonly string[] | undefined;
    for (const part of this.#partsOf(name)) {
      const given = this.#resolved(keywordsOf(part['properties'])[property]);
      const listed = Array.isArray(given['enum']) ? (given['enum'] as unknown[]) : 'const' in given ? [given['const']] : undefined;
      const texts = listed?.filter((value): value is string => typeof value === 'string');
      if (texts !== undefined) values = values?.filter((value) => texts.includes(value)) ?? texts;
    }
    return values;
  }

  #resolved(schema: unknown): Keywords {
    try {
      return keywordsOf(resolve<unknown>(this.#document, schema));
    } catch {
      return {};
    }
  }

  /** A schema, what is in its `allOf`, and the schemas that it builds on with theirs. */
  #partsOf(name: string, visited = new Set<string>()): Keywords[] {
    if (visited.has(name)) return [];
    visited.add(name);
    const above = [...(this.#parents.get(name) ?? [])].flatMap((parent) => this.#partsOf(parent, visited));
    return [...this.#ownPartsOf(name), ...above];
  }

  #ownPartsOf(name: string): Keywords[] {
    const partsIn = (part: unknown): Keywords[] =>
      isObject(part) ? [part, ...listOf(part['allOf']).flatMap((inner) => partsIn(inner))] : [];
    return partsIn(this.#schemas[name]);
  }

  #descendants(name: string, found = new Set<string>()): Set<string> {
    for (const child of this.#children.get(name) ?? []) if (!found.has(child)) this.#descendants(child, found.add(child));
    return found;
  }

  /** The schemas that one builds on. In a `$ref` alone it is another name of its target; keywords beside it count from 3.1 on. */
  *#extended(schema: unknown, isComponent = false): Generator<string> {
    if (!isObject(schema)) return;
    const { $ref, allOf } = schema;
    if (typeof $ref === 'string') {
      const isAlone = Object.keys(schema).every((keyword) => keyword === '$ref' || ANNOTATIONS.includes(keyword));
      const name = isComponent && (isAlone || this.#isDraft) ? undefined : this.#nameOf($ref);
      if (name !== undefined) yield name;
      if (this.#isDraft) return;
    }
    for (const part of listOf(allOf)) yield* this.#extended(part);
  }

  /** The name of the schema that a reference means, through other names of it. */
  #nameOf(reference: unknown, visited = new Set<string>()): string | undefined {
    if (typeof reference !== 'string' || !reference.startsWith('#/components/schemas/')) return undefined;
    const [, , name = '', ...rest] = pointerKeys(reference);
    const schema = rest.length === 0 && Object.hasOwn(this.#schemas, name) ? this.#schemas[name] : undefined;
    if (!isObject(schema) || visited.has(name)) return undefined;
    const isOtherName = typeof schema['$ref'] === 'string' && (this.#isDraft || Object.keys(schema).length === 1);
    return isOtherName ? this.#nameOf(schema['$ref'], visited.add(name)) : name;
  }
}

const ANNOTATIONS = ['title', 'description', 'summary', 'example', 'examples', 'externalDocs', 'deprecated'];

const keywordsOf = (schema: unknown): Keywords => (isObject(schema) ? schema : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const unionParts = (schema: Keywords): readonly unknown[] => [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
const isUnion = (schema: unknown): boolean => unionParts(keywordsOf(schema)).length > 0;
const isClosing = (schema: Keywords): boolean => schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
