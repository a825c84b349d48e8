/** What a column can hold, in the words of a schema. */
import type { Column, Table } from '@specwright/postgres';
import { readCheck, type Limits } from './checks.ts';

/** What a column or a property can be. A bound that is not there is `undefined`. */
export interface Facts extends Limits {
  readonly type: string;
  readonly format?: string | undefined;
  readonly nullable: boolean;
  readonly default?: unknown;
}

export interface ColumnFacts extends Facts {
  /** The constraint that says it, for limits that a constraint says. */
  readonly saidBy: Readonly<Partial<Record<keyof Limits, string>>>;
}

const WHOLE: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  smallint: { minimum: -32768, maximum: 32767 },
  integer: { minimum: -2147483648, maximum: 2147483647 },
  bigint: { minimum: -(2 ** 63), maximum: 2 ** 63 },
};

const OTHERS: Readonly<Record<string, { type: string; format?: string }>> = {
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

/** @returns `undefined` if the type is none that a schema's could be held against. */
export function factsOf(tables: readonly Table[], table: Table, column: Column, depth = 0): ColumnFacts | undefined {
  const { nullable, labels } = column;
  const [, name = '', length] = /^([a-z ]+?)(?:\((\d+)(?:,\d+)?\))?$/.exec(column.type) ?? [];
  const base = name in WHOLE ? { type: 'integer' } : labels === null ? OTHERS[name] : { type: 'string', enum: [...labels] };
  if (base === undefined) return undefined;

  const limits: Limits = { ...WHOLE[name], ...(length === undefined || name === 'numeric' ? {} : { maxLength: Number(length) }) };
  const saidBy: Partial<Record<keyof Limits, string>> = {};
  const add = (more: Limits, by?: string) => {
    for (const [key, value] of Object.entries(more) as [keyof Limits, never][]) {
      const [before, now] = [limits[key], value as unknown];
      // Where two say it, both hold: the narrower counts.
      const looser = typeof before === 'number' && typeof now === 'number' && (key.startsWith('min') ? now <= before : now >= before);
      if (looser) continue;
      limits[key] = value;
      if (by !== undefined) saidBy[key] = by;
    }
  };
  if (column.identity !== null) add(column.identity);
  const target = tables.find((other) => other.name === column.references?.table);
  const referred = target?.columns.find((other) => other.name === column.references?.column);
  if (target !== undefined && referred !== undefined && depth < 5) {
    const { minimum, maximum } = factsOf(tables, target, referred, depth + 1) ?? {};
    add({ ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) });
  }
  for (const check of table.checks) {
    for (const condition of readCheck(check.definition) ?? []) if (condition.column === column.name) add(condition.limits, check.name);
  }
  return { ...base, ...limits, nullable, default: readDefault(column.default), saidBy };
}

/** A default that is a constant, as JSON has it; `undefined` if there is none, `null` if it is computed. */
function readDefault(expression: string | null): unknown {
  if (expression === null) return undefined;
  const [, text, plain] = /^(?:'((?:[^']|'')*)'|\(?(-?\d+(?:\.\d+)?|true|false)\)?)(?:::[a-z ]+)?$/.exec(expression) ?? [];
  if (plain !== undefined) return JSON.parse(plain) as unknown;
  return text?.replaceAll("''", "'") ?? null;
}
