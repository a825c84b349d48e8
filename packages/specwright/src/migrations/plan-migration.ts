/** What a migration has to do so that the database holds what the contract has, and what a person has to decide. */
import { type Limits, readCheck } from '../database/check-constraints.ts';
import type { SchemaChange } from '../schema/compare-schemas.ts';
import type { MappedTable } from '../schema/database-locations.ts';
import { columnName } from '../schema/column-name.ts';
import { isOwnColumn } from '../schema/derive-tables.ts';
import { type DesiredColumn, checkOf, createTable, desiredColumn, assertColumn, sharedColumns, takenColumn } from './create-table.ts';
import { type ColumnEntry, type Draft, type MigrationPlan, type PlanOptions, identifier, literal } from './migration-plan.ts';

/** @throws Error if a name is too long, or two properties would have one column: then nothing can be written. */
export function planMigration(options: PlanOptions): MigrationPlan {
  const draft: Draft = { actions: [], entries: [], compatible: true, columns: [], undecided: [], notes: [], holders: new Map() };
  // What several schemas say of one column is one change.
  const seen = new Set<string>();
  const created = new Set(options.problems.flatMap(({ change }) => (change?.kind === 'create' ? [change.table] : [])));
  for (const { change } of options.problems) {
    // A new table has them from the beginning.
    if (change?.kind === 'add' && change.tables.every((table) => created.has(table))) continue;
    const key = change && keyOf(change);
    if (change === undefined || key === undefined || seen.has(key)) continue;
    seen.add(key);
    if (change.kind === 'add') addProperty(options, draft, change);
    if (change.kind === 'alter') alterColumn(options, draft, change);
    if (change.kind === 'drop')
      draft.undecided.push(`${change.table}.${change.column}: drop it once no running server uses it; its data is lost with it`);
    if (change.kind === 'create') addTable(options, draft, change.table);
  }
  return draft;
}

function addTable({ document, map, tables }: PlanOptions, draft: Draft, table: string): void {
  const mapped = map.tables[table];
  if (mapped === undefined) return;
  const isException = (property: string) => property in map['not in the database'].properties;
  const { statement, ...plan } = createTable({ document, table, mapped, shared: sharedColumns(map, tables), isException });
  draft.undecided.push(...plan.undecided);
  draft.notes.push(...plan.notes);
  if (statement === undefined) return;
  draft.actions.push({ statement });
  draft.entries.push(...plan.entries);
  draft.columns.push(table);
}

function keyOf(change: SchemaChange): string {
  if (change.kind === 'add') return `${change.tables.join()} ${change.property}`;
  if (change.kind === 'alter') return `${change.table.name} ${change.column.name} ${aspectGroup(change.aspect)}`;
  return JSON.stringify(change);
}

/** Aspects that are changed together. */
function aspectGroup(aspect: string): string {
  if (/^(min|max|enum)/.test(aspect)) return 'limits';
  return aspect === 'nullable' ? 'required' : aspect;
}

/** A column that the map excepts of the contract is the server's: a body must not fill it. */
function addProperty(options: PlanOptions, draft: Draft, change: Extract<SchemaChange, { kind: 'add' }>): void {
  const name = columnName(change.property);
  const excepted = options.map['not in the contract'].columns;
  const isOwn = (table: string) =>
    options.map.tables[table]?.isDerived === true &&
    options.tables.some((one) => one.name === table && one.columns.some((column) => column.name === name && isOwnColumn(column)));
  const [taken] = change.tables.flatMap((table) => {
    const full = `${table}.${name}`;
    return name in excepted || full in excepted || isOwn(table) ? [full] : [];
  });
  if (taken === undefined) addColumn(options, draft, change);
  else draft.undecided.push(takenColumn(`${change.schema}.${change.property}`, taken));
}

function addColumn({ document, map, tables, fill }: PlanOptions, draft: Draft, change: Extract<SchemaChange, { kind: 'add' }>): void {
  const { property, schema } = change;
  const [table = '', ...others] = change.tables;
  const mapped = map.tables[table];
  if (mapped === undefined) return;
  if (others.length > 0) {
    draft.undecided.push(`${schema}.${property}: which of ${change.tables.join(', ')} holds it; map it there by hand`);
    return;
  }
  const name = columnName(property);
  const full = `${table}.${name}`;
  const entry = { table, column: name, property };
  assertColumn(draft.holders, table, name, property);
  if (tables.find((other) => other.name === table)?.columns.some((column) => column.name === name)) {
    const holds = mapped.columns[name];
    if (holds === undefined) addEntry(draft, mapped, entry);
    else draft.undecided.push(`${schema}.${property}: the column ${full} holds ${holds}; write a migration with another name`);
    return;
  }
  const desired = desiredColumn({ document, mapped, property, name });
  if ('reason' in desired) {
    draft.undecided.push(`${schema}.${property} ${desired.reason}: write a migration by hand`);
    return;
  }
  const { type, nullable, check } = desired;
  const filled = fill.get(full);
  const value = desired.default ?? (filled === undefined ? undefined : literal(type === 'text' ? filled : typed(filled)));
  if (!nullable && value === undefined) {
    draft.undecided.push(
      `${full}: required, so existing rows need a value. Give ${schema}.${property} a default, or run this with --fill ${full}=VALUE`,
    );
    return;
  }
  const parts = [`ADD COLUMN ${identifier(name)} ${type}`, nullable ? '' : `NOT NULL DEFAULT ${value ?? ''}`, check && `CHECK (${check})`];
  draft.actions.push({ table, part: parts.filter(Boolean).join(' ') });
  if (!nullable && desired.default === undefined) {
    // New rows have to say it, so servers of the version before, which do not, cannot insert any.
    draft.actions.push({ statement: `ALTER TABLE ${identifier(table)} ALTER COLUMN ${identifier(name)} DROP DEFAULT` });
    draft.compatible = false;
  }
  noteColumn(draft, full);
  addEntry(draft, mapped, entry);
}

function noteColumn(draft: Draft, full: string): void {
  if (full.endsWith('_id')) draft.notes.push(`${full}: if it refers to another table, add a foreign key to the migration`);
  draft.columns.push(full);
}

/** What is derived needs no entry in the map. */
function addEntry(draft: Draft, { isDerived }: MappedTable, entry: ColumnEntry): void {
  if (isDerived !== true) draft.entries.push(entry);
}

/** A value of the command line as a number or a boolean, where it is one. */
const typed = (value: string): unknown => (/^(-?\d+(\.\d+)?|true|false)$/.test(value) ? (JSON.parse(value) as unknown) : value);

/** Changes of a column whose property has changed: its condition, whether it can be NULL, its default. */
type Alteration = Extract<SchemaChange, { kind: 'alter' }>;

/** What changes one column. */
interface ColumnChange {
  readonly change: Alteration;
  readonly desired: DesiredColumn;
  /** The column, as SQL. */
  readonly name: string;
  /** `table.column` */
  readonly full: string;
  /** Leaves it to a person. */
  readonly byHand: (reason: string) => void;
  /** As `byHand`, because the schemas say different things. */
  readonly disagree: (what: string) => void;
  readonly alter: (...parts: string[]) => void;
}

function alterColumn(options: PlanOptions, draft: Draft, change: Alteration): void {
  const { table, column, schema, property, aspect } = change;
  const mapped = options.map.tables[table.name];
  if (mapped === undefined) return;
  const full = `${table.name}.${column.name}`;
  const byHand = (reason: string) => void draft.undecided.push(`${full}: ${reason}; write a migration by hand, or change the spec`);
  const desired = desiredColumn({ document: options.document, mapped, property, name: column.name });
  if ('reason' in desired) return byHand(`${schema}.${property} ${desired.reason}`);

  const alter = (...parts: string[]) => {
    draft.actions.push(...parts.map((part) => ({ table: table.name, part })));
    // Servers of the version before do not know what the column may hold from now on.
    draft.compatible = false;
    if (!draft.columns.includes(full)) draft.columns.push(full);
  };
  const disagree = (what: string) => byHand(`the schemas of ${table.name} disagree on ${what}`);
  const columnChange: ColumnChange = { change, desired, name: identifier(column.name), full, byHand, disagree, alter };
  if (aspect === 'required' || aspect === 'nullable') alterNullability(options, draft, columnChange);
  else if (aspect === 'default') alterDefault(columnChange);
  else if (/^(min|max|enum)/.test(aspect)) alterLimits(draft, columnChange);
  else byHand(`${aspect} of ${schema}.${property} is another`);
}

function alterNullability(
  { fill }: PlanOptions,
  draft: Draft,
  { change, desired, name, full, byHand, disagree, alter }: ColumnChange,
): void {
  const { table, column, schema, property } = change;
  if (desired.nullable === column.nullable) return disagree(`whether ${property} can be absent`);
  if (desired.nullable && column.isKey === true) return byHand(`it is part of the key, and ${schema}.${property} can be absent`);
  if (desired.nullable) return alter(`ALTER COLUMN ${name} DROP NOT NULL`);
  const filled = fill.get(full);
  const value = desired.default ?? (filled === undefined ? undefined : literal(filled));
  if (value === undefined) {
    draft.undecided.push(`${full}: required, so rows without it need a value. Run this with --fill ${full}=VALUE`);
    return;
  }
  draft.actions.push({ statement: `UPDATE ${identifier(table.name)} SET ${name} = ${value} WHERE ${name} IS NULL` });
  alter(`ALTER COLUMN ${name} SET NOT NULL`);
}

function alterDefault({ change, desired, name, byHand, disagree, alter }: ColumnChange): void {
  if (desired.default === undefined) byHand('it has a default, and the contract has another');
  else if (literal(change.facts.default) === desired.default) disagree(`the default of ${change.property}`);
  else alter(`ALTER COLUMN ${name} SET DEFAULT ${desired.default}`);
}

function alterLimits(draft: Draft, { change, desired, name, full, byHand, disagree, alter }: ColumnChange): void {
  const { schema, property, aspect, facts } = change;
  const parts = limitParts(change, desired);
  const isAsDesired = checkOf(name, desired.type, facts) === desired.check && !parts?.some((part) => part.startsWith('ALTER'));
  if (isAsDesired) return disagree(`${aspect} of ${property}, and the column has what all of them allow`);
  if (parts === undefined) return byHand(`${aspect} of ${schema}.${property} differs, and its limit is no CHECK of this column alone`);
  alter(...parts);
  if (!isWider(facts, desired)) draft.notes.push(`${full}: the migration fails if a row does not satisfy the new limits`);
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
  const isWiderNumber = type === 'bigint' ? /^(smallint|integer)$/.test(column.type) : type === 'integer' && column.type === 'smallint';
  if (isWiderNumber) parts.push(`ALTER COLUMN ${name} TYPE ${type}`);
  const [, length] = /^character varying\((\d+)\)/.exec(column.type) ?? [];
  if (length !== undefined && Number(length) !== limits.maxLength) {
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
