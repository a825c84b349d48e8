/** The values of statements and rows: converted before any part of a statement is sent, and read as JSON has them. */
import { types } from 'node:util';
import pg from 'pg';

// Values of statements: what cannot be sent fails alone, with nothing under way.

interface Convertible {
  readonly toPostgres?: (convert: typeof convertValue) => unknown;
}

/** Whether `pg` would call code of one of them, which may throw. A loop: most values are texts and numbers. */
export function needConversion(values: readonly unknown[]): boolean {
  for (const value of values)
    if (typeof value === 'object' ? value !== null && !ArrayBuffer.isView(value) && !types.isDate(value) : typeof value === 'function')
      return true;
  return false;
}

/** As `pg` does (node-postgres.com/features/types): objects by their `toPostgres`, or as JSON. It makes one text of an array itself. */
function convertValue(value: unknown): unknown {
  if (!needConversion([value])) return value;
  if (typeof value === 'function') return String(value);
  if (Array.isArray(value)) return needConversion(value) ? value.map(convertValue) : value;
  const { toPostgres } = value as Convertible;
  return typeof toPostgres === 'function' ? convertValue((value as Required<Convertible>).toPostgres(convertValue)) : JSON.stringify(value);
}

/**
 * `pg` converts values between the messages of a statement. Where one throws there, it answers the statement twice: with the error, and
 * with the result of what was sent. Values that are converted already are sent unchanged.
 *
 * @throws what the conversion of a value throws, such as a circular object's.
 */
export const convertValues = (values: readonly unknown[]): readonly unknown[] => values.map((value) => convertValue(value));

// Values of rows: as JSON has them, and otherwise as `pg` reads them by default.

type TextParser = (text: string) => unknown;

const { builtins } = pg.types;
const parserOf = pg.types.getTypeParser as unknown as (oid: number, format: 'text') => TextParser;
/** Types that PostgreSQL has itself have lower ones. */
const MAX_OID = 5000;

/** Those of `pg.types` are shared: they are copied before an application sets others for the whole process. */
function readDefaults(): Map<number, TextParser> {
  const asText = parserOf(0, 'text');
  const oids = Array.from({ length: MAX_OID }, (_, oid) => oid);
  return new Map(oids.map((oid) => [oid, parserOf(oid, 'text')] as const).filter(([, parser]) => parser !== asText));
}

const DEFAULTS = readDefaults();
// Not `new Date(text)`, which reads the year 0099 as 1999 and rejects an offset with seconds, as time zones had before 1900.
const readTimestamp = DEFAULTS.get(builtins.TIMESTAMPTZ) as (text: string) => Date;

const PARSERS = new Map<number, TextParser>([
  ...DEFAULTS,
  [builtins.INT8, Number],
  // As it is: a day has no zone, and a `Date` would be its midnight in that of the server.
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMPTZ, (text) => readTimestamp(text).toISOString()],
]);

const DATE_PARSERS = new Map<number, TextParser>([...PARSERS, [builtins.TIMESTAMPTZ, readTimestamp]]);

/**
 * @param dates how moments are read: as ISO 8601, or as a `Date`.
 * @returns what has the parser of a type by its OID: a bigint is read as a number, exact up to 2^53 - 1, and what has none as text.
 */
export const parserFor = (dates?: 'date' | 'string'): ((oid: number) => TextParser) => {
  const parsers = dates === 'date' ? DATE_PARSERS : PARSERS;
  return (oid) => parsers.get(oid) ?? String;
};
