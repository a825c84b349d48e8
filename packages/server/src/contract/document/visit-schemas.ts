/** Visits a document: its schemas, and the objects that hold them, each with its path. */
import type { Document, Header, Link, MediaType, Parameter, Schema } from './openapi.ts';
import { METHODS } from './openapi.ts';
import { SCHEMA_KEYWORDS } from '../schema/model.ts';

/** The keys from the root of a document to a part of it. */
export type DocumentPath = readonly (string | number)[];

type Visit<T> = (value: T, path: DocumentPath) => void;

/** The sections of `components` whose parts are visited. */
export type ComponentSection =
  'schemas' | 'parameters' | 'headers' | 'responses' | 'requestBodies' | 'links' | 'callbacks' | 'pathItems' | 'mediaTypes';

/** What to call for each object of a kind. */
export interface DocumentVisitor {
  readonly schema?: Visit<Schema>;
  readonly mediaType?: Visit<MediaType>;
  readonly parameter?: Visit<Parameter>;
  readonly header?: Visit<Header>;
  readonly link?: Visit<Link>;
  /** A `$ref`, and the section whose components may be used where it is. */
  readonly reference?: (target: string, path: DocumentPath, section: ComponentSection) => void;
}

type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'callback'
  | 'parameter'
  | 'header'
  | 'mediaType'
  | 'requestBody'
  | 'response'
  | 'link'
  | 'schema';

/** The fields of an object that hold others: one, a list, or one for each name. */
type Fields = Readonly<Record<string, readonly [how: 'one' | 'list' | 'named', kind: Kind]>>;

const each = (names: readonly string[], how: 'one' | 'list' | 'named', kind: Kind): Fields =>
  Object.fromEntries(names.map((name) => [name, [how, kind]]));

/** The objects of OpenAPI 3.0 to 3.2 that hold schemas. */
const FIELDS: Readonly<Record<Kind, Fields>> = {
  document: { paths: ['named', 'pathItem'], webhooks: ['named', 'pathItem'], components: ['one', 'components'] },
  components: {
    schemas: ['named', 'schema'],
    parameters: ['named', 'parameter'],
    headers: ['named', 'header'],
    responses: ['named', 'response'],
    requestBodies: ['named', 'requestBody'],
    links: ['named', 'link'],
    callbacks: ['named', 'callback'],
    pathItems: ['named', 'pathItem'],
    mediaTypes: ['named', 'mediaType'],
  },
  pathItem: {
    parameters: ['list', 'parameter'],
    ...each([...METHODS, 'query'], 'one', 'operation'),
    additionalOperations: ['named', 'operation'],
  },
  operation: {
    parameters: ['list', 'parameter'],
    requestBody: ['one', 'requestBody'],
    responses: ['named', 'response'],
    callbacks: ['named', 'callback'],
  },
  // Every key of a callback is an expression with a path item.
  callback: {},
  parameter: { schema: ['one', 'schema'], content: ['named', 'mediaType'] },
  header: { schema: ['one', 'schema'], content: ['named', 'mediaType'] },
  mediaType: { schema: ['one', 'schema'], itemSchema: ['one', 'schema'] },
  requestBody: { content: ['named', 'mediaType'] },
  response: { headers: ['named', 'header'], content: ['named', 'mediaType'], links: ['named', 'link'] },
  link: {},
  schema: {
    ...each(SCHEMA_KEYWORDS.one, 'one', 'schema'),
    ...each(SCHEMA_KEYWORDS.list, 'list', 'schema'),
    ...each(SCHEMA_KEYWORDS.named, 'named', 'schema'),
  },
};

const SECTIONS: Readonly<Partial<Record<Kind, ComponentSection>>> = {
  schema: 'schemas',
  parameter: 'parameters',
  header: 'headers',
  response: 'responses',
  requestBody: 'requestBodies',
  link: 'links',
  callback: 'callbacks',
  pathItem: 'pathItems',
  mediaType: 'mediaTypes',
};

type Json = Record<string, unknown>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The kinds of the objects in a field, by key. */
function* childrenOf(kind: Kind, value: Json): Generator<[keys: (string | number)[], kind: Kind, child: unknown]> {
  if (kind === 'callback') for (const [key, child] of Object.entries(value)) yield [[key], 'pathItem', child];
  // In the order of the document.
  for (const key of Object.keys(value)) {
    const field = Object.hasOwn(FIELDS[kind], key) ? FIELDS[kind][key] : undefined;
    const content = value[key];
    if (field === undefined || content === null || content === undefined) continue;
    const [how, childKind] = field;
    if (how === 'one') yield [[key], childKind, content];
    else if (isJson(content))
      for (const [name, child] of Object.entries(content)) yield [[key, Array.isArray(content) ? Number(name) : name], childKind, child];
  }
}

/** Calls `visit` for every schema of the document. */
export const visitSchemas = (document: Document, visit: Visit<Schema>): void => visitDocument(document, { schema: visit });

/**
 * Visits the objects of a document, parents before children. References are not followed, because their targets are
 * visited where they are defined; a document that is not quite OpenAPI is visited as far as it can be read.
 */
export function visitDocument(document: Document, visitor: DocumentVisitor): void {
  const visits = visitor as Partial<Record<Kind, Visit<unknown>>>;
  const isDraft = /^3\.0/.test(document.openapi);
  const visit = (value: unknown, kind: Kind, path: DocumentPath): void => {
    if (!isJson(value)) return;
    const section = SECTIONS[kind];
    if (section !== undefined && typeof value['$ref'] === 'string') visitor.reference?.(value['$ref'], path, section);
    // From 3.1 on, the keywords beside the `$ref` of a schema apply too.
    if (section !== undefined && '$ref' in value && (kind !== 'schema' || isDraft || Object.keys(value).length === 1)) return;
    visits[kind]?.(value, path);
    for (const [keys, childKind, child] of childrenOf(kind, value)) visit(child, childKind, [...path, ...keys]);
  };
  visit(document, 'document', []);
}

/**
 * A document whose schemas are replaced, parents before children. What is not changed is shared with the given one.
 *
 * @param map gets each schema, references and booleans too. `key` is the keyword that it is below: of a schema, or of another object.
 */
export function mapSchemas<Context>(
  document: Document,
  initial: Context,
  map: (schema: unknown, context: Context, path: DocumentPath) => readonly [schema: unknown, within: (key: string) => Context],
): Document {
  const replace = (value: unknown, kind: Kind, context: Context, path: DocumentPath): unknown => {
    const [mapped, within] = kind === 'schema' ? map(value, context, path) : [value, () => initial];
    if (!isJson(mapped)) return mapped;
    let result = mapped;
    for (const [keys, childKind, child] of childrenOf(kind, mapped)) {
      // Booleans in a schema are up to what maps it: some keywords keep them.
      if (kind === 'schema' && typeof child === 'boolean') continue;
      const [key, name] = keys as [string, string | number | undefined];
      const replaced = replace(child, childKind, within(key), [...path, ...keys]);
      if (replaced === child) continue;
      if (result === mapped) result = { ...mapped };
      if (name === undefined) result[key] = replaced;
      else {
        if (result[key] === mapped[key])
          result[key] = Array.isArray(mapped[key]) ? [...(mapped[key] as unknown[])] : { ...(mapped[key] as Json) };
        (result[key] as Json)[name] = replaced;
      }
    }
    return result;
  };
  return replace(document, 'document', initial, []) as Document;
}
