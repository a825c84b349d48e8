/** A request of an operation, made from what the contract says: its examples, or values that fit its schemas. */
import {
  type BodyKind,
  bodyKind as declaredKind,
  concreteType,
  type EncodedField,
  type EncodedFormField,
  type Schema,
  encodeField,
  encodeCookies,
  encodePairs,
  encodePart,
  encodeQuery,
  encodeText,
  formatOf,
  typesOf,
  itemSchemaOf,
  sequenceKind,
} from '@specwright/contract/document';
import type { Json, SpecEncoding, SpecMedia, SpecOperation, SpecParameter, SpecSecurityScheme } from '../document.ts';
import { type SchemaView, first, viewSchema } from '../../../schema/schema-view.ts';
import { textOf } from './compare-values.ts';
import { orNothing } from './build-options.ts';
import { exampleOf, exampleValues } from './build-value.ts';

type Pair = readonly [name: string, value: string];

/** A request that is not sent yet. */
export interface SampleRequest {
  readonly path: Readonly<Record<string, string>>;
  /** Pairs as they are sent: `name=value`, encoded. */
  readonly query: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly type: string | undefined;
  /** What is required and has no value that could be made, as `query/name`. None: the request should be valid. */
  readonly missing: readonly string[];
  /** What the contract gives and refuses, so that something else is sent, and why a value is missing, each as a sentence. */
  readonly notes: readonly string[];
}

/** Headers that `fetch` sends, with values that a contract may refuse. */
const SENT_ANYWAY = ['accept-encoding', 'accept-language', 'user-agent'];
const isNeeded = ({ required, in: place, name }: SpecParameter): boolean =>
  required === true || (place === 'header' && SENT_ANYWAY.includes(name.toLowerCase()));

/** All that is required, and a body wherever the contract has an example of one. Without credentials. */
export async function sampleRequest(source: object, operation: SpecOperation): Promise<SampleRequest> {
  const document = source as Json;
  const path: Record<string, string> = {};
  const query: string[] = [];
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  const missing: string[] = [];
  const notes: string[] = [];
  const make = (media: SpecMedia, at: string): unknown => {
    try {
      const made = exampleOf(document, media, at);
      notes.push(...made.notes);
      return made.value;
    } catch (error) {
      // A reference may lead nowhere, too.
      notes.push((error as Error).message);
      return undefined;
    }
  };
  const credentials = credentialParameters(operation);
  for (const parameter of operation.parameters) {
    const { name, in: place } = parameter;
    if (!isNeeded(parameter) || credentials.has(`${place} ${name}`)) continue;
    if (place === 'querystring') {
      const sent = writtenQuery(parameter, make(mediaOf(parameter), 'query'));
      if (sent === undefined) missing.push('query');
      else query.push(sent);
      continue;
    }
    const value = make(mediaOf(parameter), `${place}/${name}`);
    const field = fieldOf(parameter);
    // An empty segment would be another path.
    const encode = () => {
      if (place === 'cookie') return encodeCookies(field, value);
      return place === 'query' ? encodePairs(field, value) : [encodeText(field, place === 'path' && value === '' ? 'x' : value)];
    };
    const sent = value === undefined ? undefined : orNothing(encode);
    if (sent === undefined) missing.push(`${place}/${name}`);
    else if (place === 'query') query.push(...sent);
    else if (place === 'path') path[name] = decodeURIComponent(sent.join());
    else if (place === 'header') headers[name] = sent.join();
    else cookies.push(...sent);
  }
  if (cookies.length > 0) headers['Cookie'] = cookies.join('; ');
  const { body, type } = sampleBody(document, operation, make);
  if (operation.body?.required && body === undefined) missing.push('body');
  return { path, query, headers, body, type, missing, notes };
}

function sampleBody(
  document: Json,
  operation: SpecOperation,
  make: (media: SpecMedia, at: string) => unknown,
): { body: unknown; type: string | undefined } {
  const content = Object.entries(operation.body?.content ?? {});
  const declared = content.find(([name]) => bodyKind(name) === 'json') ?? content[0];
  if (declared === undefined) return { body: undefined, type: undefined };
  const [type, media] = declared;
  const isSent = operation.body?.required || media.example !== undefined || media.examples !== undefined;
  const items = itemMediaOf(type, media);
  // The schema of what is sent as it is, such as XML, is that of something else.
  const [raw] = isParsed(type) ? [] : exampleValues(document, media);
  const made = () => (items === undefined ? make(media, 'body') : twice(make(items, 'body/0')));
  return { body: raw ?? (isSent ? made() : undefined), type: concreteType(type) };
}

/** A sequence has several items. */
const twice = (item: unknown): unknown => (item === undefined ? undefined : [item, item]);

const isParsed = (type: string): boolean => ['json', 'form', 'multipart'].includes(bodyKind(type));

/** OpenAPI 3.2: the whole query as one value. */
function writtenQuery({ content = {} }: SpecParameter, value: unknown): string | undefined {
  const [[type, media] = ['', {}]] = Object.entries(content);
  return value === undefined ? undefined : orNothing(() => encodeQuery({ type, media: media }, value));
}

export const fieldOf = ({ name, in: location, style, explode, content }: SpecParameter): EncodedField => ({
  name,
  in: location === 'querystring' ? 'query' : location,
  style: content === undefined ? style : 'json',
  explode,
});

const mediaOf = (parameter: SpecParameter): SpecMedia =>
  parameter.example === undefined ? (Object.values(parameter.content ?? {})[0] ?? parameter) : parameter;

/** Parameters that carry credentials are sent as such, or not at all. */
function credentialParameters({ security }: SpecOperation): Set<string> {
  const keys = security.flat().flatMap(({ scheme }) => (scheme.type === 'apiKey' ? [`${scheme.in} ${scheme.name}`] : []));
  return new Set(keys);
}

/** Items of a sequence are encoded one by one. */
export const bodyKind = (type: string): BodyKind => (isSequence(type) ? 'bytes' : declaredKind(type));

/** The Content-Type of a body that `encodeBody` has written. */
export const contentTypeOf = (type: string): string => (bodyKind(type) === 'multipart' ? `${type}; boundary=${BOUNDARY}` : type);

/** A body as the bytes of its media type. @param media what the contract says of it. */
export function encodeBody(document: Json, type: string, value: unknown, media: SpecMedia = {}): Buffer {
  const kind = bodyKind(type);
  if (kind === 'json') return Buffer.from(JSON.stringify(value));
  if (kind === 'form' && typeof value === 'object' && value !== null) return Buffer.from(encodeForm(media, value));
  if (kind === 'multipart' && typeof value === 'object' && value !== null) return encodeMultipart(document, media, value);
  return Buffer.from(itemMediaOf(type, media) === undefined ? textOf(value) : encodeItems(type, value));
}

/** Null is left out but in JSON: it has no text (RFC 6570, section 2.3). */
const encodeForm = ({ encoding = {} }: SpecMedia, form: object): string =>
  Object.entries(form)
    .flatMap(([name, value]) => encodeField(name, formField(Object.hasOwn(encoding, name) ? encoding[name] : {}), value))
    .join('&');

function formField({ contentType = '', style, explode, allowReserved }: SpecEncoding = {}): EncodedFormField {
  const isStyled = [style, explode, allowReserved].some((field) => field !== undefined);
  const byType = /^[^,;]*[/+]json\b/i.test(contentType) ? 'json' : undefined;
  return { style: isStyled ? (style ?? 'form') : byType, explode };
}

/** What a request sends for its credentials, which have to have the scopes; the password of `basic` as `name:password`. */
export type Credentials = (name: string, scheme: SpecSecurityScheme, scopes: readonly string[]) => string;

/** Well-formed credentials for an alternative of those that the operation asks for. @param alternative its number. */
export function credentialsOf(
  { security }: SpecOperation,
  credentials: Credentials,
  alternative = 0,
): { readonly query: readonly Pair[]; readonly headers: Readonly<Record<string, string>> } {
  const query: Pair[] = [];
  const headers: Record<string, string> = {};
  for (const { name, scheme, scopes } of security[alternative] ?? []) {
    // A certificate is of the connection.
    if (scheme.type === 'mutualTLS') continue;
    const value = credentials(name, scheme, scopes);
    if (scheme.type === 'apiKey') {
      if (scheme.in === 'query') query.push([scheme.name, value]);
      else if (scheme.in === 'header') headers[scheme.name] = value;
      else headers['Cookie'] = [headers['Cookie'], `${scheme.name}=${encodeURIComponent(value)}`].filter(Boolean).join('; ');
    } else {
      const prefix = scheme.type === 'http' ? scheme.scheme : 'Bearer';
      const isBasic = prefix.toLowerCase() === 'basic';
      headers['Authorization'] = `${prefix} ${isBasic ? Buffer.from(value).toString('base64') : value}`;
    }
  }
  return { query, headers };
}

/** The same for all, since the values are made and do not have it. */
const BOUNDARY = 'boundary-of-a-contract-test';

/** Fields come before files, which a server may hand on while they arrive. @param value the fields, and files as texts or bytes. */
function encodeMultipart(document: Json, { schema = {}, encoding = {} }: SpecMedia, value: object): Buffer {
  const { properties } = viewSchema(document, [{ value: schema, pointer: '#' }]);
  const parts = Object.entries(value).flatMap(([name, given]: [string, unknown]) => {
    const declared = properties.get(name);
    const view = declared && viewSchema(document, declared);
    const encoded = Object.hasOwn(encoding, name) ? encoding[name] : undefined;
    const item = view?.items === undefined ? view : viewSchema(document, view.items);
    const isFile = item !== undefined && isBytes(document, item, encoded);
    const mediaType = isFile ? textKeyword(item, 'contentMediaType') : undefined;
    const own = mediaType === undefined ? encoded : { contentType: mediaType, ...encoded };
    const items: unknown[] = Array.isArray(given) ? given : [given];
    return items.flatMap((one) => (one === undefined || one === null ? [] : [{ isFile, bytes: partOf(name, one, own, isFile) }]));
  });
  const ordered = [...parts.filter(({ isFile }) => !isFile), ...parts.filter(({ isFile }) => isFile)];
  return Buffer.concat([...ordered.map(({ bytes }) => bytes), Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function partOf(name: string, value: unknown, encoding: SpecEncoding = {}, isFile: boolean): Buffer {
  // Of several types one, and of any a file.
  const [first] = encoding.contentType?.split(',') ?? [];
  const declared =
    first === undefined ? undefined : concreteType(first.trim().replace(/^(\*|application)\/\*/, 'application/octet-stream'));
  const part = isFile ? { text: textOf(value), type: declared ?? 'application/octet-stream' } : encodePart(value, declared);
  const head = [
    `--${BOUNDARY}`,
    `Content-Disposition: form-data; name="${name.replaceAll('"', '%22')}"${isFile ? '; filename="file"' : ''}`,
    ...(part.type === undefined ? [] : [`Content-Type: ${part.type}`]),
  ];
  const content = Buffer.isBuffer(value) ? value : Buffer.from(part.text);
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), content, Buffer.from('\r\n')]);
}

const textKeyword = (view: SchemaView, keyword: 'contentEncoding' | 'contentMediaType'): string | undefined =>
  first(view, (schema: Schema) => (schema as Record<string, unknown>)[keyword] as string | undefined);

/** Whether a property is a file: `format: binary`, or since 3.1 a text of a media type that is not encoded, or nothing said (3.1.1, section 4.8.15.1.1). */
function isBytes(document: Json, view: SchemaView, encoding: SpecEncoding | undefined): boolean {
  if (first(view, formatOf) === 'binary') return true;
  if (textKeyword(view, 'contentEncoding') !== undefined || view.types.some((type) => type !== 'string')) return false;
  const type = encoding?.contentType ?? textKeyword(view, 'contentMediaType');
  if (type !== undefined) return !/[/+]json\b|^\s*text\//i.test(type);
  return (
    !String(document['openapi']).startsWith('3.0') &&
    view.parts.every(({ value }) => typesOf(value).length === 0 && Object.keys(value).length === 0)
  );
}

// Bodies of requests that are sequences of items: JSON Lines and JSON text sequences.

/** @returns the items of a media type as a media type of their own; `undefined` if it declares none. */
export function itemMediaOf(type: string, media: SpecMedia): SpecMedia | undefined {
  const declared = isSequence(type) ? itemSchemaOf(type, media) : undefined;
  return declared && { schema: declared.schema };
}

/** Events are sent by servers alone. */
export const isSequence = (type: string): boolean => ['lines', 'records'].includes(sequenceKind(type) ?? '');

/** One item, or a list of them, as the body of the media type. */
export function encodeItems(type: string, items: unknown): string {
  const separator = sequenceKind(type) === 'records' ? '\x1E' : '';
  return [items].flat().map((item) => `${separator}${JSON.stringify(item)}\n`).join(''); // prettier-ignore
}
