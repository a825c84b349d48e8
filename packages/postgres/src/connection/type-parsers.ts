/** How values are read: as JSON has them, and otherwise as `pg` reads them by default. */
import pg from 'pg';

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
