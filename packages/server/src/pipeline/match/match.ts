/** Pipeline step: finds the operation by method and path, and with it its steps. */
import type { ContractOperation } from '../../contract/load-contract.ts';
import { parsePathTemplate, shapeWithoutFragment } from '../../contract/document/path-template.ts';
import { sentMethod } from '../../contract/document/openapi.ts';
import { FrameworkError, type AppError } from '../../errors.ts';
import { withHeaders } from '../../http/header-list.ts';
import type { AnyStep, Exchange, Sets, Step } from '../exchange.ts';
import { createRouter } from './router.ts';
import { send } from '../send-response.ts';

export interface OperationSteps {
  readonly operation: ContractOperation;
  readonly steps: readonly Step[];
}

/** An operation at a path: how its parameters are called there, and the query that it requires. */
interface Route {
  readonly target: OperationSteps;
  readonly names: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
}

/** By method; those that require more of the query first. */
type RoutesByMethod = Map<string, Route[]>;

/** The steps of the operation that a request is for; `undefined` for what is none. */
export type FindSteps = (exchange: Sets<'operation' | 'pathParameters'>) => readonly AnyStep[] | undefined;

/**
 * HEAD is answered by GET (RFC 9110, section 9.3.2), OPTIONS with the methods of the path (section 9.3.7), unless the
 * contract has operations for them.
 *
 * Paths are served at the root, and below the path of each server's URL.
 *
 * @param count counts a request that is no operation's.
 * @param reserved paths that are served beside the contract: concrete ones, which OpenAPI prefers to templates (3.0.3, section
 *   4.7.8.1), so that no `/{name}` hides the probes. A concrete path of the contract comes first.
 * @returns a function that gives the steps for a request; `undefined` for a path that is not in the contract. It throws
 *   AppError method_not_allowed, with `Allow`, for a method that the path does not have (section 15.5.6).
 */
export function match(targets: readonly OperationSteps[], count: Step, reserved: Iterable<string> = []): FindSteps {
  const paths = createRoutes(targets);
  for (const path of reserved) if (!paths.has(path)) paths.set(path, RESERVED);
  const find = createRouter(paths);

  return (exchange) => {
    const { method } = exchange.request;
    const found = findRoute(find, exchange.path);
    if (found === undefined || found.entry === RESERVED) return undefined;
    const routes = found.entry.get(method);
    if (routes !== undefined) {
      const route = routes.find(({ query }) => query.every(([name, value]) => exchange.query.getAll(name).includes(value)));
      if (route === undefined) return undefined;
      exchange.operation = route.target.operation;
      if (route.names.length > 0) exchange.pathParameters = named(route.names, found.parameters);
      return route.target.steps;
    }
    const allow = [...new Set([...found.entry.keys(), 'OPTIONS'])].join(', ');
    if (method === 'OPTIONS') return [count, sendAllow(allow)];
    throw methodNotAllowed(exchange, allow);
  };
}

const RESERVED: RoutesByMethod = new Map();

/** The router numbers parameters; an operation names them. */
function named(names: readonly string[], values: Readonly<Record<string, string>>): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i < names.length; i++) parameters[names[i] ?? ''] = values[i] ?? '';
  return parameters;
}

function createRoutes(targets: readonly OperationSteps[]): Map<string, RoutesByMethod> {
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
          add(base + shape, sentMethod(target.operation.method), { target, names: template.names, query: template.query });
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
export const sendAllow =
  (allow: string): Step =>
  (exchange) =>
    send(exchange, { status: 204, headers: withHeaders(exchange.headers, { Allow: allow }), type: undefined, body: undefined });

/** RFC 9110, section 15.5.6. @param allow the methods of the path. */
export function methodNotAllowed({ path, request: { method } }: Exchange, allow: string): AppError {
  return new FrameworkError('method_not_allowed', `${truncatePath(path)} has no ${method}, only ${allow}`, { headers: { Allow: allow } });
}

/** For a path that is not served. @throws AppError not_found */
export const notFound: Step = ({ path }) => {
  throw new FrameworkError('not_found', `there is no ${truncatePath(path)}`);
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
