/** Finds the operation that reads what another one has written: by the contract's links, the Location header or its paths. */
import type { Schema } from '@specwright/contract/document';
import { child, follow, type Json, type Located, type SpecOperation } from './document.ts';
import type { Call } from './operation-client.ts';
import { viewSchema, type Schemas } from '../../schema/schema-view.ts';
import { statusKey, type HttpResponse, type Witness } from './witnesses/witness.ts';

export interface Reading {
  readonly operation: SpecOperation;
  readonly path: Readonly<Record<string, string>>;
  readonly query?: string;
}

export interface Written {
  readonly operation: SpecOperation;
  /** The request, with all the parameters of its path. */
  readonly call: Call;
  readonly response: HttpResponse;
}

interface Link {
  readonly operationId?: string;
  readonly operationRef?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The schema of the JSON body of a response; `undefined` if it declares none. */
export function responseSchemas(document: Json, operation: SpecOperation, status: number): Schemas | undefined {
  const declared = declaredResponse(document, operation, status);
  const content = (declared?.value['content'] ?? {}) as Record<string, { schema?: Schema }>;
  const [type, media] = Object.entries(content).find(([name]) => /[/+]json\b/i.test(name)) ?? [];
  if (declared === undefined || type === undefined || media?.schema === undefined) return undefined;
  return [{ value: media.schema, pointer: child(declared.pointer, 'content', type, 'schema') }];
}

function declaredResponse(document: Json, { responses, statuses }: SpecOperation, status: number): Located | undefined {
  const key = statusKey(statuses, status);
  return key === undefined ? undefined : follow(document, responses.value[key], child(responses.pointer, key));
}

/** The headers of a response, in lower case. */
export const declaredHeaders = (document: Json, operation: SpecOperation, status: number): string[] =>
  Object.keys((declaredResponse(document, operation, status)?.value['headers'] ?? {}) as Json).map((name) => name.toLowerCase());

/** Path parameters as they are sent. */
export const textsOf = (path: Call['path'] = {}): Reading['path'] =>
  Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]));

/** A text that is no JSON is no value. */
export function parseBody({ text }: Pick<HttpResponse, 'text'>): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @returns `undefined` if the contract does not say how it is read. */
export function findReading(spec: Witness, written: Written): Reading | undefined {
  const { document, operations } = spec;
  const gets = operations.filter(({ method }) => method === 'GET');
  const { operation, call, response } = written;
  const path = textsOf(call.path);
  const location = response.status === 201 ? response.headers.get('location') : null;
  const located = location === null ? undefined : matchPath(spec, location);
  if (located !== undefined) return located;
  // A link may lead to anything: one that reads answers with what the writing operation answers with.
  const linked = linksOf(spec, written).find(
    ({ operation: target }) => target.method === 'GET' && isSameSchema(document, operation, response.status, target),
  );
  if (linked !== undefined) return linked;
  if (operation.method !== 'POST') return readingOfPath(spec, operation, path);
  const collection = operation.path.replace(/\/$/, '');
  const item = gets.find((get) => get.path.startsWith(`${collection}/`) && /^\{[^/{}]+\}$/.test(get.path.slice(collection.length + 1)));
  const name = item?.path.slice(collection.length + 2, -1);
  const id = name === undefined ? undefined : idIn(parseBody(response), name);
  return item && name !== undefined && id !== undefined ? { operation: item, path: { ...path, [name]: id } } : undefined;
}

/** Reads what has the path of the operation, if that is one thing. */
export function readingOfPath({ document, operations }: Witness, operation: SpecOperation, path: Reading['path']): Reading | undefined {
  const same = operations.find((one) => one.method === 'GET' && one.path === operation.path);
  return same && isRecord(document, same) ? { operation: same, path } : undefined;
}

/** The value of `id`, or of what the parameter is called, in a response or in the one object that is in it. */
function idIn(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const inner = Object.values(body).filter((value): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value));
  for (const record of [body as Json, ...(inner.length === 1 ? inner : [])])
    for (const key of [name, 'id', 'uuid', 'key', 'name']) {
      const value = record[key];
      if (typeof value === 'string' || typeof value === 'number') return String(value);
    }
  return undefined;
}

const isRecord = (document: Json, operation: SpecOperation): boolean => {
  const schemas = responseSchemas(document, operation, 200);
  return schemas !== undefined && viewSchema(document, schemas).type !== 'array';
};

function isSameSchema(document: Json, written: SpecOperation, status: number, read: SpecOperation): boolean {
  const [a, b] = [responseSchemas(document, written, status)?.[0], responseSchemas(document, read, 200)?.[0]];
  if (b === undefined) return false;
  // A response without a body says nothing of what is read.
  return a === undefined || follow(document, a.value, a.pointer).pointer === follow(document, b.value, b.pointer).pointer;
}

/** The operation that reads a URL. Its path may be below one that the server is mounted at. */
export function matchPath({ operations }: Witness, location: string): Reading | undefined {
  const { pathname, search } = new URL(location, 'http://localhost');
  const found = operations.flatMap((operation) => {
    if (operation.method !== 'GET') return [];
    const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    const pattern = operation.path.split(/\{[^{}]+\}/).map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    const match = new RegExp(`${pattern.join('([^/]+)')}$`).exec(pathname);
    if (match === null) return [];
    const path = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1] ?? '')]));
    return [{ operation, path, length: match[0].length, ...(search !== '' && { query: search.slice(1) }) }];
  });
  // The longest match, and of those the one with the fewest parameters.
  const [best] = found.sort((a, b) => b.length - a.length || Object.keys(a.path).length - Object.keys(b.path).length);
  return best && { operation: best.operation, path: best.path, ...(best.query !== undefined && { query: best.query }) };
}

function linksOf(spec: Witness, written: Written): Reading[] {
  const declared = declaredResponse(spec.document, written.operation, written.response.status);
  return Object.values((declared?.value['links'] ?? {}) as Json).flatMap((one) => {
    const { operationId, operationRef, parameters = {} } = follow<Link>(spec.document, one).value;
    const operation = spec.operations.find(
      ({ id, responses }) => id === operationId || responses.pointer === `${operationRef ?? ''}/responses`,
    );
    if (operation === undefined) return [];
    const values = Object.entries(parameters).map(([name, value]) => [name.replace(/^path\./, ''), evaluate(value, written)] as const);
    const path = Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
    const needed = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    return needed.every((name) => name in path) ? [{ operation, path }] : [];
  });
}

/** A runtime expression, or a constant (OpenAPI 3.0.3, section 4.7.20.3). */
function evaluate(expression: unknown, { call, response }: Written): string | undefined {
  if (typeof expression !== 'string' || !expression.startsWith('$')) return expression === undefined ? undefined : textOf(expression);
  const [, from, kind, name = ''] = /^\$(request|response)\.(body|header|path|query)(?:[#.](.*))?$/.exec(expression) ?? [];
  if (kind === 'body') return textOf(at(from === 'request' ? call.body : parseBody(response), name));
  if (from === 'response') return kind === 'header' ? (response.headers.get(name) ?? undefined) : undefined;
  if (kind === 'path') return textOf(call.path?.[name]);
  return kind === 'query' ? (new URLSearchParams(call.query).get(name) ?? undefined) : undefined;
}

/** RFC 6901. */
function at(value: unknown, pointer: string): unknown {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<unknown>((parent, key) => (parent as Json | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], value);
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value);
