/** Holds requests back while the server is not ready: its database is not there, or has another schema. */
import type { RequestHandler } from 'express';
import { AppError } from '../errors.ts';

/** @param reason why the server is not ready, in words for an operator; `undefined` when it is. */
export function ready(reason: () => string | undefined): RequestHandler {
  return (_request, _response, next) => {
    const cause = reason();
    if (cause !== undefined)
      throw new AppError('service_unavailable', 'the server is not ready', { cause, headers: { 'Retry-After': '1' } });
    next();
  };
}
