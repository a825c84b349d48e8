/** Dates and times of RFC 3339, section 5.6. */
// Generated clients contain this file: it imports nothing.

/** Strictly: ajv-formats also accepts a blank for the `T` and an offset without minutes. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(\.\d+)?(?:Z|([+-])(\d\d):(\d\d))$/i;

/** `full-date`: `2026-12-24`. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  return year !== undefined && Number(day) >= 1 && Number(day) <= daysOf(Number(year), Number(month));
}

/** `full-time`: `12:00:00Z`. A second 60 only where UTC can have one: at the end of its day (appendix D). */
export function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const number = (group: number) => Number(match[group] ?? 0);
  const [hour, minute, second, offsetHour, offsetMinute] = [number(1), number(2), number(3), number(6), number(7)];
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (match[5] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  return second === 60 && (hour * 60 + minute - offset + 2 * MINUTES_OF_DAY) % MINUTES_OF_DAY === MINUTES_OF_DAY - 1;
}

/** `date-time`: `2026-12-24T12:00:00+01:00`. */
export const isDateTime = (text: string): boolean => /^[Tt]$/.test(text.charAt(10)) && isDate(text.slice(0, 10)) && isTime(text.slice(11));

const MINUTES_OF_DAY = 24 * 60;

/** 0 for a month that does not exist. */
function daysOf(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
