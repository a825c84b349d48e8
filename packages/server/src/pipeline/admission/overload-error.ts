/** The error of a request that is refused because too many are under way. */
import { FrameworkError } from '../../errors.ts';

/** In s. Clients that were refused together do not come back together. */
const RETRY_AFTER = [1, 2, 3];

/** One for each time and for all requests: during an overload a stack trace for each would be a large part of its cost. */
const ERRORS = RETRY_AFTER.map((seconds) => {
  const headers = { 'Retry-After': String(seconds) };
  return { seconds, error: new FrameworkError('service_unavailable', 'too many requests are under way; retry later', { headers }) };
});

/** @param random from 0 to less than 1. */
export const overloadError = (random: number): (typeof ERRORS)[number] =>
  ERRORS[Math.floor(random * ERRORS.length)] as (typeof ERRORS)[number];

/** Whether a request was refused because too many were under way: these are logged together (`overload-log.ts`). */
export const isOverload = (error: unknown): error is (typeof ERRORS)[number]['error'] => ERRORS.some((one) => one.error === error);
