/** What a column can hold, in the keywords of a schema. */
import type { Column, Table } from '@specwright/postgres';
import { readCheck, type Limits } from '../database/check-constraints.ts';

/** What a column or a property allows. A missing bound is `undefined`. */
export interface Facts extends Limits {
  readonly type: string;
  readonly format?: string | undefined;
  readonly nullable: boolean;
  readonly default?: unknown;
}

export interface ColumnFacts extends Facts {
  /** The constraint of each limit that a constraint sets. */
  readonly constraints: Readonly<Partial<Record<keyof Limits, string>>>;
}

const COLUMN_INTEGERS: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  smallint: { minimum: -32768, maximum: 32767 },
  integer: { minimum: -2147483648, maximum: 2147483647 },
  bigint: { minimum: -(2 ** 63), maximum: 2 ** 63 },
};

const OTHER_TYPES: Readonly<Record<string, { type: string; format?: string }>> = {
  text: { type: 'string' },
  citext: { type: 'string' },
  'character varying': { type: 'string' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  date: { type: 'string', format: 'date' },
  'timestamp with time zone': { type: 'string', format: 'date-time' },
  real: { type: 'number' },
  'double precision': { type: 'number' },
  numeric: { type: 'number' },
};

/** @returns `undefined` if the type corresponds to no type of a schema. */
export function columnFacts(tables: readonly Table[], table: Table, column: Column, depth = 0): ColumnFacts | undefined {
  const { nullable, labels } = column;
  const [, name = '', length] = /^([a-z ]+?)(?:\((\d+)(?:,\d+)?\))?$/.exec(column.type) ?? [];
  const base = name in COLUMN_INTEGERS ? { type: 'integer' } : labels === null ? OTHER_TYPES[name] : { type: 'string', enum: [...labels] };
  if (base === undefined) return undefined;

  const limits: Limits = { ...COLUMN_INTEGERS[name], ...(length === undefined || name === 'numeric' ? {} : { maxLength: Number(length) }) };
  const constraints: Partial<Record<keyof Limits, string>> = {};
  const add = (more: Limits, constraint?: string) => {
    for (const [key, value] of Object.entries(more) as [keyof Limits, never][]) {
      const [current, added] = [limits[key], value as unknown];
      // Both apply: the narrower counts.
      const looser =
        typeof current === 'number' && typeof added === 'number' && (key.startsWith('min') ? added <= current : added >= current);
      if (looser) continue;
      limits[key] = value;
      if (constraint !== undefined) constraints[key] = constraint;
    }
  };
  if (column.identity !== null) add(column.identity);
  const target = tables.find((other) => other.name === column.references?.table);
  const referred = target?.columns.find((other) => other.name === column.references?.column);
  if (target !== undefined && referred !== undefined && depth < 5) {
    const { minimum, maximum } = columnFacts(tables, target, referred, depth + 1) ?? {};
    add({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) });
  }
  for (const check of table.checks) {
    for (const condition of readCheck(check.definition) ?? []) if (condition.column === column.name) add(condition.limits, check.name);
  }
  return { ...base, ...limits, nullable, default: parseDefault(column.default), constraints };
}

/** The value of a constant default; `undefined` if there is none, `null` if it is computed. */
function parseDefault(expression: string | null): unknown {
  if (expression === null) return undefined;
  const [, text, plain] = /^(?:'((?:[^']|'')*)'|\(?(-?\d+(?:\.\d+)?|true|false)\)?)(?:::[a-z ]+)?$/.exec(expression) ?? [];
  if (plain !== undefined) return JSON.parse(plain) as unknown;
  return text?.replaceAll("''", "'") ?? null;
}
