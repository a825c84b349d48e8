/** Holds requests back while the server is not ready: its database is not there, or has another schema. */
import type { RequestHandler } from 'express';
import { FrameworkError } from '../errors.ts';

/** @param reason why the server is not ready, in words for an operator; `undefined` when it is. */
export function requireReady(reason: () => string | undefined): RequestHandler {
  return (_request, _response, next) => {
    const cause = reason();
    if (cause !== undefined)
      throw new FrameworkError('service_unavailable', 'the server is not ready', { cause, headers: { 'Retry-After': '1' } });
    next();
  };
}
