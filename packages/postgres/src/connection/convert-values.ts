/** Converts the values of a statement before any part of it is sent: what cannot be sent fails alone, with nothing under way. */
import { types } from 'node:util';

interface Convertible {
  readonly toPostgres?: (convert: typeof convertValue) => unknown;
}

/** Whether `pg` converts it without calling code of the value, which may throw. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'object' ? value === null || ArrayBuffer.isView(value) || types.isDate(value) : typeof value !== 'function';

/** As `pg` does (node-postgres.com/features/types): objects by their `toPostgres`, or as JSON. It makes one text of an array itself. */
function convertValue(value: unknown): unknown {
  if (isPlain(value)) return value;
  if (typeof value === 'function') return String(value);
  if (Array.isArray(value)) return value.every(isPlain) ? value : value.map(convertValue);
  const { toPostgres } = value as Convertible;
  return typeof toPostgres === 'function' ? convertValue((value as Required<Convertible>).toPostgres(convertValue)) : JSON.stringify(value);
}

/**
 * `pg` converts values between the messages of a statement. Where one throws there, it answers the statement twice: with the error, and
 * with the result of what was sent. Values that are converted already are sent unchanged.
 *
 * @returns `values` itself if nothing has to be converted. @throws what the conversion of a value throws, such as a circular object's.
 */
export const convertValues = (values: readonly unknown[] | undefined): readonly unknown[] | undefined =>
  values === undefined || values.every(isPlain) ? values : values.map(convertValue);
