/** Requests that make any operation answer the statuses that mean the same everywhere, from what the document says of it. */
import { compilePattern, formatOf, patternOf, refusalStatuses, type Schema } from '@specwright/contract/document';
import type { Json, SpecMedia, SpecOperation, SpecParameter } from './document.ts';
import type { Call } from './operation-client.ts';
import { encodeItems, isSequence, itemMediaOf, bodyKind } from './values/sample.ts';
import { type SchemaView, first, viewSchema } from '../../schema/schema-view.ts';
import type { HttpResponse } from './witnesses/witness.ts';

export interface GenericContext {
  readonly document: Json;
  /** A call that the operation answers with a 2xx status. */
  readonly success: () => Promise<Call>;
  readonly send: (call: Call) => Promise<HttpResponse>;
}

/** The calls that provoke a status; none if the operation is not of a kind that has them. */
export type GenericScenario = (operation: SpecOperation, context: GenericContext) => Promise<readonly Call[]> | readonly Call[];

const UNDECLARED = 'not-in-the-contract';
const NOT_JSON = 'a proxy that parses JSON does not pass on what is none';
const NOT_MULTIPART = 'a proxy that parses parts does not pass on what are none';

export const GENERIC_SCENARIOS = {
  304: async (operation, { success, send }) => {
    if (!hasHeader(operation, 'If-None-Match')) return [];
    const call = await success();
    const etag = (await send(call)).headers.get('etag') ?? '';
    return ['*', etag, `W/${etag}`, `"other", ${etag}`].map((tag) => ({ ...call, headers: { ...call.headers, 'If-None-Match': tag } }));
  },

  400: refusedWith(400),

  401: ({ secured }) => (secured ? [{ anonymous: true }] : []),

  404: async ({ parameters }, { document, success }) => {
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    const ids = inPath.map((parameter) => [parameter.name, unusedId(document, parameter)] as const);
    if (ids.length === 0 || ids.some(([, id]) => id === undefined)) return [];
    return [{ ...(await success()), path: Object.fromEntries(ids) as Record<string, number | string> }];
  },

  412: async (operation, { success }) => {
    if (!hasHeader(operation, 'If-Match')) return [];
    const call = await success();
    return [{ ...call, headers: { ...call.headers, 'If-Match': '"0"' } }];
  },

  413: ({ body, bodyLimit }) => (body === undefined ? [] : [{ body: { padding: 'x'.repeat(bodyLimit) } }]),
  415: refusedWith(415),
  422: refusedWith(422),
} as const satisfies Record<number, GenericScenario>;

/** What a server refuses with 400 or 415, where `status` is what the operation declares for that. */
function refusedWith(status: number): (operation: SpecOperation, context: GenericContext) => Call[] {
  return (operation, { document }) => {
    const declared = refusalStatuses(operation.statuses);
    return [
      ...(declared.get(400) === status ? invalidRequests(document, operation) : []),
      ...(declared.get(415) === status ? otherMediaTypes(operation) : []),
    ];
  };
}

const invalidRequests = (document: Json, operation: SpecOperation): Call[] => [
  ...undeclaredQuery(document, operation),
  ...operation.parameters.filter((parameter) => isRejected(document, parameter, '!')).map(malformed),
  ...malformedBodies(document, operation),
];

/** None where any name may be in the query. */
export const undeclaredQuery = (document: Json, operation: SpecOperation): Call[] =>
  takesAnyQuery(document, operation) ? [] : [{ query: `${UNDECLARED}=1`, message: `query/${UNDECLARED}` }];

const hasHeader = ({ parameters }: SpecOperation, name: string): boolean => parameters.some((parameter) => parameter.name === name);

/** Any name may be in the query where an object of any names is spread over it. */
function takesAnyQuery(document: Json, { parameters }: SpecOperation): boolean {
  return parameters.some(({ in: place, schema, explode = true, style = 'form' }) => {
    // OpenAPI 3.2: the whole query is one value.
    if (place === 'querystring') return true;
    if (place !== 'query' || style !== 'form' || !explode || schema === undefined) return false;
    return viewOf(document, schema).type === 'object';
  });
}

/** Whether a text cannot be a value of the parameter. What is not certain is not said. */
function isRejected(document: Json, { schema }: Pick<SpecParameter, 'schema'>, text: string): boolean {
  return schema !== undefined && isRejectedBy(document, viewOf(document, schema), text);
}

function isRejectedBy(document: Json, view: SchemaView, text: string): boolean {
  const { type, types, values, limits } = view;
  if (type === 'array') return isRejectedBy(document, viewSchema(document, view.prefix[0] ?? view.items ?? []), text);
  const [format = '', pattern] = [first(view, formatOf), first(view, patternOf)];
  if (view.unions.length > 0) return false;
  if (types.length > 0 && types.every((one) => ['integer', 'number', 'boolean'].includes(one))) return true;
  if (types.length > 1) return false;
  if (['uuid', 'date', 'date-time', 'decimal'].includes(format)) return true;
  if (values !== undefined) return !values.includes(text);
  return (limits.minLength ?? 0) > text.length || (pattern !== undefined && compilePattern(pattern)?.expression.test(text) === false);
}

/** Where only what is said of values matters, and not where it is said. */
const viewOf = (document: Json, schema: Schema): SchemaView => viewSchema(document, [{ value: schema, pointer: '#' }]);

function malformed({ in: place, name }: SpecParameter): Call {
  const message = `${place}/${name}`;
  if (place === 'path') return { path: { [name]: '!' }, message };
  if (place === 'query') return { query: `${encodeURIComponent(name)}=!`, message };
  return place === 'header' ? { headers: { [name]: '!' }, message } : { headers: { Cookie: `${name}=!` }, message };
}

function malformedBodies(document: Json, { body }: SpecOperation): Call[] {
  const [type, media] = Object.entries(body?.content ?? {})[0] ?? [];
  if (body === undefined || type === undefined) return [];
  if (bodyKind(type) === 'multipart') return malformedParts(type, body.required);
  const items = itemMediaOf(type, media ?? {});
  if (items !== undefined) return malformedItems(document, type, items, body.required);
  if (isSequence(type) || !/[/+]json\b/.test(type)) return [];
  const view = media?.schema && viewOf(document, media.schema);
  const isObject = view !== undefined && view.types.length === 1 && view.type === 'object';
  const headers = { 'Content-Type': type };
  return [
    ...(isObject ? [{ body: [], message: 'body' }] : []),
    ...(isObject && view.isClosed
      ? [{ body: { ...(media?.example as object | undefined), [UNDECLARED]: 1 }, message: `body/${UNDECLARED}` }]
      : []),
    { raw: '{', headers, message: 'body is not JSON', notThroughProxy: NOT_JSON },
    ...(body.required ? [{ raw: '', headers, message: 'body is required', notThroughProxy: NOT_JSON }] : []),
  ];
}

function otherMediaTypes({ body }: SpecOperation): Call[] {
  const [type] = Object.keys(body?.content ?? {});
  if (type === undefined || isSequence(type)) return [];
  const other = { raw: '{}', headers: { 'Content-Type': 'text/not-in-the-contract' }, message: 'header/Content-Type' };
  if (bodyKind(type) === 'multipart') return [{ ...other, notThroughProxy: NOT_MULTIPART }];
  if (!/[/+]json\b/.test(type)) return [];
  return [{ raw: '{}', message: 'header/Content-Type' }, other].map((call) => ({ ...call, notThroughProxy: NOT_JSON }));
}

/** Whether its parts are declared or not, a body has to be one. */
function malformedParts(type: string, isRequired: boolean): Call[] {
  const headers = { 'Content-Type': `${type}; boundary=b` };
  const part = 'Content-Disposition: form-data; name="a"\r\n\r\nb\r\n';
  return [
    { raw: `--b\r\n${part}--b`, headers, message: 'the body ends before its last boundary' },
    { raw: `--b\r\n${part}--b--`, headers: { 'Content-Type': type }, message: 'header/Content-Type' },
    { raw: `--b\r\n\r\nb\r\n--b--`, headers, message: 'a part has no Content-Disposition' },
    { raw: `--b\r\n${part.replace('"a"', `"${UNDECLARED}"; filename="a"`)}--b--`, headers, message: `body/${UNDECLARED}` },
    ...(isRequired ? [{ raw: '', headers, message: 'body is required' }] : []),
  ].map((call) => ({ ...call, notThroughProxy: NOT_MULTIPART }));
}

function malformedItems(document: Json, type: string, { schema }: SpecMedia, isRequired: boolean): Call[] {
  const view = schema && viewOf(document, schema);
  const isObject = view !== undefined && view.types.length === 1 && view.type === 'object';
  const headers = { 'Content-Type': type };
  return [
    ...(isObject ? [{ body: [[]], headers, message: 'body/0' }] : []),
    ...(isObject && view.isClosed ? [{ body: [{ [UNDECLARED]: 1 }], headers, message: `body/0/${UNDECLARED}` }] : []),
    { raw: encodeItems(type, {}).replace('}', ''), headers, message: 'body/0 is not JSON', notThroughProxy: NOT_JSON },
    ...(isRequired ? [{ raw: '', headers, message: 'body is required', notThroughProxy: NOT_JSON }] : []),
  ];
}

/** An id that fits the parameter and that no resource has. */
function unusedId(document: Json, { schema }: SpecParameter): number | string | undefined {
  if (schema === undefined) return undefined;
  return unlikelyId(viewOf(document, schema));
}

/** The greatest integer, or a UUID that is nobody's; `undefined` for any other value. */
export function unlikelyId(view: SchemaView): number | string | undefined {
  const format = first(view, formatOf);
  const { maximum, exclusiveMaximum = Infinity } = view.limits;
  const largest = format === 'int32' ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER;
  if (view.type === 'integer') return maximum ?? Math.min(exclusiveMaximum - 1, largest);
  return format === 'uuid' ? '00000000-0000-4000-8000-000000000000' : undefined;
}
