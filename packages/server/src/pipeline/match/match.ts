/** Finds what a request is for by method and path: an operation, an endpoint, or a refusal; and with it its steps. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import {
  type ContractOperation,
  type HeaderFields,
  parsePathTemplate,
  shapeWithoutFragment,
  sentMethod,
  type RequiredScheme,
} from '@specwright/contract';
import { type Found, type Exchange, INITIAL_HEADERS } from '../exchange.ts';
import type { AnyStep, Step } from '../step.ts';
import type * as AcceptQuery from '../accept-query.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { FrameworkError, isAppError } from '@specwright/contract/runtime';
import { send } from '../send-response.ts';
import { authenticate, type AuthenticateOptions } from '../authentication/authenticate.ts';

interface Target {
  readonly operation: ContractOperation | undefined;
  readonly steps: readonly AnyStep[];
  /** The fields that each of its responses has; `INITIAL_HEADERS` if it has no others. */
  readonly headers?: HeaderFields;
  /** The request headers that what is no operation reads. */
  readonly readHeaders?: readonly string[];
}

type OperationTarget = Target & { readonly operation: ContractOperation };

/** A target at a path: how its parameters are called there, and the query that it requires. */
interface Route {
  readonly target: Target;
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Without parameters: those are of a request. */
  readonly match: Match;
}

/** By method; those that require more of the query first. */
type RoutesByMethod = Map<string, Route[]>;

type TargetsByMethod = ReadonlyMap<string, readonly Target[]>;

export interface PathOptions {
  /** Its methods, with those that are answered for all paths. */
  readonly methods: readonly string[];
  readonly targets: TargetsByMethod;
  readonly answer: Step;
}

/** Finds what answers a preflight of CORS by its headers; `undefined` for any other request. */
export type FindPreflight = (headers: IncomingHttpHeaders) => Pick<Match, 'steps' | 'isServed'> | undefined;

interface PathEntry {
  readonly routes: RoutesByMethod;
  readonly preflight: FindPreflight | undefined;
  readonly options: Match;
  readonly notAllowed: Match;
}

interface Match extends Found {
  readonly steps: readonly AnyStep[];
  /** Whether the server has something for the request: `false` for 404, 405 and a path that cannot be decoded. */
  readonly isServed: boolean;
}

export type FindMatch = (request: Pick<IncomingMessage, 'method' | 'headers'>, path: string, search: string) => Match;

export interface EndpointTarget {
  /** Default: GET and HEAD. */
  readonly methods?: readonly string[];
  readonly steps: readonly AnyStep[];
  /** What it reads beside the headers of every request. */
  readonly readHeaders?: readonly string[];
  readonly count: Step;
}

export interface MatchOptions {
  readonly operations: readonly OperationTarget[];
  /** What is served beside the contract, by its path. */
  readonly endpoints: ReadonlyMap<string, EndpointTarget>;
  readonly count: Step;
  /** The steps of OPTIONS. @param end counts and answers it. */
  readonly options: (end: readonly Step[]) => readonly AnyStep[];
  /** Of CORS: a preflight is answered before an operation for OPTIONS, which needs credentials that browsers do not send with it. */
  readonly preflights?: ((path: PathOptions) => FindPreflight) | undefined;
  /** Of a service with an operation for QUERY. */
  readonly acceptQuery?: Pick<typeof AcceptQuery, 'acceptQueryField'> | undefined;
  /** The steps of a request that nothing is served for. @param refuse throws. */
  readonly unmatched: (refuse: Step) => readonly AnyStep[];
}

/**
 * HEAD is answered by GET (RFC 9110, section 9.3.2), OPTIONS with the methods of the path (section 9.3.7), unless the
 * contract has operations for them. A method that the path does not have is 405 with `Allow` (section 15.5.6).
 *
 * Paths are served at the root, and below the path of each server's URL. Endpoints are concrete paths, which OpenAPI prefers to
 * templates (3.0.3, section 4.7.8.1), so that no `/{name}` hides the probes; a concrete path of the contract comes first.
 */
export function match({ operations, endpoints, count, options, preflights, unmatched, acceptQuery }: MatchOptions): FindMatch {
  const refused = (refuse: Step): Match => ({ ...UNMATCHED, steps: unmatched(refuse), isServed: false });
  const toEntry = (routes: RoutesByMethod, countOptions: Step): PathEntry => {
    const methods = [...new Set([...routes.keys(), 'OPTIONS'])];
    const queries = (routes.get('QUERY') ?? []).map(({ target }) => target.operation);
    const fields: MethodFields = { Allow: methods.join(', '), ...acceptQuery?.acceptQueryField(queries) };
    const answer = sendAllow(fields);
    const targets = new Map([...routes].map(([method, some]) => [method, some.map(({ target }) => target)]));
    return {
      routes,
      preflight: preflights?.({ methods, targets, answer }),
      options: served({ operation: undefined, steps: options([countOptions, answer]) }),
      notAllowed: refused(methodNotAllowed(fields)),
    };
  };
  const entries = new Map<string, PathEntry>();
  for (const [path, routes] of createRoutes(operations)) entries.set(path, toEntry(routes, count));
  for (const [path, endpoint] of endpoints) {
    if (entries.has(path)) continue;
    const { steps, readHeaders = [] } = endpoint;
    const target = { operation: undefined, steps, readHeaders };
    const routes = [{ target, names: [], query: [], match: served(target) }];
    entries.set(path, toEntry(new Map((endpoint.methods ?? ['GET', 'HEAD']).map((method) => [method, routes])), endpoint.count));
  }
  // `OPTIONS *` is about the server, not about a path; no other method has that target (RFC 9112, section 3.2.4).
  entries.set('*', toEntry(allMethods(entries), count));
  const find = createRouter(entries);
  const notServed = refused(notFound);
  const notDecoded = refused(invalidPath);

  return (request, path, search) => {
    const { method = '' } = request;
    let found: RouteMatch<PathEntry> | undefined;
    try {
      found = find(path);
    } catch {
      return notDecoded;
    }
    if (found === undefined) return notServed;
    const { entry } = found;
    const preflight = method === 'OPTIONS' ? entry.preflight?.(request.headers) : undefined;
    if (preflight !== undefined) return { ...UNMATCHED, ...preflight };
    const routes = entry.routes.get(method);
    if (routes === undefined) return method === 'OPTIONS' ? entry.options : entry.notAllowed;
    const [first] = routes;
    const route = first?.query.length === 0 ? first : findByQuery(routes, search);
    if (route === undefined) return notServed;
    const { names } = route;
    if (names.length === 0) return route.match;
    const { values, encoded } = found;
    return { ...route.match, pathParameters: named(names, values), encodedPath: encoded && named(names, encoded) };
  };
}

const allMethods = (entries: ReadonlyMap<string, PathEntry>): RoutesByMethod =>
  new Map(
    [...entries.values()].flatMap(({ routes }) =>
      [...routes.keys()].filter((method) => method !== 'OPTIONS').map((method) => [method, []]),
    ),
  );

const served = ({ operation, steps, headers = INITIAL_HEADERS }: Omit<Target, 'readHeaders'>): Match => ({
  operation,
  steps,
  headers,
  pathParameters: Object.freeze({}),
  encodedPath: undefined,
  isServed: true,
});

const UNMATCHED: Match = served({ operation: undefined, steps: [] });

function findByQuery(routes: readonly Route[], search: string): Route | undefined {
  const sent = new URLSearchParams(search);
  return routes.find(({ query }) => query.every(([name, value]) => sent.getAll(name).includes(value)));
}

/** The router knows the order of parameters; an operation names them. */
function named(names: readonly string[], values: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) parameters[names[i] ?? ''] = values[i] ?? '';
  return parameters;
}

function createRoutes(targets: readonly OperationTarget[]): Map<string, RoutesByMethod> {
  const byPath = new Map<string, RoutesByMethod>();
  const add = (path: string, method: string, route: Route): void => {
    const routes = byPath.get(path) ?? new Map<string, Route[]>();
    const others = routes.get(method) ?? [];
    byPath.set(
      path,
      routes.set(
        method,
        [...others, route].sort((a, b) => b.query.length - a.query.length),
      ),
    );
  };
  // A base path may make one path of two: the one at the root comes first. Then what is reached without its fragment.
  const templates = targets.map((target) => ({ target, template: parsePathTemplate(target.operation.path) }));
  for (const withFragment of [true, false]) {
    for (const isBelow of [false, true]) {
      for (const { target, template } of templates) {
        const shape = withFragment ? template.shape : shapeWithoutFragment(template);
        if (shape === undefined) continue;
        for (const base of isBelow ? target.operation.basePaths : [''])
          add(base + shape, sentMethod(target.operation.method), {
            target,
            names: template.names,
            query: template.query,
            match: served(target),
          });
      }
    }
  }
  for (const routes of byPath.values()) {
    const get = routes.get('GET');
    if (get !== undefined && !routes.has('HEAD')) routes.set('HEAD', get);
  }
  return byPath;
}

// Pipeline steps: the last ones of requests that are no operation's: the methods of a path, and refusals.

/** The methods of a path, and `Accept-Query` where QUERY is one of them. */
type MethodFields = Readonly<Record<string, string>> & { readonly Allow: string };

/** Answers OPTIONS (RFC 9110, section 9.3.7). */
const sendAllow =
  (fields: MethodFields): Step =>
  (exchange) =>
    send(exchange, { status: 204, headers: exchange.headers.with(fields), type: undefined, body: undefined });

/** RFC 9110, section 15.5.6. */
const methodNotAllowed =
  (fields: MethodFields): Step =>
  (exchange) => {
    const message = `${shownPath(exchange)} has no ${exchange.request.method}, only ${fields.Allow}`;
    throw new FrameworkError('method_not_allowed', message, { headers: fields });
  };

/** For a path that is not served. @throws AppError not_found */
const notFound: Step = (exchange) => {
  throw new FrameworkError('not_found', `there is no ${shownPath(exchange)}`);
};

const invalidPath: Step = () => {
  throw new FrameworkError('invalid_request', 'path is not valid percent-encoding of UTF-8');
};

/** What a client sent, short enough to be read in a message. */
function shownPath({ base, path }: Exchange): string {
  const whole = base + path;
  return whole.length > 200 ? `${whole.slice(0, 200)}...` : whole;
}

// Pipeline step: counts a request without an operation, for the account whose key it has, else for its address.

/**
 * What is 404, 405 or OPTIONS counts as any other request of the same client does. Credentials that are missing or not valid are
 * no error here.
 *
 * A request that has an operation, and failed before it was counted, is counted without looking at its credentials again.
 *
 * @param count counts for the caller, or for the address if there is none.
 */
export function countUnmatched(operations: readonly ContractOperation[], options: AuthenticateOptions, count: Step): Step {
  const identify = authenticate([...distinctAlternatives(operations), []], options);
  return (exchange) => {
    if (exchange.operation !== undefined || exchange.caller !== undefined || identify === undefined) return count(exchange);
    return tryStep(identify, exchange).then(() => count(exchange));
  };
}

/** @throws AppError rate_limited. What else fails, as a database that does not answer, leaves the caller unknown. */
async function tryStep(identify: Step, exchange: Exchange): Promise<void> {
  try {
    await identify(exchange);
  } catch (error) {
    if (isAppError(error) && error.code === 'rate_limited') throw error;
  }
}

/** The ways to authenticate that the operations have, each once and without scopes. */
export function distinctAlternatives(operations: readonly ContractOperation[]): RequiredScheme[][] {
  const byNames = new Map<string, RequiredScheme[]>();
  for (const schemes of operations.flatMap(({ requirements }) => requirements)) {
    const names = schemes.map(({ name }) => name).join(' ');
    if (schemes.length > 0)
      byNames.set(
        names,
        schemes.map((scheme) => ({ ...scheme, scopes: [] })),
      );
  }
  return [...byNames.values()];
}
