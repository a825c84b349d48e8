/** Pipeline step: answers 503 while the server is not ready, for example because its database has another schema. */
import type { RequestHandler } from 'express';
import { FrameworkError } from '../errors.ts';

/** @param reason returns why the server is not ready, for its log; `undefined` if it is. */
export function requireReady(reason: () => string | undefined): RequestHandler {
  return (_request, _response, next) => {
    const cause = reason();
    if (cause !== undefined)
      throw new FrameworkError('service_unavailable', 'the server is not ready', { cause, headers: { 'Retry-After': '1' } });
    next();
  };
}
