/** Step 2: finds the operation by method and path and hands the request to that operation's own line. */
import type { Request, RequestHandler } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import { parsePathTemplate } from '../contract/path-template.ts';
import { FrameworkError } from '../errors.ts';
import { createRouter } from './router.ts';

interface MatchTarget {
  readonly operation: ContractOperation;
  readonly pipeline: RequestHandler;
}

/** A target at a path: how its parameters are called there, and the query that it asks for. */
interface Route {
  readonly target: MatchTarget;
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** By method; those that ask for more of the query first. */
type RoutesByMethod = Map<string, Route[]>;

/**
 * HEAD is answered by GET (RFC 9110, section 9.3.2), OPTIONS with the methods of the path (section 9.3.7), unless the
 * contract has operations of its own for them.
 *
 * Paths are served at the root, and below the path of each server's URL. A path that is not in the contract is passed on.
 *
 * @param countByAddress counts a request that is no operation's.
 * @throws AppError method_not_allowed, with `Allow`, for a method that the path does not have (section 15.5.6).
 */
export function match(targets: readonly MatchTarget[], countByAddress: (request: Request) => Promise<void>): RequestHandler {
  const find = createRouter(createRoutes(targets));

  return async (request, response, next) => {
    const { exchange } = request;
    const found = findRoute(find, exchange.path);
    if (found === undefined) return next();
    const candidates = found.entry.get(request.method);
    if (candidates !== undefined) {
      const entry = candidates.find(({ query }) => query.every(([name, value]) => exchange.query.getAll(name).includes(value)));
      if (entry === undefined) return next();
      exchange.operation = entry.target.operation;
      exchange.pathParameters = Object.fromEntries(entry.names.map((name, i) => [name, found.parameters[i] ?? '']));
      entry.target.pipeline(request, response, next);
      return;
    }
    const allow = [...new Set([...found.entry.keys(), 'OPTIONS'])].join(', ');
    if (request.method === 'OPTIONS') {
      await countByAddress(request);
      response.writeHead(204, { ...exchange.headers, Allow: allow }).end();
      return;
    }
    throw new FrameworkError('method_not_allowed', `${truncatePath(exchange.path)} has no ${request.method}, only ${allow}`, {
      headers: { Allow: allow },
    });
  };
}

function createRoutes(targets: readonly MatchTarget[]): Map<string, RoutesByMethod> {
  const byPath = new Map<string, RoutesByMethod>();
  const add = (path: string, method: string, entry: Route): void => {
    const entries = byPath.get(path) ?? new Map<string, Route[]>();
    const known = entries.get(method) ?? [];
    byPath.set(
      path,
      entries.set(
        method,
        [...known, entry].sort((a, b) => b.query.length - a.query.length),
      ),
    );
  };
  // A base path may make one path of two: what stands at the root comes first.
  for (const isBelow of [false, true]) {
    for (const target of targets) {
      const { shape, names, query } = parsePathTemplate(target.operation.path);
      for (const base of isBelow ? target.operation.basePaths : [''])
        add(base + shape, target.operation.method.toUpperCase(), { target, names, query });
    }
  }
  for (const entries of byPath.values()) {
    const get = entries.get('GET');
    if (get !== undefined && !entries.has('HEAD')) entries.set('HEAD', get);
  }
  return byPath;
}

/** The end of the line for a path that nothing has answered. */
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

/** What a client sent, short enough to be read in a message. */
const truncatePath = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}...` : path);
