/** The operation table of a document: everything about its operations except schemas. */
import { streamedTypes } from '../extensions/stream-bodies.ts';
import { defaultOf } from '../schema/default-value.ts';
import {
  parametersOf,
  listOperations,
  resolve,
  type Document,
  type Header,
  type Method,
  type RequestBody,
  type Response,
  type Schema,
} from '../document/openapi.ts';

/** The response of one status: the media types of its body (none: no body) and its headers, `true` if required. */
interface ResponseEntry {
  readonly types: readonly string[];
  readonly headers: Readonly<Record<string, boolean>>;
}

/** One row of the operation table. `generated/operations.ts` holds them all. */
export interface Operation {
  readonly method: Method;
  readonly path: string;
  /** The alternatives of OpenAPI's Security Requirement Objects; each names schemes that are all required. None: no security. */
  readonly security: readonly (readonly string[])[];
  /** The scopes that its alternatives require, by scheme: of schemes that it requires some of. */
  readonly scopes?: Readonly<Record<string, readonly string[]>>;
  readonly stability: 'experimental' | 'beta' | null;
  /** Dates are days of UTC, `YYYY-MM-DD`; the successor is an operationId. */
  readonly deprecation: { readonly since: string | null; readonly sunset: string | null; readonly successor: string | null } | null;
  /** How much a request counts against the rate limits (`x-rate-limit-cost`). 0: it is not counted. */
  readonly cost: number;
  /** The parameters that have a default, which are never absent after validation. */
  readonly defaults: { readonly query: readonly string[]; readonly header: readonly string[]; readonly cookie: readonly string[] };
  /** `streams` are those of the types that the handler gets as streams (`x-stream`), if there are any. */
  readonly body: { readonly required: boolean; readonly types: readonly string[]; readonly streams?: readonly string[] } | null;
  readonly responses: Readonly<Record<string, ResponseEntry>>;
}

export type OperationTable = Readonly<Record<string, Operation>>;

/**
 * The table of a document that has passed `checkDocument`.
 *
 * @returns operationId -> row, in the order of the document.
 */
export function operationTable(document: Document): Record<string, Operation> {
  const table: Record<string, Operation> = {};
  for (const documentOperation of listOperations(document)) {
    const { id, operation, method, path } = documentOperation;
    const withDefault = (location: string) =>
      parametersOf(document, documentOperation)
        .filter((p) => p.in === location && p.schema && defaultOf(document, resolve<Schema>(document, p.schema)) !== undefined)
        .map((p) => p.name);
    const streams = streamedTypes(document, documentOperation);
    const alternatives = operation.security ?? document.security ?? [];
    const scopes = scopesOf(alternatives);
    const body = operation.requestBody && resolve<RequestBody>(document, operation.requestBody);
    table[id] = {
      method,
      path,
      security: alternatives.map((alternative) => Object.keys(alternative)),
      ...(Object.keys(scopes).length > 0 && { scopes }),
      stability: (operation['x-stability'] as Operation['stability'] | undefined) ?? null,
      deprecation: operation.deprecated
        ? {
            since: (operation['x-deprecated-since'] as string | undefined) ?? null,
            sunset: (operation['x-deprecated-sunset'] as string | undefined) ?? null,
            successor: (operation['x-deprecated-successor'] as string | undefined) ?? null,
          }
        : null,
      cost: (operation['x-rate-limit-cost'] as number | undefined) ?? 1,
      defaults: { query: withDefault('query'), header: withDefault('header'), cookie: withDefault('cookie') },
      body: body ? { required: body.required ?? false, types: Object.keys(body.content), ...(streams.length > 0 && { streams }) } : null,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, reference]) => {
          const response = resolve<Response>(document, reference);
          const headers = Object.entries(response.headers ?? {}).map(
            ([name, header]) => [name, resolve<Header>(document, header).required ?? false] as const,
          );
          return [status, { types: Object.keys(response.content ?? {}), headers: Object.fromEntries(headers) }];
        }),
      ),
    };
  }
  return table;
}

/** The scopes of all alternatives, by scheme; without schemes of which none are required. */
function scopesOf(alternatives: readonly Readonly<Record<string, readonly string[]>>[]): Record<string, string[]> {
  const scopes: Record<string, string[]> = {};
  for (const [scheme, required] of alternatives.flatMap((alternative) => Object.entries(alternative)))
    if (required.length > 0) scopes[scheme] = [...new Set([...(scopes[scheme] ?? []), ...required])];
  return scopes;
}
