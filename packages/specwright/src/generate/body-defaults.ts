/**
 * Makes the types that say which properties of request bodies have a default, so that `Input` has them as present.
 *
 * `components` has one type of a schema. A property with a default is always present in a request that was validated,
 * and optional in a response, into which no default is filled.
 */
import {
  additionalPropertiesOf,
  branchesOf,
  defaultOf,
  itemSchemaOf,
  itemsOf,
  listOperations,
  propertiesOf,
  referenceOf,
  resolve,
  type Document,
  type RequestBody,
  type Schema,
} from '@specwright/contract/document';

/** @returns TypeScript with `bodyDefaults`: operationId -> media type -> where defaults are. Without defaults it has no entries. */
export function bodyDefaults(document: Document): string {
  const schemas = new SchemaDefaults(document);
  const bodies = listOperations(document).map(({ id, operation }) => {
    const content = operation.requestBody ? resolve<RequestBody>(document, operation.requestBody).content : {};
    const type = objectType(
      Object.entries(content).map(([name, media]) => [name, schemas.typeOf(itemSchemaOf(name, media)?.schema ?? media.schema)]),
    );
    return type === undefined ? '' : line(id, type);
  });
  return (
    '/** Where the bodies of requests have defaults. */\n' +
    `export interface bodyDefaults {\n${bodies.join('')}}\n\n` +
    `/** Where the schemas that \`bodyDefaults\` refers to have defaults. */\n` +
    `export interface schemaDefaults {\n${schemas.named().join('')}}\n`
  );
}

class SchemaDefaults {
  readonly #document: Document;
  readonly #types = new Map<string, string>();
  /** Whether the target of a reference has a default, itself or through further references. */
  readonly #hasDefault = new Map<string, boolean>();

  constructor(document: Document) {
    this.#document = document;
  }

  /**
   * `undefined` if no default is filled into values of the schema.
   *
   * The validator fills in none within `oneOf`, `anyOf` and `not`. Such a property stays optional.
   */
  typeOf(schema: Schema | undefined): string | undefined {
    if (schema === undefined) return undefined;
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.#typeOfReference(reference);
    const properties = Object.entries(propertiesOf(schema));
    const values = additionalPropertiesOf(schema);
    const own = objectType([
      [
        'defaults',
        objectType(properties.filter(([, property]) => hasOwnDefault(this.#document, property)).map(([name]) => [name, 'true'])),
      ],
      ['properties', objectType(properties.map(([name, property]) => [name, this.typeOf(property)]))],
      ['items', this.typeOf(itemsOf(schema))],
      ['values', typeof values === 'object' ? this.typeOf(values) : undefined],
    ]);
    const parts = [own, ...branchesOf(schema).allOf.map((part) => this.typeOf(part))].filter((part) => part !== undefined);
    return parts.length === 0 ? undefined : parts.join(' & ');
  }

  /** The types of the references that were met, a line each. */
  named(): string[] {
    return [...this.#types].map(([reference, type]) => line(reference, type));
  }

  /** A name, because schemas may contain themselves. */
  #typeOfReference($ref: string): string | undefined {
    if (!this.#findDefault($ref)) return undefined;
    if (!this.#types.has($ref)) {
      this.#types.set($ref, '{}');
      this.#types.set($ref, this.typeOf(resolve<Schema>(this.#document, { $ref })) ?? '{}');
    }
    return `schemaDefaults[${JSON.stringify($ref)}]`;
  }

  #findDefault(reference: string): boolean {
    const known = this.#hasDefault.get(reference);
    if (known !== undefined) return known;
    const visited = new Set([reference]);
    let found = false;
    for (const $ref of visited) {
      found = this.#hasDefault.get($ref) ?? searchDefault(this.#document, resolve<Schema>(this.#document, { $ref }), visited);
      if (found) break;
    }
    // Without a default, none of those that were visited has one.
    for (const $ref of found ? [reference] : visited) this.#hasDefault.set($ref, found);
    return found;
  }
}

/** Adds the references of the schema to `references`. */
function searchDefault(document: Document, schema: Schema, references: Set<string>): boolean {
  const reference = referenceOf(schema);
  if (reference !== undefined) {
    references.add(reference);
    return false;
  }
  const properties = Object.values(propertiesOf(schema));
  if (properties.some((property) => hasOwnDefault(document, property))) return true;
  const values = additionalPropertiesOf(schema);
  return [...properties, itemsOf(schema), typeof values === 'object' ? values : undefined, ...branchesOf(schema).allOf].some(
    (part) => part !== undefined && searchDefault(document, part, references),
  );
}

/** OpenAPI 3.0.3, section 4.7.23: a default beside a $ref is ignored. */
const hasOwnDefault = (document: Document, property: Schema): boolean =>
  referenceOf(property) === undefined && defaultOf(document, property) !== undefined;

/** `undefined` without members. Keys are quoted: they come from the document. */
function objectType(members: readonly (readonly [string, string | undefined])[]): string | undefined {
  const present = members.filter(([, type]) => type !== undefined);
  return present.length === 0 ? undefined : `{ ${present.map(([key, type]) => `${JSON.stringify(key)}: ${type}`).join('; ')} }`;
}

const line = (key: string, type: string): string => `  ${JSON.stringify(key)}: ${type};\n`;
