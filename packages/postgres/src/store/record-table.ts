/** What the stores of most nouns do: list, read, create, change and delete the versioned records that an account has in a table. */
import type { Knex } from 'knex';
import { requireVersion, type Page, type Precondition, type Stored } from '@specwright/contract/runtime';
import { returning, type RecordOf, type RowOf } from './column-map.ts';
import type { Database, Transaction } from '../connection/connect.ts';
import { buildOnce, buildShapes, commitWithNext } from '../statements/built-statement.ts';
import type { Constraints } from './sqlstate.ts';
import { constraintsOf, runAgain, type StoreAccess } from './store-access.ts';

interface TableType {
  readonly base: object;
  readonly insert: object;
  readonly update: object;
}

type RecordColumns<Table extends TableType> = Readonly<Record<string, keyof Table['base'] & string>> & {
  readonly id: keyof Table['base'] & 'id';
  readonly version: keyof Table['base'] & 'version';
};

/** The arguments that say whose a record is: none in a schema without owners. */
type OwnerId<Owner extends string> = [Owner] extends [never] ? [] : [owner: number];

/** The records of a table. Each function takes the id of the account first, in a schema that has some; another account's record is none. */
export interface RecordTable<Table extends TableType, Columns extends RecordColumns<Table>, Owner extends string = never> {
  /** The records of a page, in the order of their ids. @param where what columns must be, or one of a list; `undefined` is no condition. */
  list(db: Database, ...args: [...OwnerId<Owner>, page: Page, where?: Conditions<Table>]): Promise<RecordIn<Table, Columns>[]>;
  /** @throws what `notFound` returns. */
  get(db: Database, ...args: [...OwnerId<Owner>, id: IdIn<Table>]): Promise<Stored<RecordIn<Table, Columns>>>;
  /** @throws AppError if a constraint is broken. */
  create(db: Database, ...args: [...OwnerId<Owner>, values: Omit<Table['insert'], Owner>]): Promise<Stored<RecordIn<Table, Columns>>>;
  /** Changes columns, and raises the version; without any column neither. @throws what `notFound` returns; AppError precondition_failed. */
  update(
    db: Database,
    ...args: [...OwnerId<Owner>, id: IdIn<Table>, changes: Table['update'], precondition?: Precondition]
  ): Promise<Stored<RecordIn<Table, Columns>>>;
  /** @throws what `notFound` returns; AppError precondition_failed. */
  delete(db: Database, ...args: [...OwnerId<Owner>, id: IdIn<Table>, precondition?: Precondition]): Promise<void>;
  /** The row, locked until the transaction ends. @throws what `notFound` returns; AppError precondition_failed. */
  lock(trx: Transaction, ...args: [...OwnerId<Owner>, id: IdIn<Table>, precondition?: Precondition]): Promise<RowOf<Table, Columns>>;
}

type Conditions<Table extends TableType> = {
  readonly [Column in keyof Table['base']]?: Table['base'][Column] | readonly Table['base'][Column][] | undefined;
};
type RecordIn<Table extends TableType, Columns extends RecordColumns<Table>> = RecordOf<Omit<RowOf<Table, Columns>, 'version'>>;
type IdIn<Table extends TableType> = Table['base'] extends { id: infer Id } ? Id : never;

/** A row as the record that the contract has: a property whose column is NULL is absent. */
export const toRecord = <Row extends object>(row: Row): RecordOf<Row> => withoutNulls(row) as RecordOf<Row>;

/** The same, with its version. */
export const toStored = <Row extends { version: number }>(row: Row): Stored<RecordOf<Omit<Row, 'version'>>> => ({
  version: String(row.version),
  record: withoutNulls(row, 'version') as RecordOf<Omit<Row, 'version'>>,
});

function withoutNulls<Row extends object>(row: Row, omitted?: string): object {
  const record: Record<string, unknown> = {};
  for (const property in row) if (row[property] !== null && property !== omitted) record[property] = row[property];
  return record;
}

/**
 * Makes the `RecordTable`s of a schema.
 *
 * @param owner the column with the account's id, which every key of the schema begins with; a schema without accounts has none.
 * @returns a function of the table's name, the columns of its records, the error for an id that does not exist, or not for the account, and the
 *   errors of the table's constraints, if the schema does not name them.
 */
export function createRecordTables<Tables extends { [Name in keyof Tables]: TableType }, const Owner extends string = never>(
  access: StoreAccess,
  ...[owner]: [Owner] extends [never] ? [] : [owner: Owner]
) {
  return <Name extends keyof Tables & string, const Columns extends RecordColumns<Tables[Name]>>(
    name: Name,
    columns: Columns,
    notFound: (id: IdIn<Tables[Name]>) => Error,
    constraints: Constraints = {},
  ): RecordTable<Tables[Name], Columns, Owner> => {
    access.addConstraints(constraints);
    // What the rows and arguments are to the compiler is in the signature: knex cannot derive it for a table that is a parameter.
    const statements = scopedStatements(access, { name, columns, owner, notFound: notFound as (id: Id) => Error });
    const table = owner === undefined ? unowned(statements) : owned(statements, owner);
    return table as unknown as RecordTable<Tables[Name], Columns, Owner>;
  };
}

type Row = Record<string, unknown> & { version: number };
type Id = Knex.Value;
/** The account that owns the rows, by its id; undefined in a schema without owners. */
type Scope = [] | [account: number];
type Statements = ReturnType<typeof scopedStatements>;

function owned({ lock, list, get, create, update, remove }: Statements, owner: string) {
  /** Values may come of a request's body: none moves a row into another account. */
  const withoutOwner = (values: object): object =>
    owner in values ? Object.fromEntries(Object.entries(values).filter(([column]) => column !== owner)) : values;
  return {
    lock: (trx: Transaction, account: number, id: Id, precondition?: Precondition) => lock(trx, [account], id, precondition),
    list: (db: Database, account: number, page: Page, where?: object) => list(db, [account], page, where),
    get: (db: Database, account: number, id: Id) => get(db, [account], id),
    create: (db: Database, account: number, values: object) => create(db, { ...withoutOwner(values), [owner]: account }),
    update: (db: Database, account: number, id: Id, changes: object, precondition?: Precondition) =>
      update(db, [account], id, withoutOwner(changes), precondition),
    delete: (db: Database, account: number, id: Id, precondition?: Precondition) => remove(db, [account], id, precondition),
  };
}

const EVERYONE: Scope = [];

function unowned({ lock, list, get, create, update, remove }: Statements) {
  return {
    lock: (trx: Transaction, id: Id, precondition?: Precondition) => lock(trx, EVERYONE, id, precondition),
    list: (db: Database, page: Page, where?: object) => list(db, EVERYONE, page, where),
    get: (db: Database, id: Id) => get(db, EVERYONE, id),
    create,
    update: (db: Database, id: Id, changes: object, precondition?: Precondition) => update(db, EVERYONE, id, changes, precondition),
    delete: (db: Database, id: Id, precondition?: Precondition) => remove(db, EVERYONE, id, precondition),
  };
}

interface TableOptions {
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
  readonly owner: string | undefined;
  readonly notFound: (id: Id) => Error;
}

type RowsOfScope = (db: Database, scope: Scope) => Knex.QueryBuilder;

/** Conditions that are not one value, by what is before the name of their column: a part of the shape of the statement. */
const ONE_OF = 'one of ';
const ONE_OF_OR_NULL = 'one of, or null ';
/** `=` is true of no NULL. The value is a parameter all the same, as all of them are. */
const NULL = 'null ';
const SQL_OF = [
  [ONE_OF, '?? = ANY (?)'],
  [ONE_OF_OR_NULL, '(?? = ANY (?) OR ?? IS NULL)'],
  [NULL, '?? IS NOT DISTINCT FROM ?'],
] as const;

/** @returns the name of a condition, and its value. */
function conditionOf([column, value]: readonly [string, unknown]): readonly [string, unknown] {
  if (value === null) return [NULL + column, value];
  if (!Array.isArray(value)) return [column, value];
  if (value.includes(null)) return [ONE_OF_OR_NULL + column, value];
  // Of one value an index keeps the order of the ids: the planner does not see that it is one.
  return value.length === 1 ? [column, value[0]] : [ONE_OF + column, value];
}

function addCondition(query: Knex.QueryBuilder, condition: string, value: unknown): void {
  const [prefix, sql] = SQL_OF.find(([start]) => condition.startsWith(start)) ?? ['', '?? = ?'];
  const column = condition.slice(prefix.length);
  void query.whereRaw(sql, [column, value as never, ...(prefix === ONE_OF_OR_NULL ? [column] : [])]);
}

function listStatement(columns: TableOptions['columns'], rowsOf: RowsOfScope) {
  const run = buildShapes<Row>((db, where, after, limit, ...scope) => {
    const query = rowsOf(db, scope as Scope).where('id', '>', after as Id);
    for (const [condition, value] of Object.entries(where)) addCondition(query, condition, value);
    // Knex takes no parameter for a LIMIT.
    return query.orderByRaw('id LIMIT ?', [limit as number]).select<Row[]>(columns);
  });
  return (db: Database, scope: Scope, { after, limit }: Page, where: object) => {
    const conditions = Object.entries(where as Record<string, unknown>).map(conditionOf);
    return run(db, Object.fromEntries(conditions), after, limit, ...scope);
  };
}

function buildStatements({ name, columns, owner }: TableOptions) {
  const rowsOf: RowsOfScope = (db, [account]) => (owner === undefined ? db(name) : db(name).where(owner, account as number));
  const byId = (db: Database, id: unknown, scope: unknown[]) => rowsOf(db, scope as Scope).where({ id: id as Id });
  return {
    list: listStatement(columns, rowsOf),
    find: buildOnce<Row>((db, id, ...scope) => byId(db, id, scope).select<Row[]>(columns)),
    lock: buildOnce<Row>((db, id, ...scope) => byId(db, id, scope).forUpdate().select<Row[]>(columns)),
    insert: buildShapes<Row>((db, values) => db(name).insert(values).returning<Row[]>(returning(columns))),
    change: buildShapes<Row>((db, changes, id, ...scope) =>
      byId(db, id, scope)
        .update({ ...changes, version: db.raw('version + 1') })
        .returning<Row[]>(returning(columns)),
    ),
    remove: buildOnce<Row>((db, id, ...scope) => byId(db, id, scope).delete().returning<Row[]>('id')),
  };
}

function scopedStatements(access: StoreAccess, options: TableOptions) {
  const { notFound } = options;
  const built = buildStatements(options);
  const constraints = constraintsOf.get(access) ?? {};
  /** A statement is a transaction itself, and is run again as one. */
  const run = (db: Database, statement: () => Promise<readonly Row[]>, deleting = false) =>
    statement().catch((error: unknown) => runAgain(error, statement, constraints, { isStep: db.isTransaction === true, deleting }));

  const only = (rows: readonly Row[], id: Id): Row => {
    const [row] = rows;
    if (row === undefined) throw notFound(id);
    return row;
  };
  const lock = async (trx: Transaction, scope: Scope, id: Id, precondition?: Precondition): Promise<Row> => {
    const row = only(await run(trx, () => built.lock(trx, id, ...scope)), id);
    requireVersion(toStored(row), precondition);
    return row;
  };
  /** Locked only where it decides: without a precondition the statement itself finds the record, or does not. */
  const changeIf = async (
    db: Database,
    scope: Scope,
    id: Id,
    precondition: Precondition | undefined,
    statement: (db: Database) => Promise<readonly Row[]>,
    deleting = false,
  ) => {
    if (precondition === undefined) return only(await run(db, () => statement(db), deleting), id);
    return access.transaction(
      db,
      async (trx) => {
        await lock(trx, scope, id, precondition);
        await commitWithNext(trx);
        return only(await statement(trx), id);
      },
      { deleting },
    );
  };

  return {
    lock,
    list: async (db: Database, scope: Scope, page: Page, where: object = {}) =>
      (await run(db, () => built.list(db, scope, page, where))).map((row) => toStored(row).record),
    get: async (db: Database, scope: Scope, id: Id) => {
      const rows = await run(db, () => built.find(db, id, ...scope));
      return toStored(only(rows, id));
    },
    create: async (db: Database, values: object) => {
      const [row] = await run(db, () => built.insert(db, values));
      return toStored(row as Row);
    },
    update: async (db: Database, scope: Scope, id: Id, changes: object, precondition?: Precondition) => {
      const isChange = Object.values(changes).some((value) => value !== undefined);
      const statement = (one: Database) => (isChange ? built.change(one, changes, id, ...scope) : built.lock(one, id, ...scope));
      return toStored(await changeIf(db, scope, id, precondition, statement));
    },
    remove: async (db: Database, scope: Scope, id: Id, precondition?: Precondition) => {
      await changeIf(db, scope, id, precondition, (one) => built.remove(one, id, ...scope), true);
    },
  };
}
