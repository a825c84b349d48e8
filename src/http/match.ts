/** Step 2: finds the operation by method and path and hands the request to that operation's own line. */
import type { Request, RequestHandler } from 'express';
import type { ContractOperation } from '../contract/load.ts';
import { AppError } from '../errors.ts';
import { createRouter } from './router.ts';

interface Target {
  readonly operation: ContractOperation;
  readonly line: RequestHandler;
}

/**
 * HEAD is answered by GET (RFC 9110, section 9.3.2), OPTIONS with the methods of the path (section 9.3.7), unless the
 * contract has operations of its own for them.
 *
 * A path that is not in the contract is passed on.
 *
 * @param count counts a request that is no operation's.
 * @throws AppError method_not_allowed, with `Allow`, for a method that the path does not have (section 15.5.6).
 */
export function match(targets: readonly Target[], count: (request: Request) => Promise<void>): RequestHandler {
  const byPath = new Map<string, Map<string, Target>>();
  for (const target of targets) {
    const methods = byPath.get(target.operation.path) ?? new Map<string, Target>();
    byPath.set(target.operation.path, methods.set(target.operation.method.toUpperCase(), target));
  }
  for (const methods of byPath.values()) {
    const get = methods.get('GET');
    if (get !== undefined && !methods.has('HEAD')) methods.set('HEAD', get);
  }
  const find = createRouter(byPath);

  return async (request, response, next) => {
    const { exchange } = request;
    const found = tryFind(find, exchange.path);
    if (found === undefined) return next();
    const target = found.entry.get(request.method);
    if (target !== undefined) {
      exchange.operation = target.operation;
      exchange.pathParameters = found.parameters;
      target.line(request, response, next);
      return;
    }
    const allow = [...new Set([...found.entry.keys(), 'OPTIONS'])].join(', ');
    if (request.method === 'OPTIONS') {
      await count(request);
      response.writeHead(204, { ...exchange.headers, Allow: allow }).end();
      return;
    }
    throw new AppError('method_not_allowed', `${printable(exchange.path)} has no ${request.method}, only ${allow}`, {
      headers: { Allow: allow },
    });
  };
}

/** The end of the line for a path that nothing has answered. */
export const notFound: RequestHandler = ({ exchange }) => {
  throw new AppError('not_found', `there is no ${printable(exchange.path)}`);
};

function tryFind<T>(find: (path: string) => T | undefined, path: string): T | undefined {
  try {
    return find(path);
  } catch (cause) {
    throw new AppError('invalid_request', 'path is not valid percent-encoding of UTF-8', { cause });
  }
}

/** What a client sent, short enough to be read in a message. */
const printable = (path: string) => (path.length > 200 ? `${path.slice(0, 200)}...` : path);
