/** Dates and times of RFC 3339, section 5.6. */
// Generated clients contain this file: it imports nothing.

/** Strictly: ajv-formats also accepts a blank for the `T` and an offset without minutes. */
const DATE = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

/** `full-date`: `2026-12-24`. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [, year, month, day] = match;
  return Number(day) <= 28 || Number(day) <= daysOf(Number(year), Number(month));
}

/** `full-time`: `12:00:00Z`. A second 60 only where UTC can have one: at the end of its day (appendix D). */
export function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [, hour, minute, second, sign, offsetHour = 0, offsetMinute = 0] = match;
  if (second !== '60') return true;
  const offset = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 60 + Number(offsetMinute));
  return (Number(hour) * 60 + Number(minute) - offset + 2 * MINUTES_OF_DAY) % MINUTES_OF_DAY === MINUTES_OF_DAY - 1;
}

/** `date-time`: `2026-12-24T12:00:00+01:00`. */
export const isDateTime = (text: string): boolean => /^[Tt]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

const MINUTES_OF_DAY = 24 * 60;

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
