/** Pipeline step: finds the operation by method and path, and passes the request to its pipeline. */
import type { Request, RequestHandler } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import { parsePathTemplate } from '../contract/path-template.ts';
import { FrameworkError } from '../errors.ts';
import { createRouter } from './router.ts';
import { send } from './send-response.ts';

/** An operation and its pipeline. */
interface MatchTarget {
  readonly operation: ContractOperation;
  readonly pipeline: RequestHandler;
}

/** A target at a path: the names of its parameters, and the query that it requires. */
interface Route {
  readonly target: MatchTarget;
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** By method; those that require more of the query first. */
type RoutesByMethod = Map<string, Route[]>;

/**
 * HEAD is answered by GET (RFC 9110, section 9.3.2), OPTIONS with the methods of the path (section 9.3.7), unless the
 * contract has operations for them.
 *
 * Paths are served at the root, and below the path of each server's URL. A path that is not in the contract is passed on.
 *
 * @param countByAddress counts a request without an operation.
 * @throws AppError method_not_allowed, with `Allow`, for a method that the path does not have (section 15.5.6).
 */
export function match(targets: readonly MatchTarget[], countByAddress: (request: Request) => Promise<void>): RequestHandler {
  const find = createRouter(createRoutes(targets));

  return async (request, response, next) => {
    const { exchange } = request;
    const matched = findRoute(find, exchange.path);
    if (matched === undefined) return next();
    const candidates = matched.entry.get(request.method);
    if (candidates !== undefined) {
      const route = candidates.find(({ query }) => query.every(([name, value]) => exchange.query.getAll(name).includes(value)));
      if (route === undefined) return next();
      exchange.operation = route.target.operation;
      exchange.pathParameters = Object.fromEntries(route.names.map((name, i) => [name, matched.parameters[i] ?? '']));
      route.target.pipeline(request, response, next);
      return;
    }
    const allow = [...new Set([...matched.entry.keys(), 'OPTIONS'])].join(', ');
    if (request.method === 'OPTIONS') {
      await countByAddress(request);
      return send(request, response, { status: 204, headers: { ...exchange.headers, Allow: allow }, type: undefined, body: undefined });
    }
    throw new FrameworkError('method_not_allowed', `${truncatePath(exchange.path)} has no ${request.method}, only ${allow}`, {
      headers: { Allow: allow },
    });
  };
}

function createRoutes(targets: readonly MatchTarget[]): Map<string, RoutesByMethod> {
  const byPath = new Map<string, RoutesByMethod>();
  const add = (path: string, method: string, route: Route): void => {
    const routes = byPath.get(path) ?? new Map<string, Route[]>();
    const sameMethod = routes.get(method) ?? [];
    byPath.set(
      path,
      routes.set(
        method,
        [...sameMethod, route].sort((a, b) => b.query.length - a.query.length),
      ),
    );
  };
  // Below a base path two templates may be the same path: those at the root come first.
  for (const isBelowBase of [false, true]) {
    for (const target of targets) {
      const { shape, names, query } = parsePathTemplate(target.operation.path);
      for (const base of isBelowBase ? target.operation.basePaths : [''])
        add(base + shape, target.operation.method.toUpperCase(), { target, names, query });
    }
  }
  for (const routes of byPath.values()) {
    const get = routes.get('GET');
    if (get !== undefined && !routes.has('HEAD')) routes.set('HEAD', get);
  }
  return byPath;
}

/** The end of the pipeline for a path that is not served. */
export const notFound: RequestHandler = ({ exchange }) => {
  throw new FrameworkError('not_found', `there is no ${truncatePath(exchange.path)}`);
};

function findRoute<T>(find: (path: string) => T | undefined, path: string): T | undefined {
  try {
    return find(path);
  } catch (cause) {
    throw new FrameworkError('invalid_request', 'path is not valid percent-encoding of UTF-8', { cause });
  }
}

/** The path, short enough for a message. */
const truncatePath = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}...` : path);
