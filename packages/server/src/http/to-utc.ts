/** Moments in UTC, as databases store them. */
import { dateOf, isDateTime } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';

/**
 * The moment of a `date-time`, in UTC with milliseconds, as `2026-12-24T11:00:00.000Z`. A leap second is the second after it.
 *
 * Databases and `Date` each refuse some of what RFC 3339 has: offsets over 15:59, leap seconds, lower case.
 *
 * @param given a text, or the `Date` that a handler gets with `dates: 'date'`. @param location where it is, for the message. @throws AppError invalid_request if it is none, or if its
 *   year in UTC is not one of 0001 to 9999.
 */
export function toUtc(given: string | Date, location: string): string {
  // `Date.parse` takes February 30 for March 2.
  if (typeof given === 'string' && !isDateTime(given))
    throw new FrameworkError('invalid_request', `${location} must match format "date-time"`);
  const moment = typeof given === 'string' ? dateOf(given) : given;
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new FrameworkError('invalid_request', `${location} must be in the years 0001 to 9999 in UTC`);
  return moment.toISOString();
}
