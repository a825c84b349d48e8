/** Changes of a column whose property has changed: its condition, whether it can be NULL, its default. */
import { readCheck, type Limits } from '../database/check-constraints.ts';
import type { SchemaChange } from '../schema/compare-schemas.ts';
import { desiredColumn, type DesiredColumn } from './desired-column.ts';
import type { Draft, PlanOptions } from './migration-plan.ts';
import { identifier, literal } from './sql-identifier.ts';

type Alteration = Extract<SchemaChange, { kind: 'alter' }>;

export function alterColumn(options: PlanOptions, draft: Draft, change: Alteration): void {
  const { table, column, schema, property, aspect } = change;
  const mapped = options.map.tables[table.name];
  if (mapped === undefined) return;
  const full = `${table.name}.${column.name}`;
  const byHand = (reason: string) => void draft.undecided.push(`${full}: ${reason}; write a migration by hand, or change the spec`);
  const desired = desiredColumn({ document: options.document, mapped, property, name: column.name, schema });
  if ('reason' in desired) return byHand(`${schema}.${property} ${desired.reason}`);

  const alter = (...parts: string[]) => {
    draft.actions.push(...parts.map((part) => ({ table: table.name, part })));
    // Servers of the version before do not know what the column may hold from now on.
    draft.compatible = false;
    if (!draft.columns.includes(full)) draft.columns.push(full);
  };
  const name = identifier(column.name);
  if (aspect === 'required' || aspect === 'nullable') {
    if (desired.nullable === column.nullable) return byHand(`the schemas of ${table.name} disagree on whether ${property} can be absent`);
    if (desired.nullable) return alter(`ALTER COLUMN ${name} DROP NOT NULL`);
    const filled = options.fill.get(full);
    const value = desired.default ?? (filled === undefined ? undefined : literal(filled));
    if (value === undefined) {
      draft.undecided.push(`${full}: required, so rows without it need a value. Run this with --fill ${full}=VALUE`);
      return;
    }
    draft.actions.push({ statement: `UPDATE ${identifier(table.name)} SET ${name} = ${value} WHERE ${name} IS NULL` });
    return alter(`ALTER COLUMN ${name} SET NOT NULL`);
  }
  if (aspect === 'default') {
    return desired.default === undefined
      ? byHand('it has a default, and the contract has another')
      : alter(`ALTER COLUMN ${name} SET DEFAULT ${desired.default}`);
  }
  if (!/^(min|max|enum)/.test(aspect)) return byHand(`${aspect} of ${schema}.${property} is another`);
  const parts = limitParts(change, desired);
  if (parts === undefined) return byHand(`${aspect} of ${schema}.${property} differs, and its limit is no CHECK of this column alone`);
  alter(...parts);
  if (!isWider(change.facts, desired)) draft.notes.push(`${full}: the migration fails if a row does not satisfy the new limits`);
}

/** The parts that give a column its new limits; `undefined` if something else than its type or a CHECK of this column alone sets them. */
function limitParts({ table, column }: Alteration, { check, type, limits }: DesiredColumn): string[] | undefined {
  const name = identifier(column.name);
  const own = table.checks.flatMap((one) => {
    const conditions = readCheck(one.definition);
    return conditions?.some((condition) => condition.column === column.name) ? [{ name: one.name, conditions }] : [];
  });
  const isShared = own.some(({ conditions }) =>
    conditions.some((condition) => condition.column !== column.name || condition.limits.pattern !== undefined),
  );
  const isOfKey = column.identity !== null || column.references !== null;
  if (isShared || isOfKey || column.labels !== null) return undefined;
  const parts = own.map((one) => `DROP CONSTRAINT ${identifier(one.name)}`);
  if (/^(smallint|integer)$/.test(column.type) && type === 'bigint') parts.push(`ALTER COLUMN ${name} TYPE bigint`);
  else if (/^character varying\(/.test(column.type)) {
    const { maxLength } = limits;
    parts.push(`ALTER COLUMN ${name} TYPE ${maxLength === undefined ? 'text' : `varchar(${maxLength})`}`);
  }
  if (check !== undefined)
    parts.push(`ADD CONSTRAINT ${identifier(own[0]?.name ?? `${table.name}_${column.name}_check`)} CHECK (${check})`);
  return parts;
}

/** Whether every row that satisfied the old limits satisfies the new ones. */
function isWider(old: Limits, { limits }: DesiredColumn): boolean {
  const lower = (['minimum', 'minLength'] as const).every((key) => limits[key] === undefined || limits[key] <= (old[key] ?? -Infinity));
  const upper = (['maximum', 'maxLength'] as const).every((key) => limits[key] === undefined || limits[key] >= (old[key] ?? Infinity));
  const values = limits.enum === undefined || old.enum?.every((value) => limits.enum?.includes(value)) === true;
  return lower && upper && values;
}
