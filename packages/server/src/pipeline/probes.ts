/** `GET /livez` and `GET /readyz`, for orchestrators and load balancers. They are not in the contract and need no credentials. */
import type { Request, RequestHandler } from 'express';
import { send } from './send-response.ts';

/** Whether the server can serve requests. */
export interface Readiness {
  /** Why requests cannot be served, as of the last check; `undefined` if they can. */
  reason(): string | undefined;
  /** Checks now. @returns as `reason`. */
  check(): Promise<string | undefined>;
}

/**
 * `/livez`: 200 while the process answers; if it does not, it has to be restarted.
 * `/readyz`: 200, or 503 with the reason, while requests should go to other instances.
 *
 * @param addHeaders adds the headers of a request that is not counted.
 */
export function probes(readiness: Readiness, addHeaders: (request: Request) => void): RequestHandler {
  return async (request, response, next) => {
    const { path, headers } = request.exchange;
    if (!isGetOrHead(request) || (path !== '/livez' && path !== '/readyz')) return next();
    addHeaders(request);
    const reason = path === '/readyz' ? await readiness.check() : undefined;
    const body = reason === undefined ? { status: 'ok' } : { status: 'not ready', reason };
    send(request, response, {
      status: reason === undefined ? 200 : 503,
      headers: { ...headers, 'Cache-Control': 'no-store' },
      type: 'application/json',
      body,
    });
  };
}

export const isGetOrHead = ({ method }: Request): boolean => method === 'GET' || method === 'HEAD';
