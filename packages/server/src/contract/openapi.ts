/** The parts of OpenAPI 3.0.3 that this project reads, as types, and how a `$ref` is followed. */

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;
export type Method = (typeof METHODS)[number];

export interface Reference {
  $ref: string;
}

/** OpenAPI 3.0.3 Schema Object; JSON Schema keywords that only the schema compiler reads are left open. */
export interface Schema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
  default?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

export interface MediaType {
  schema?: Schema;
  encoding?: Record<string, Encoding>;
}

/** How one property of a form is written (OpenAPI 3.0.3, section 4.7.15). */
export interface Encoding {
  contentType?: string;
  style?: string;
  explode?: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema?: Schema;
  content?: Record<string, MediaType>;
}

export interface Header {
  required?: boolean;
  schema?: Schema;
  content?: Record<string, MediaType>;
}

export interface Response {
  description?: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

export interface RequestBody {
  required?: boolean;
  content: Record<string, MediaType>;
}

export interface OperationObject {
  operationId?: string;
  deprecated?: boolean;
  parameters?: (Parameter | Reference)[];
  requestBody?: RequestBody | Reference;
  responses: Record<string, Response | Reference>;
  security?: Record<string, string[]>[];
  servers?: Server[];
  callbacks?: Record<string, unknown>;
  'x-stability'?: unknown;
  'x-deprecated-since'?: unknown;
  'x-deprecated-sunset'?: unknown;
  'x-deprecated-successor'?: unknown;
  'x-rate-limit-cost'?: unknown;
}

export interface Server {
  url: string;
  variables?: Record<string, { default?: string }>;
}

export type PathItem = { parameters?: (Parameter | Reference)[]; servers?: Server[] } & { [method in Method]?: OperationObject };

export interface Document {
  openapi: string;
  info: { title: string; version: string };
  servers?: Server[];
  paths: Record<string, PathItem>;
  security?: Record<string, string[]>[];
  'x-rate-limit-plans'?: unknown;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, unknown>;
    [section: string]: unknown;
  };
}

/**
 * Follows `$ref`s within the document until something else stands there.
 *
 * @throws Error if a reference leads nowhere, out of the document, or in a circle.
 */
export function resolve<T>(document: Document, value: T | Reference): T {
  return resolveAt<T>(document, value, '#').value;
}

/** As `resolve`, for a value that stands at `pointer`; tells where what it found stands. */
export function resolveAt<T>(document: Document, value: T | Reference, pointer: string): { value: T; pointer: string } {
  const seen = new Set<string>();
  let current: unknown = value;
  let at = pointer;
  while (isReference(current)) {
    at = current.$ref;
    if (seen.has(at) || !at.startsWith('#/')) throw new Error(`${at} cannot be resolved within the document`);
    seen.add(at);
    current = valueAt(document, pointerKeys(at));
    if (current === undefined) throw new Error(`${at} leads nowhere`);
  }
  return { value: current as T, pointer: at };
}

/** What stands at a place; `undefined` if nothing does. */
export function valueAt(document: Document, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((parent, key) => (parent as Record<string, unknown> | null | undefined)?.[key], document);
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && typeof (value as Reference).$ref === 'string';
}

/** A JSON pointer as its keys: `#/paths/~1users/get` -> `['paths', '/users', 'get']` (RFC 6901, sections 4 and 6). */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The keys as a JSON pointer in a URI fragment (RFC 6901, section 6): `#/paths/~1pets/get`. */
export function pointerTo(...keys: readonly (string | number)[]): string {
  return `#${keys.map((key) => `/${encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')}`;
}

/** One operation of the document with the path item it stands in. */
export interface DocumentOperation {
  readonly id: string;
  readonly path: string;
  readonly method: Method;
  readonly item: PathItem;
  readonly operation: OperationObject;
}

/** Every operation of a document that `complete` has made, in the order of the document. */
export function listOperations(document: Document): DocumentOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ id: operation.operationId ?? '', path, method, item, operation }];
    }),
  );
}

/** The parameters of an operation: those of its path item, overridden by its own of the same name and place. */
export function parametersOf(document: Document, { item, operation }: DocumentOperation): Parameter[] {
  const byKey = new Map<string, Parameter>();
  for (const reference of [...(item.parameters ?? []), ...(operation.parameters ?? [])]) {
    const parameter = resolve<Parameter>(document, reference);
    byKey.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  // OpenAPI 3.0.3, section 4.7.12.1: a header parameter of one of these names shall be ignored.
  const ignored = ['accept', 'content-type', 'authorization'];
  return [...byKey.values()].filter((p) => !(p.in === 'header' && ignored.includes(p.name.toLowerCase())));
}
