/**
 * CORS (Fetch, "CORS protocol"): pages of other origins may call the API. What they may send and read comes from the contract, at boot.
 *
 * Nothing of a request is sent back: an origin is compared, and its configured spelling is sent.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type ContractOperation, HeaderFields, RATE_LIMIT_HEADERS, type RequiredScheme, distinctNames } from '@specwright/contract';
import { ACCEPT_QUERY, acceptedQueries, acceptedQueriesBeside } from '../accept-query.ts';
import type { AnyStep, Step } from '../step.ts';
import type { FindPreflight, PathOptions } from '../match/match.ts';
import { MOCK_HEADER, PREFER_HEADER } from '../../mock.ts';
import { ANY_ORIGIN } from './origins.ts';

export interface CorsOptions {
  /** Origins as browsers send them, such as `https://app.example.com` and `http://localhost:5173`; or `*` alone: every origin. */
  readonly origins: readonly string[];
  /** Whether browsers send cookies, which an API key in a cookie needs. Default: `false`. */
  readonly credentials?: boolean;
  /** How long browsers keep the answer to a preflight, in s. Default: 7200, which is the most that Chromium keeps one. */
  readonly maxAge?: number;
}

/** @param operations of a contract; @param written what the pipeline writes beside them. */
export type Cors = (operations: readonly ContractOperation[], written: WrittenHeaders) => ServiceCors;

export interface ServiceCors {
  /** The first step of every request, so that its headers are on every response. @param operation `undefined` for a request that is none's. */
  readonly addHeaders: (operation: ContractOperation | undefined) => Step;
  /** Finds what answers the preflights of a path. @param stepsOf its steps, of the one that adds the headers. */
  readonly preflights: (path: PathOptions, stepsOf: (addHeaders: Step) => readonly AnyStep[]) => FindPreflight;
}

const MAX_AGE_SECONDS = 7200;

export function createCors({ origins, credentials = false, maxAge = MAX_AGE_SECONDS }: CorsOptions): Cors {
  const constant: Record<string, string> = credentials ? { 'Access-Control-Allow-Credentials': 'true' } : {};
  const addTo = origins.includes(ANY_ORIGIN) ? anyOrigin : someOrigins(origins);

  return (operations, written) => {
    const withoutOperation = allowedWithoutOperation(operations);
    const hasQueries = acceptedQueries(operations) !== undefined;
    const preferred = written.hasMock ? [PREFER_HEADER] : [];
    return {
      addHeaders(operation) {
        const saysQueries = operation === undefined ? hasQueries : acceptedQueriesBeside(operation, operations) !== undefined;
        const exposed = exposedHeaders(operation, { ...written, saysQueries }).join(', ');
        return addTo({ ...constant, 'Access-Control-Expose-Headers': exposed });
      },

      preflights({ methods, targets }, stepsOf) {
        const answerOf = (allowed: readonly string[]) => {
          const fields = {
            ...constant,
            'Access-Control-Allow-Methods': methods.join(', '),
            'Access-Control-Allow-Headers': allowed.join(', '),
            'Access-Control-Max-Age': String(maxAge),
          };
          return stepsOf(addTo(fields, 'Access-Control-Request-Method'));
        };
        const byMethod = new Map(
          [...targets].map(([method, some]) => {
            const found = some.flatMap(({ operation }) => operation ?? []);
            const read = some.flatMap(({ readHeaders = [] }) => readHeaders);
            return [method, answerOf(found.length > 0 ? [...allowedHeaders(found), ...preferred] : [...withoutOperation, ...read])];
          }),
        );
        // For GET, HEAD and POST a page needs no permission: it can read the 405.
        const other = answerOf(withoutOperation);
        return ({ origin, 'access-control-request-method': method }) => {
          if (method === undefined || !isAdmitted(origins, origin)) return undefined;
          return { steps: byMethod.get(method) ?? other, isServed: methods.includes(method) };
        };
      },
    };
  };
}

const isAdmitted = (origins: readonly string[], origin: IncomingHttpHeaders['origin']): boolean =>
  origin !== undefined && (origins.includes(origin) || origins.includes(ANY_ORIGIN));

/** Makes the step that adds fields. @param varies what they depend on beside the origin. */
type AddFields = (fields: Readonly<Record<string, string>>, ...varies: readonly string[]) => Step;

/** On responses to requests without `Origin` too: a cache may give them to a page (Fetch, "CORS protocol and HTTP caches"). */
const anyOrigin: AddFields = (fields, ...varies) => {
  const all = HeaderFields.of({ 'Access-Control-Allow-Origin': ANY_ORIGIN, ...fields });
  for (const name of varies) all.append('Vary', name);
  return ({ headers }) => void headers.merge(all);
};

/** `Vary` is on every response: a cache must not give a page what another one, or none, has asked for. */
const someOrigins = (origins: readonly string[]): AddFields => {
  const configured = new Map(origins.map((origin) => [origin, origin]));
  return (fields, ...varies) => {
    const all = HeaderFields.of(fields);
    const vary = ['Origin', ...varies].join(', ');
    return ({ headers, request }) => {
      headers.append('Vary', vary);
      const { origin } = request.headers;
      if (origin === undefined) return;
      const admitted = configured.get(origin);
      if (admitted === undefined) return;
      headers.set('Access-Control-Allow-Origin', admitted).merge(all);
    };
  };
};

/** What the pipeline reads of every request: its id, and its trace (W3C Trace Context). */
const READ_ALWAYS = ['X-Request-Id', 'traceparent', 'tracestate'];

const allowedHeaders = (operations: readonly ContractOperation[]): string[] =>
  distinctNames([
    ...credentialHeaders(operations),
    ...operations.flatMap(({ body, headerParameters }) => [...(body === null ? [] : ['Content-Type']), ...headerParameters]),
    ...READ_ALWAYS,
  ]);

/** Those of requests that are no operation's: credentials say whose limits they count against. @param operations of the contract. */
const allowedWithoutOperation = (operations: readonly ContractOperation[]): string[] =>
  distinctNames([...credentialHeaders(operations), ...READ_ALWAYS]);

const credentialHeaders = (operations: readonly ContractOperation[]): string[] =>
  operations.flatMap(({ requirements }) => requirements.flat().flatMap(credentialHeader));

function credentialHeader({ definition }: RequiredScheme): string[] {
  if (definition.type !== 'apiKey') return ['Authorization'];
  return definition.in === 'header' ? [definition.name] : [];
}

/** Every page may read these (Fetch, "CORS-safelisted response-header name"), and none may read cookies. */
const NOT_LISTED = new Set([
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'],
  ...['set-cookie', 'set-cookie2'],
]);

interface WrittenHeaders {
  readonly hasLimits: boolean;
  /** Whether a mock answers for handlers that are not written. */
  readonly hasMock?: boolean;
}

/** The names of the response headers of an operation, or of what is none, whatever its status. */
function exposedHeaders(
  operation: ContractOperation | undefined,
  { hasLimits, hasMock = false, saysQueries }: WrittenHeaders & { readonly saysQueries: boolean },
): string[] {
  const names = [
    ...(operation === undefined ? ['Allow', 'ETag'] : headersOf(operation)),
    ...['X-Request-Id', 'Retry-After'],
    ...(hasLimits ? RATE_LIMIT_HEADERS : []),
    ...(hasMock ? [MOCK_HEADER] : []),
    ...(saysQueries ? [ACCEPT_QUERY] : []),
  ];
  return distinctNames(names).filter((name) => !NOT_LISTED.has(name.toLowerCase()));
}

function headersOf({ responses, requirements, stability, deprecation, acceptsIdempotencyKey }: ContractOperation): string[] {
  return [
    ...Object.values(responses).flatMap(({ headers }) => Object.keys(headers)),
    ...(requirements.length > 0 ? ['WWW-Authenticate'] : []),
    ...(deprecation?.since ? ['Deprecation'] : []),
    ...(deprecation?.sunset ? ['Sunset'] : []),
    ...(deprecation?.successor ? ['Link'] : []),
    ...(stability === null ? [] : ['X-Stability']),
    ...(acceptsIdempotencyKey ? ['Idempotent-Replayed'] : []),
  ];
}
