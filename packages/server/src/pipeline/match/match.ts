/** Finds what a request is for by method and path: an operation, an endpoint, or a refusal; and with it its steps. */
import type { ContractOperation } from '../../contract/load-contract.ts';
import { parsePathTemplate, shapeWithoutFragment } from '../../contract/document/path-template.ts';
import { sentMethod } from '../../contract/document/openapi.ts';
import { FrameworkError } from '../../errors.ts';
import { withHeaders } from '../../http/header-list.ts';
import type { AnyStep, Exchange, Found, Step } from '../exchange.ts';
import { createRouter, type RouteMatch } from './router.ts';
import { send } from '../send-response.ts';

/** An operation, or what is served beside the contract, with its steps. */
export interface Target {
  readonly operation: ContractOperation | undefined;
  readonly steps: readonly AnyStep[];
}

export interface OperationTarget extends Target {
  readonly operation: ContractOperation;
}

/** A target at a path: how its parameters are called there, and the query that it requires. */
interface Route {
  readonly target: Target;
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** For a path without parameters, so that none is made for each request. */
  readonly match: Match;
}

/** By method; those that require more of the query first. */
type RoutesByMethod = Map<string, Route[]>;

/** The targets of a path by method, HEAD included. */
export type TargetsByMethod = ReadonlyMap<string, readonly Target[]>;

/** What a path has. */
interface PathEntry {
  readonly routes: RoutesByMethod;
  readonly options: Match;
  readonly notAllowed: Match;
}

/** What a request is for, and its steps. */
export interface Match extends Found {
  readonly steps: readonly AnyStep[];
  /** Whether the server has something for the request: `false` for 404, 405 and a path that cannot be decoded. */
  readonly isServed: boolean;
}

export type FindMatch = (method: string, path: string, search: string) => Match;

export interface MatchOptions {
  readonly operations: readonly OperationTarget[];
  /** What is served beside the contract, by its path, for GET and HEAD. */
  readonly endpoints: ReadonlyMap<string, { readonly steps: readonly AnyStep[]; readonly count: Step }>;
  /** Counts a request that is no operation's. */
  readonly count: Step;
  /** The steps of OPTIONS. @param end counts and answers it. */
  readonly options: (targets: TargetsByMethod, end: readonly Step[]) => readonly AnyStep[];
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
export function match({ operations, endpoints, count, options, unmatched }: MatchOptions): FindMatch {
  const served = ({ operation, steps }: Target, pathParameters = NO_PARAMETERS): Match => ({
    operation,
    steps,
    pathParameters,
    isServed: true,
  });
  const refused = (refuse: Step): Match => ({
    operation: undefined,
    pathParameters: NO_PARAMETERS,
    steps: unmatched(refuse),
    isServed: false,
  });

  const toEntry = (routes: RoutesByMethod, countOptions: Step): PathEntry => {
    const allow = [...new Set([...routes.keys(), 'OPTIONS'])].join(', ');
    const targets = new Map([...routes].map(([method, some]) => [method, some.map(({ target }) => target)]));
    return {
      routes,
      options: served({ operation: undefined, steps: options(targets, [countOptions, sendAllow(allow)]) }),
      notAllowed: refused(methodNotAllowed(allow)),
    };
  };
  const entries = new Map<string, PathEntry>();
  for (const [path, routes] of createRoutes(operations, served)) entries.set(path, toEntry(routes, count));
  for (const [path, endpoint] of endpoints) {
    if (entries.has(path)) continue;
    const target = { operation: undefined, steps: endpoint.steps };
    const routes = [{ target, names: [], query: [], match: served(target) }];
    entries.set(path, toEntry(new Map(['GET', 'HEAD'].map((method) => [method, routes])), endpoint.count));
  }
  const find = createRouter(entries);
  const notServed = refused(notFound);
  const notDecoded = refused(invalidPath);

  return (method, path, search) => {
    let found: RouteMatch<PathEntry> | undefined;
    try {
      found = find(path);
    } catch {
      return notDecoded;
    }
    if (found === undefined) return notServed;
    const routes = found.entry.routes.get(method);
    if (routes === undefined) return method === 'OPTIONS' ? found.entry.options : found.entry.notAllowed;
    const route = routes.length === 1 && routes[0]?.query.length === 0 ? routes[0] : findByQuery(routes, search);
    if (route === undefined) return notServed;
    return route.names.length === 0 ? route.match : served(route.target, named(route.names, found.parameters));
  };
}

function findByQuery(routes: readonly Route[], search: string): Route | undefined {
  const sent = new URLSearchParams(search);
  return routes.find(({ query }) => query.every(([name, value]) => sent.getAll(name).includes(value)));
}

const NO_PARAMETERS: Record<string, string> = Object.freeze({});

/** The router numbers parameters; an operation names them. */
function named(names: readonly string[], values: Readonly<Record<string, string>>): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) parameters[names[i] ?? ''] = values[i] ?? '';
  return parameters;
}

function createRoutes(targets: readonly OperationTarget[], served: (target: Target) => Match): Map<string, RoutesByMethod> {
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

/** Answers OPTIONS (RFC 9110, section 9.3.7). @param allow the methods of the path. */
const sendAllow =
  (allow: string): Step =>
  (exchange) =>
    send(exchange, { status: 204, headers: withHeaders(exchange.headers, { Allow: allow }), type: undefined, body: undefined });

/** RFC 9110, section 15.5.6. @param allow the methods of the path. */
const methodNotAllowed =
  (allow: string): Step =>
  (exchange) => {
    const message = `${shownPath(exchange)} has no ${exchange.request.method}, only ${allow}`;
    throw new FrameworkError('method_not_allowed', message, { headers: { Allow: allow } });
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
