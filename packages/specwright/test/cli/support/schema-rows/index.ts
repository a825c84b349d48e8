/** Schemas of JSON Schema 2020-12 with values: types = run time. */
import { COMPOSITIONS } from './compositions.ts';
import { LISTS } from './lists.ts';
import { OBJECTS } from './objects.ts';
import { REFERENCES } from './references.ts';
import { VALUES } from './values.ts';
import type { SchemaRow } from './row.ts';

export const SCHEMA_ROWS: readonly SchemaRow[] = [...VALUES, ...OBJECTS, ...LISTS, ...COMPOSITIONS, ...REFERENCES].map(
  ([name, schema, valid, invalid, more]) => ({ name, schema, valid, invalid, ...more }),
);
