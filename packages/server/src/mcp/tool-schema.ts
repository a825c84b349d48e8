/** Makes schemas of the model that need no document: JSON Schema 2020-12 with `$defs`, and only what is sent in a direction. */
import {
  branchesOf,
  isObject,
  isReadOnly,
  isWriteOnly,
  mapSubschemas,
  propertiesOf,
  resolve,
  subschemaKind,
  subschemasOf,
  type Direction,
  type Document,
  type Schema,
} from '@specwright/contract/document';

type Json = Record<string, unknown>;

/** What says nothing about a value to a reader of JSON Schema, or only together with the document. */
const LEFT_OUT =
  /^(x-.*|discriminator|xml|externalDocs|example|readOnly|writeOnly|nullable|\$(id|schema|anchor|dynamicAnchor|dynamicRef|comment))$/;

export class ToolSchemas {
  readonly #document: Document;
  readonly #direction: Direction;
  readonly #definitions: Json = {};
  readonly #names = new Map<Schema, string>();

  constructor(document: Document, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
  }

  /** What the schemas refer to: `{ $defs }`, or nothing. Ask for it last. */
  get definitions(): Json {
    return Object.keys(this.#definitions).length > 0 ? { $defs: this.#definitions } : {};
  }

  /** @param isRoot whether the schema itself has to be there, and not a reference to it. */
  write(given: Schema, isRoot = false): Json {
    const schema = resolve<Schema>(this.#document, given);
    // What is short is read where it is used.
    if (isRoot || schema === given || subschemasOf(schema).length === 0) return this.#keywords(schema, this.#unsent(schema));
    return { $ref: `#/$defs/${this.#define(schema, given.$ref ?? '')}` };
  }

  #define(schema: Schema, reference: string): string {
    const known = this.#names.get(schema);
    if (known !== undefined) return known;
    const base = (reference.split('/').at(-1) ?? '').replace(/\W/g, '_') || 'Schema';
    let name = base;
    for (let i = 2; Object.hasOwn(this.#definitions, name); i++) name = `${base}${i}`;
    // Before it is written: it may refer to itself.
    this.#names.set(schema, name);
    this.#definitions[name] = {};
    this.#definitions[name] = this.#keywords(schema, this.#unsent(schema));
    return name;
  }

  #keywords(schema: Schema, unsent: ReadonlySet<string>): Json {
    const written: Json = {};
    for (const [keyword, value] of Object.entries(schema as Json)) {
      if (LEFT_OUT.test(keyword)) continue;
      if (keyword === 'required' && Array.isArray(value)) {
        const required = value.filter((name) => !unsent.has(String(name)));
        if (required.length > 0) written[keyword] = required;
        continue;
      }
      const kind = subschemaKind(keyword);
      const kept =
        keyword === 'properties' ? Object.fromEntries(Object.entries(value as Json).filter(([name]) => !unsent.has(name))) : value;
      // Parts of the same value: what is not sent of it is said by any of them.
      const isOfSameValue = kind === 'list' && keyword !== 'prefixItems';
      const write = (part: unknown) => {
        if (!isObject(part)) return part;
        return isOfSameValue && part['$ref'] === undefined ? this.#keywords(part, unsent) : this.write(part);
      };
      written[keyword] = kind === undefined ? kept : mapSubschemas(kind, kept, write);
    }
    return written;
  }

  /** The names of the properties of a value that are not sent in the direction (OpenAPI 3.0.3, section 4.7.24.2). */
  #unsent(schema: Schema, visited = new Set<Schema>()): Set<string> {
    const names = new Set<string>();
    if (visited.has(schema)) return names;
    visited.add(schema);
    const isUnsent = this.#direction === 'request' ? isReadOnly : isWriteOnly;
    for (const [name, property] of Object.entries(propertiesOf(schema)))
      if (isUnsent(property) || isUnsent(resolve<Schema>(this.#document, property))) names.add(name);
    const { allOf, oneOf, anyOf } = branchesOf(schema);
    for (const part of [...allOf, ...oneOf, ...anyOf])
      for (const name of this.#unsent(resolve<Schema>(this.#document, part), visited)) names.add(name);
    return names;
  }
}
