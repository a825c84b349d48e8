/** Reads and writes moments of RFC 3339. */
// Generated clients contain this file: it imports nothing.

/**
 * The moment of a valid `date-time`, to the millisecond. A leap second is the second after it.
 *
 * `Date` refuses some of what RFC 3339 has: leap seconds, lower case.
 */
export function dateOf(text: string): Date {
  const upper = text.toUpperCase();
  const isLeap = upper.slice(17, 19) === '60';
  // Digits beyond the milliseconds are dropped.
  const ordinary = (isLeap ? `${upper.slice(0, 17)}59${upper.slice(19)}` : upper).replace(/(\.\d{3})\d+/, '$1');
  return new Date(Date.parse(ordinary) + (isLeap ? 1000 : 0));
}

/** As JSON has it: in UTC with milliseconds. @throws RangeError for an invalid `Date`, and for one that RFC 3339 has no year for. */
export function dateText(date: Date): string {
  const year = date.getUTCFullYear();
  if (year >= 0 && year <= 9999) return date.toISOString();
  throw new RangeError(`${String(date)} is no moment of the years 0000 to 9999`);
}
