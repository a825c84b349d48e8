/** Moments of records are text, as their types say, also in a pool that reads them as `Date`. */
import { types } from 'node:util';

/** A row with its moments in ISO 8601, UTC. */
export const withTextDates = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, types.isDate(value) ? value.toISOString() : value])) as Row;
