/** Moments in UTC, as databases store them. */
import { isDateTime } from '@specwright/contract';
import { FrameworkError } from '../errors.ts';

/**
 * The moment of a `date-time`, in UTC with milliseconds, as `2026-12-24T11:00:00.000Z`. A leap second is the second after it.
 *
 * Databases and `Date` each refuse some of what RFC 3339 has: offsets over 15:59, leap seconds, lower case.
 *
 * @param location where the text is, for the message. @throws AppError invalid_request if it is none, or if its
 *   year in UTC is not one of 0001 to 9999.
 */
export function toUtc(text: string, location: string): string {
  // `Date.parse` takes February 30 for March 2.
  if (!isDateTime(text)) throw new FrameworkError('invalid_request', `${location} must match format "date-time"`);
  const upper = text.toUpperCase();
  const isLeap = upper.slice(17, 19) === '60';
  // Digits beyond the milliseconds are dropped.
  const ordinary = (isLeap ? `${upper.slice(0, 17)}59${upper.slice(19)}` : upper).replace(/(\.\d{3})\d+/, '$1');
  const moment = new Date(Date.parse(ordinary) + (isLeap ? 1000 : 0));
  const year = moment.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new FrameworkError('invalid_request', `${location} must be in the years 0001 to 9999 in UTC`);
  return moment.toISOString();
}
