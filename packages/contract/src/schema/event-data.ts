/** The data of server-sent events that is JSON in a text: its schema takes the place of the text's. */
import { isObject, resolve, type Document, type MediaType, type Schema } from '../document/openapi.ts';
import { visitDocument, type DocumentPath } from '../document/visit-schemas.ts';
import { itemSchemaOf, sequenceKind } from './item-schema.ts';

type Keywords = Readonly<Record<string, unknown>>;

const BRANCHES = ['allOf', 'oneOf', 'anyOf'] as const;
const JSON_TYPE = /^[^;]*[/+]json\s*(;|$)/i;

/**
 * OpenAPI 3.2 (section 4.14.4) describes JSON in events as a text with `contentSchema`. Handlers give, and clients get, the value: it is written as
 * JSON, and validated by that schema.
 *
 * @returns the document itself if no event has such data.
 */
export function withEventData(document: Document): Document {
  const found: { readonly path: DocumentPath; readonly schema: Schema }[] = [];
  visitDocument(document, {
    mediaType: (media: MediaType, path) => {
      const type = String(path.at(-1));
      const declared = sequenceKind(type) === 'events' ? itemSchemaOf(type, media) : undefined;
      const schema = declared && replaceData(document, declared.schema, new Set());
      if (declared !== undefined && schema !== undefined) found.push({ path: [...path, declared.keyword], schema });
    },
  });
  if (found.length === 0) return document;
  const copy = structuredClone(document);
  for (const { path, schema } of found) {
    const holder = path.slice(0, -1).reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], copy);
    Object.assign(holder as object, { [path.at(-1) as string]: schema });
  }
  return copy;
}

/** @returns `undefined` if nothing in the schema has such data. */
function replaceData(document: Document, given: Schema, seen: Set<unknown>): Schema | undefined {
  const schema = resolve<Schema>(document, given) as Keywords;
  if (seen.has(schema)) return undefined;
  seen.add(schema);
  const changed: Record<string, unknown> = {};
  const { properties } = schema;
  const content = isObject(properties) ? contentSchemaOf(document, properties['data']) : undefined;
  if (content !== undefined) changed['properties'] = { ...(properties as object), data: content };
  for (const keyword of BRANCHES) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    const replaced = branches.map((branch: Schema) => replaceData(document, branch, seen));
    if (replaced.some((branch) => branch !== undefined)) changed[keyword] = replaced.map((branch, i) => branch ?? (branches[i] as Schema));
  }
  return Object.keys(changed).length === 0 ? undefined : { ...schema, ...changed };
}

function contentSchemaOf(document: Document, data: unknown): unknown {
  if (!isObject(data)) return undefined;
  const { contentMediaType, contentSchema } = resolve<Schema>(document, data) as Keywords;
  return typeof contentMediaType === 'string' && JSON_TYPE.test(contentMediaType) ? contentSchema : undefined;
}
