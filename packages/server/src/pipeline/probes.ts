/** `GET /livez` and `GET /readyz`, for what supervises the server. They are no part of the contract and need no key. */
import type { Request, RequestHandler } from 'express';
import { send } from './send-response.ts';

export interface Readiness {
  /** Why operations cannot be served, as last seen; `undefined` if they can. */
  reason(): string | undefined;
  /** Looks now. */
  check(): Promise<string | undefined>;
}

/**
 * `/livez`: 200 while the process answers at all; restarting it would not help before that fails.
 * `/readyz`: 200, or 503 with the reason, while requests should go elsewhere.
 */
export function probes(readiness: Readiness): RequestHandler {
  return async (request, response, next) => {
    const { path, headers } = request.exchange;
    if (!isGetOrHead(request) || (path !== '/livez' && path !== '/readyz')) return next();
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
