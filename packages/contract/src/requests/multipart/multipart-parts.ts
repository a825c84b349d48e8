/** What a body of multipart/form-data is made of: fields, which are validated as one object, and files, which are not in it. */
import { resolve, type Document, type Encoding, type MediaType, type Schema } from '../../document/openapi.ts';
import {
  branchesOf,
  alternativesOf,
  extensionOf,
  formatOf,
  itemsOf,
  limitsOf,
  propertiesOf,
  requiredOf,
  typesOf,
  wholeOf,
  type JsonType,
} from '../../schema/model.ts';
import { schemaShape } from '../../schema/schema-shape.ts';
import { isJson } from '../../http/media-types.ts';

export interface FileRule {
  /** Whether there may be several: the property is an array. */
  readonly isList: boolean;
  readonly minCount: number;
  readonly maxCount: number;
  /** How many bytes each may have. */
  readonly minBytes: number;
  readonly maxBytes: number;
  /** The media types and ranges that a file may be of; none: any. */
  readonly types: readonly string[];
}

export interface MultipartParts {
  /** The schema of the fields: that of the body without its files. */
  readonly fields: Schema;
  readonly files: ReadonlyMap<string, FileRule>;
  readonly requiredFields: readonly string[];
  /** Whether files are stored before the handler is called, so that parts come in any order: unless the contract says `x-multipart: stream`. */
  readonly isSpooled: boolean;
}

export function multipartParts(document: Document, { schema = {}, encoding = {}, 'x-multipart': mode }: MediaType): MultipartParts {
  const { properties } = schemaShape(document, [schema]);
  const required = new Set([...wholeOf(document, schema)].flatMap(requiredOf));
  const files = new Map<string, FileRule>();
  for (const [name, schemas] of properties) {
    const rule = fileRule(document, schemas, encoding[name], required.has(name));
    if (rule !== undefined) files.set(name, rule);
  }
  const requiredFields = [...required].filter((name) => !files.has(name));
  return { fields: fieldsSchema(document, schema, files), files, requiredFields, isSpooled: mode !== 'stream' };
}

/** @returns `undefined` for a field. */
function fileRule(
  document: Document,
  schemas: readonly Schema[],
  encoding: Encoding | undefined,
  isRequired: boolean,
): FileRule | undefined {
  const given = schemas.map((schema) => resolve<Schema>(document, schema));
  const lists = given.filter((schema) => itemsOf(schema) !== undefined);
  const isList = lists.length > 0;
  const parts = isList ? lists.map((schema) => resolve<Schema>(document, itemsOf(schema) ?? {})) : given;
  if (!parts.some((schema) => isFile(document, schema, encoding))) return undefined;
  const limits = parts.map((schema) => ({ ...limitsOf(schema), maxBytes: extensionOf(schema, 'x-max-bytes') }));
  const counts = lists.map(limitsOf);
  return {
    isList,
    minCount: isList ? Math.max(isRequired ? 1 : 0, ...counts.map(({ minItems = 0 }) => (isRequired ? minItems : 0))) : Number(isRequired),
    maxCount: isList ? Math.min(...counts.map(({ maxItems = Infinity }) => maxItems)) : 1,
    minBytes: Math.max(...limits.map(({ minLength = 0 }) => minLength)),
    // The length of what is not encoded counts octets (OpenAPI 3.1.1, section 4.8.14.4).
    maxBytes: Math.min(
      ...limits.map(({ maxLength = Infinity, maxBytes }) => Math.min(maxLength, typeof maxBytes === 'number' ? maxBytes : Infinity)),
    ),
    types: declaredTypes(parts, encoding),
  };
}

/**
 * Whether a part is bytes: `format: binary` of OpenAPI 3.0; of 3.1 and later a text with a `contentMediaType` that is not encoded, or a schema
 * that says nothing (OpenAPI 3.1.1, sections 4.8.15.1.1 and 4.9.1).
 */
function isFile({ openapi }: Document, schema: Schema, encoding: Encoding | undefined): boolean {
  if (formatOf(schema) === 'binary') return true;
  const types = typesOf(schema).filter((type) => type !== 'null');
  const { contentEncoding, contentMediaType } = schema as { contentEncoding?: unknown; contentMediaType?: unknown };
  if (contentEncoding !== undefined || !types.every((type: JsonType) => type === 'string')) return false;
  const declared = encoding?.contentType ?? contentMediaType;
  if (typeof declared === 'string') return declared.split(',').every((type) => !isJson(type.trim()) && !/^\s*text\//i.test(type));
  return !openapi.startsWith('3.0') && Object.keys(schema).every((keyword) => ['description', 'title', 'examples'].includes(keyword));
}

function declaredTypes(schemas: readonly Schema[], encoding: Encoding | undefined): string[] {
  const byEncoding = encoding?.contentType?.split(',') ?? [];
  const bySchema = schemas.flatMap((schema) => (schema as { contentMediaType?: unknown }).contentMediaType ?? []).map(String);
  const types = (byEncoding.length > 0 ? byEncoding : bySchema).map((type) => type.trim().toLowerCase());
  // Bytes of whatever type: a browser names the one that it knows (RFC 2046, section 4.5.1).
  return types.some((type) => type === '*/*' || type === 'application/octet-stream') ? [] : types;
}

/** What the fields must be. Those that nothing is said of are refused, where some are named: a form has no fields by chance. */
function fieldsSchema(document: Document, schema: Schema, files: ReadonlyMap<string, FileRule>): Schema {
  const { isOpen, declaresProperties, properties } = schemaShape(document, [schema]);
  const fields = files.size === 0 ? resolve<Schema>(document, schema) : withoutFiles(document, schema, files, new Set());
  if (isOpen || !declaresProperties) return fields;
  const names = [...properties.keys()].filter((name) => !files.has(name)).map((name): [string, Schema] => [name, {}]);
  const closed = { properties: { ...Object.fromEntries(names), ...propertiesOf(fields) }, additionalProperties: false };
  return { ...fields, ...closed };
}

function withoutFiles(document: Document, reference: Schema, files: ReadonlyMap<string, FileRule>, visited: ReadonlySet<Schema>): Schema {
  const schema = resolve<Schema>(document, reference);
  if (visited.has(schema)) return {};
  const seen = new Set([...visited, schema]);
  const stripAll = (parts: readonly Schema[]): Schema[] => parts.map((part) => withoutFiles(document, part, files, seen));
  const stripped: Record<string, unknown> = {
    properties: Object.fromEntries(Object.entries(propertiesOf(schema)).filter(([name]) => !files.has(name))),
    required: requiredOf(schema).filter((name) => !files.has(name)),
    allOf: stripAll(branchesOf(schema).allOf),
    // Two that differ in their files only are the same now, and `oneOf` would refuse what fits both.
    anyOf: stripAll(alternativesOf(schema)),
  };
  const others = Object.entries(schema).filter(([keyword]) => !['oneOf', 'minProperties', ...Object.keys(stripped)].includes(keyword));
  const kept = Object.entries(stripped).filter(([, value]) => Object.keys(value as object).length > 0);
  return Object.fromEntries([...others, ...kept]);
}
