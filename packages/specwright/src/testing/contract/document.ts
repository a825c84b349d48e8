/**
 * Reads the operations of an OpenAPI document. It does not use the server's own reading of operations: what tests expect of a
 * server must not come from there. Schemas are read by the functions of their model.
 */
import { type Document, type Schema, pointerTo, resolveAt } from '@specwright/contract/document';
import { parse } from 'yaml';

export type Json = Readonly<Record<string, unknown>>;

/** How a property of a form is written (OpenAPI 3.1.1, section 4.8.15). */
export interface SpecEncoding {
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
}

/** A Media Type Object, and whatever else has a schema and examples (OpenAPI 3.0.3, section 4.7.14). */
export interface SpecMedia {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
  readonly encoding?: Readonly<Record<string, SpecEncoding>>;
  /** Of each item of a sequence (OpenAPI 3.2); before, `x-item-schema`. */
  readonly itemSchema?: Schema;
  readonly 'x-item-schema'?: Schema;
}

export interface SpecParameter extends SpecMedia {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring';
  readonly required?: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  /** Where it is in the document. */
  readonly pointer: string;
  readonly content?: Readonly<Record<string, SpecMedia>>;
}

export type SpecSecurityScheme =
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly scheme: string; readonly bearerFormat?: string }
  | { readonly type: 'oauth2' | 'openIdConnect' | 'mutualTLS' };

/** A scheme that an operation requires. */
export interface SpecRequirement {
  readonly name: string;
  readonly scheme: SpecSecurityScheme;
  /** Its scopes, or roles (OpenAPI 3.1). */
  readonly scopes: readonly string[];
}

export interface SpecOperation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  /** Alternatives, each with schemes of which all must hold. */
  readonly security: readonly (readonly SpecRequirement[])[];
  /** Whether a request without credentials has to be refused. */
  readonly secured: boolean;
  readonly deprecated: boolean;
  /** The largest body that is accepted, in bytes (`x-body-limit`). */
  readonly bodyLimit: number;
  /** What a request weighs against the rate limits (`x-rate-limit-cost`). */
  readonly cost: number;
  readonly parameters: readonly SpecParameter[];
  readonly body:
    { readonly required: boolean; readonly content: Readonly<Record<string, SpecMedia>>; readonly pointer: string } | undefined;
  /** The keys of its responses: `200`, `4XX`, `default`. */
  readonly statuses: readonly string[];
  /** Its Responses Object. */
  readonly responses: Located;
}

/** That of `@specwright/server`, in bytes. */
const DEFAULT_BODY_LIMIT = 64 * 1024;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
// OpenAPI 3.0.3, section 4.7.12.1: a header parameter of one of these names shall be ignored.
const IGNORED_HEADERS = ['accept', 'content-type', 'authorization'];

/** @param source the text of a document in YAML or JSON, or the document. @throws Error if it is none. */
export function parseDocument(source: string | object): Json {
  const document: unknown = typeof source === 'string' ? parseText(source) : source;
  if (typeof document !== 'object' || document === null || !('openapi' in document))
    throw new Error('not an OpenAPI document: it has no `openapi`');
  return document;
}

/** JSON is YAML too, but a parser of YAML takes thirty times as long for it. */
function parseText(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return parse(text, { merge: true });
  try {
    return JSON.parse(text);
  } catch {
    return parse(text, { merge: true });
  }
}

/** A value of the document with where it is, as a JSON pointer in a URI fragment. */
export interface Located<T = Json> {
  readonly value: T;
  readonly pointer: string;
}

/** Follows `$ref`s. @throws Error if one leads nowhere, out of the document or in a circle. */
export const follow = <T = Json>(document: Json, value: unknown, pointer = '#'): Located<T> =>
  resolveAt<T>(document as unknown as Document, value as T, pointer);

/** The pointer to a child. */
export const child = (pointer: string, ...keys: readonly string[]): string => pointer + pointerTo(...keys).slice(1);

/** In the order of the document; none if it has no `paths`. */
export function listOperations(document: Json): SpecOperation[] {
  return Object.entries((document['paths'] ?? {}) as Record<string, Json>).flatMap(([path, reference]) => {
    const { value: item, pointer } = follow(document, reference, child('#', 'paths', path));
    return [
      ...METHODS.filter((method) => method in item).map((method) => [method.toUpperCase(), [method], item[method]] as const),
      // OpenAPI 3.2: by the method as it is sent.
      ...Object.entries((item['additionalOperations'] ?? {}) as Json).map(
        ([method, operation]) => [method, ['additionalOperations', method], operation] as const,
      ),
    ].map(([method, keys, operation]) =>
      readOperation(document, { path, method, item, itemPointer: pointer, operation: operation as Json, at: child(pointer, ...keys) }),
    );
  });
}

interface OperationParts {
  readonly path: string;
  readonly method: string;
  readonly item: Json;
  readonly itemPointer: string;
  readonly operation: Json;
  readonly at: string;
}

function readOperation(document: Json, { path, method, item, itemPointer, operation, at }: OperationParts): SpecOperation {
  const security = ((operation['security'] ?? document['security'] ?? []) as Record<string, string[]>[]).map((alternative) =>
    Object.entries(alternative).map(([name, scopes]) => ({ name, scheme: schemeOf(document, name), scopes })),
  );
  const { value: body, pointer } = follow<{ required?: boolean; content: Record<string, SpecMedia> } | undefined>(
    document,
    operation['requestBody'],
    child(at, 'requestBody'),
  );
  const responses = { value: (operation['responses'] ?? {}) as Json, pointer: child(at, 'responses') };
  return {
    id: (operation['operationId'] as string | undefined) ?? `${method} ${path}`,
    method,
    path,
    security,
    secured: security.length > 0 && security.every((schemes) => schemes.length > 0),
    deprecated: operation['deprecated'] === true,
    bodyLimit: (operation['x-body-limit'] ?? document['x-body-limit'] ?? DEFAULT_BODY_LIMIT) as number,
    cost: (operation['x-rate-limit-cost'] as number | undefined) ?? 1,
    parameters: readParameters(document, itemPointer, item, at, operation),
    body: body && { required: body.required ?? false, content: body.content, pointer },
    statuses: Object.keys(responses.value),
    responses,
  };
}

/** Those of the operation override those of its path (OpenAPI 3.0.3, section 4.7.10). */
function readParameters(document: Json, itemPointer: string, item: Json, pointer: string, operation: Json): SpecParameter[] {
  const byKey = new Map<string, SpecParameter>();
  const listed = [
    { at: itemPointer, node: item },
    { at: pointer, node: operation },
  ].flatMap(({ at, node }) =>
    ((node['parameters'] ?? []) as unknown[]).map((one, i) =>
      follow<Omit<SpecParameter, 'pointer'>>(document, one, child(at, 'parameters', String(i))),
    ),
  );
  for (const located of listed) {
    const parameter = { ...located.value, pointer: located.pointer };
    if (parameter.in === 'header' && IGNORED_HEADERS.includes(parameter.name.toLowerCase())) continue;
    byKey.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...byKey.values()];
}

function schemeOf(document: Json, name: string): SpecSecurityScheme {
  const schemes = (document['components'] as { securitySchemes?: Json } | undefined)?.securitySchemes ?? {};
  return follow<SpecSecurityScheme>(document, schemes[name]).value;
}
