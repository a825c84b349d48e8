/** The parts of OpenAPI that are used here, as types, and functions that read them. */

/** The methods that are fields of a path item; `query` since OpenAPI 3.2. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const;
export type FixedMethod = (typeof METHODS)[number];
/** A field of a path item, or a key of its `additionalOperations` (OpenAPI 3.2), which is the method as it is sent: `COPY`. */
export type Method = FixedMethod | (string & Record<never, never>);

export interface Reference {
  $ref: string;
}

/** A schema of the model. Its keywords are read by the functions of `contract/schema/model.ts`, and by nothing else. */
export interface Schema {
  readonly $ref?: string;
}

export interface MediaType {
  schema?: Schema;
  /** OpenAPI 3.2: of each item of a sequence; before, `x-item-schema`. */
  itemSchema?: Schema;
  'x-item-schema'?: Schema;
  encoding?: Record<string, Encoding>;
  'x-stream'?: unknown;
  'x-multipart'?: unknown;
}

/** How a property of a form is serialized (OpenAPI 3.0.3, section 4.7.15). */
export interface Encoding {
  contentType?: string;
  style?: string;
  explode?: boolean;
  allowReserved?: boolean;
}

export interface Parameter {
  name: string;
  description?: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema?: Schema;
  content?: Record<string, MediaType>;
}

export interface Header {
  required?: boolean;
  explode?: boolean;
  schema?: Schema;
  content?: Record<string, MediaType>;
}

/** OpenAPI 3.0.3, section 4.7.20. */
export interface Link {
  operationId?: string;
  operationRef?: string;
  parameters?: Record<string, unknown>;
}

export interface Response {
  description?: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
  links?: Record<string, Link | Reference>;
}

export interface RequestBody {
  required?: boolean;
  content: Record<string, MediaType>;
}

export interface OperationObject {
  operationId?: string;
  summary?: string;
  description?: string;
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
  'x-body-limit'?: unknown;
  'x-mcp'?: unknown;
  'x-operation-defaults'?: unknown;
}

export interface Server {
  url: string;
  variables?: Record<string, { default?: string }>;
}

export type PathItem = {
  parameters?: (Parameter | Reference)[];
  servers?: Server[];
  additionalOperations?: Record<string, OperationObject>;
} & { [method in FixedMethod]?: OperationObject };

export interface Document {
  openapi: string;
  info: { title: string; version: string };
  /** The base URI of the document (OpenAPI 3.2). */
  $self?: string;
  jsonSchemaDialect?: string;
  webhooks?: Record<string, PathItem>;
  /** What OpenAPI 3.0 has in the place of `webhooks`. */
  'x-webhooks'?: Record<string, PathItem>;
  servers?: Server[];
  paths: Record<string, PathItem>;
  security?: Record<string, string[]>[];
  'x-rate-limit-plans'?: unknown;
  'x-body-limit'?: unknown;
  'x-operation-defaults'?: unknown;
  components?: {
    schemas?: Record<string, Schema>;
    securitySchemes?: Record<string, unknown>;
    [section: string]: unknown;
  };
}

/**
 * Follows `$ref`s within the document to the object that they mean.
 *
 * @throws Error if the target does not exist, is outside the document, or refers to itself.
 */
export function resolve<T>(document: Document, value: T | Reference): T {
  return resolveAt<T>(document, value, '#').value;
}

/** As `resolve`, with the JSON pointer of the target. @param pointer where `value` itself is. */
export function resolveAt<T>(document: Document, value: T | Reference, pointer: string): { value: T; pointer: string } {
  const seen = new Set<string>();
  let current: unknown = value;
  let target = pointer;
  while (isReference(current)) {
    target = current.$ref;
    if (seen.has(target) || !target.startsWith('#/')) throw new Error(`${target} cannot be resolved within the document`);
    seen.add(target);
    current = valueAt(document, pointerKeys(target));
    if (current === undefined) throw new Error(`${target} does not exist`);
  }
  return { value: current as T, pointer: target };
}

export function valueAt(document: Document, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((parent, key) => (parent as Record<string, unknown> | null | undefined)?.[key], document);
}

/** Whether a value is a JSON object: not null, not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && typeof (value as Reference).$ref === 'string';
}

/** Decodes what is percent-encoded, and leaves a `%` that encodes nothing: a name may have it, as in `discount%`. */
export function decodePercent(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** The keys of a JSON pointer: `#/paths/~1users/get` -> `['paths', '/users', 'get']` (RFC 6901, sections 4 and 6). */
export function pointerKeys(pointer: string): string[] {
  return pointer
    .replace(/^#/, '')
    .split('/')
    .slice(1)
    .map((key) => unescapePointer(decodePercent(key)));
}

/** A key as a token of a JSON pointer (RFC 6901, section 3). */
export const escapePointer = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

const unescapePointer = (token: string): string => token.replaceAll('~1', '/').replaceAll('~0', '~');

/** The keys of a JSON pointer that is no fragment: `/a~1b/0` -> `['a/b', '0']` (RFC 6901, section 4). */
export const plainPointerKeys = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapePointer);

/** The JSON pointer of these keys, as a URI fragment (RFC 6901, section 6): `#/paths/~1pets/get`. */
export function pointerTo(...keys: readonly (string | number)[]): string {
  return `#${keys.map((key) => `/${encodeURIComponent(escapePointer(String(key).toWellFormed()))}`).join('')}`;
}

export interface DocumentOperation {
  readonly id: string;
  readonly path: string;
  readonly method: Method;
  readonly item: PathItem;
  readonly operation: OperationObject;
}

/** Every operation of a document that `assignOperationIds` has made, in the order of the document. */
export function listOperations(document: Document): DocumentOperation[] {
  // A document as written need not have any (OpenAPI 3.1).
  return Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, item]) =>
    methodsOf(item).flatMap((method) => {
      const operation = operationAt(item, method);
      return operation === undefined ? [] : [{ id: operation.operationId ?? '', path, method, item, operation }];
    }),
  );
}

const isFixed = (method: Method): method is FixedMethod => (METHODS as readonly string[]).includes(method);

/** The methods that a path item may have: those that are fields, then its `additionalOperations`. */
export const methodsOf = (item: PathItem): Method[] => [
  ...METHODS,
  ...(isObject(item.additionalOperations) ? Object.keys(item.additionalOperations).filter((method) => !isFixed(method)) : []),
];

export const operationAt = (item: PathItem | undefined, method: Method): OperationObject | undefined =>
  isFixed(method) ? item?.[method] : item?.additionalOperations?.[method];

export const methodKeys = (method: Method): string[] => (isFixed(method) ? [method] : ['additionalOperations', method]);

export const operationKeys = ({ path, method }: Pick<DocumentOperation, 'path' | 'method'>): string[] => [
  'paths',
  path,
  ...methodKeys(method),
];

/** The path item with another operation for a method; without it, if that is `undefined`. */
export function withOperation(item: PathItem, method: Method, operation: OperationObject | undefined): PathItem {
  if (!isFixed(method)) {
    const others = Object.entries(item.additionalOperations ?? {}).filter(([name]) => name !== method);
    return { ...item, additionalOperations: Object.fromEntries(operation === undefined ? others : [...others, [method, operation]]) };
  }
  if (operation !== undefined) return { ...item, [method]: operation };
  const copy = { ...item };
  delete copy[method];
  return copy;
}

/** The method as it is sent: case counts (RFC 9110, section 9.1). */
export const sentMethod = (method: Method): string => (isFixed(method) ? method.toUpperCase() : method);

/** Methods of requests that change nothing (RFC 9110, section 9.2.1; RFC 10008, section 2). */
const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'];

export const isSafe = (method: Method): boolean => SAFE_METHODS.includes(sentMethod(method));

/** Where named parameters are read from. */
const LOCATIONS: readonly string[] = ['path', 'query', 'header', 'cookie'];

/** The parameters of an operation: those of its path item, overridden by its own of the same name and `in`. */
export const parametersOf = (document: Document, operation: DocumentOperation): Parameter[] =>
  locatedParametersOf(document, operation).map(({ value }) => value);

/** OpenAPI 3.2: the whole query as one value, of its one media type. */
export interface WholeQuery extends Omit<Parameter, 'in'> {
  in: 'querystring';
}

interface LocatedParameter<T> {
  readonly value: T;
  /** That of the component, if it is one. */
  readonly pointer: string;
}

/** As `parametersOf`, each with its JSON pointer. */
export const locatedParametersOf = (document: Document, operation: DocumentOperation): LocatedParameter<Parameter>[] =>
  allParametersOf(document, operation).filter((one): one is LocatedParameter<Parameter> => LOCATIONS.includes(one.value.in));

/** The parameters of an operation that are its whole query: one at most, in a document that was checked. */
export const wholeQueriesOf = (document: Document, operation: DocumentOperation): LocatedParameter<WholeQuery>[] =>
  allParametersOf(document, operation).filter((one): one is LocatedParameter<WholeQuery> => one.value.in === 'querystring');

function allParametersOf(
  document: Document,
  { item, operation, path, method }: DocumentOperation,
): LocatedParameter<Parameter | WholeQuery>[] {
  const byKey = new Map<string, LocatedParameter<Parameter | WholeQuery>>();
  for (const [parameters = [], keys] of [
    [item.parameters, ['paths', path]],
    [operation.parameters, operationKeys({ path, method })],
  ] as const)
    parameters.forEach((reference, i) => {
      const located = resolveAt<Parameter | WholeQuery>(document, reference, pointerTo(...keys, 'parameters', i));
      byKey.set(`${located.value.in} ${located.value.name}`, located);
    });
  // OpenAPI 3.0.3, section 4.7.12.1: a header parameter of one of these names shall be ignored.
  const ignored = ['accept', 'content-type', 'authorization'];
  return [...byKey.values()].filter(({ value }) => !(value.in === 'header' && ignored.includes(value.name.toLowerCase())));
}

export const headerParameters = (document: Document, operation: DocumentOperation): string[] =>
  parametersOf(document, operation).flatMap(({ in: location, name }) => (location === 'header' ? [name] : []));

export interface DeclaredMedia {
  readonly type: string;
  readonly media: MediaType;
  /** That of the component's, if the body is one. */
  readonly pointer: string;
}

export function requestMedia(document: Document, { path, method, operation }: DocumentOperation): DeclaredMedia[] {
  if (operation.requestBody === undefined) return [];
  const at = pointerTo(...operationKeys({ path, method }), 'requestBody');
  const { value, pointer } = resolveAt<RequestBody>(document, operation.requestBody, at);
  return mediaOf(value, pointer);
}

export function responseMedia(document: Document, { path, method, operation }: DocumentOperation): DeclaredMedia[] {
  return Object.entries(operation.responses).flatMap(([status, reference]) => {
    const at = pointerTo(...operationKeys({ path, method }), 'responses', status);
    const { value, pointer } = resolveAt<Response>(document, reference, at);
    return mediaOf(value, pointer);
  });
}

export const mediaOf = ({ content = {} }: Pick<Response, 'content'>, pointer: string): DeclaredMedia[] =>
  Object.entries(content).map(([type, media]) => ({ type, media, pointer: pointer + pointerTo('content', type).slice(1) }));

/** Whether the header `Idempotency-Key` is one of them, and the method one that has an effect. */
export const acceptsIdempotencyKey = (document: Document, operation: DocumentOperation): boolean =>
  !isSafe(operation.method) && headerParameters(document, operation).some((name) => name.toLowerCase() === 'idempotency-key');
