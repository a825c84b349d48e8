/** Pipeline step: answers 503 while the server is not ready, for example because its database has another schema. */
import { FrameworkError } from '../errors.ts';
import type { Step } from './exchange.ts';

/** @param reason why the server is not ready, in words for an operator; `undefined` when it is. @throws AppError service_unavailable */
export function requireReady(reason: () => string | undefined): Step {
  return () => {
    const cause = reason();
    if (cause !== undefined)
      throw new FrameworkError('service_unavailable', 'the server is not ready', { cause, headers: { 'Retry-After': '1' } });
  };
}
