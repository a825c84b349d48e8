/** What the stores of most nouns do: list, read, create, change and delete the versioned records that an account has in a table. */
import type { Knex } from 'knex';
import { requireVersion, type Page, type Precondition, type Stored } from '@specwright/server';
import { returning, toRecord, type RecordOf, type RowOf } from './column-map.ts';
import type { Database, Transaction } from './connect.ts';
import type { StoreAccess } from './store-access.ts';

/** A table of `generated/database.ts`. */
interface TableType {
  readonly base: object;
  readonly insert: object;
  readonly update: object;
}

/** Property -> column, with the columns that the statements need. */
type RecordColumns<Table extends TableType> = Readonly<Record<string, keyof Table['base'] & string>> & {
  readonly id: keyof Table['base'] & 'id';
  readonly version: keyof Table['base'] & 'version';
};

/** The records of a table. Each function takes the id of the account first; another account's record is none. */
export interface RecordTable<Table extends TableType, Columns extends RecordColumns<Table>, Owner extends string> {
  /** The records of a page, in the order of their ids. @param filter adds conditions to the query. */
  list(
    db: Database,
    owner: number,
    page: Page,
    filter?: (query: Knex.QueryBuilder<Table['base']>) => unknown,
  ): Promise<RecordIn<Table, Columns>[]>;
  /** @throws what `notFound` returns. */
  get(db: Database, owner: number, id: IdIn<Table>): Promise<Stored<RecordIn<Table, Columns>>>;
  /** @throws AppError if a constraint is broken. */
  create(db: Database, owner: number, values: Omit<Table['insert'], Owner>): Promise<Stored<RecordIn<Table, Columns>>>;
  /** Changes columns in a transaction, and raises the version. @throws what `notFound` returns; AppError precondition_failed. */
  update(
    db: Database,
    owner: number,
    id: IdIn<Table>,
    changes: Table['update'],
    precondition?: Precondition,
  ): Promise<Stored<RecordIn<Table, Columns>>>;
  /** @throws what `notFound` returns; AppError precondition_failed. */
  delete(db: Database, owner: number, id: IdIn<Table>, precondition?: Precondition): Promise<void>;
  /** The row, locked until the transaction ends. @throws what `notFound` returns. */
  lock(trx: Transaction, owner: number, id: IdIn<Table>): Promise<RowOf<Table, Columns>>;
}

type RecordIn<Table extends TableType, Columns extends RecordColumns<Table>> = RecordOf<Omit<RowOf<Table, Columns>, 'version'>>;
type IdIn<Table extends TableType> = Table['base'] extends { id: infer Id } ? Id : never;

/** A row as the record that the contract has, with its version. */
export function toStored<Row extends { version: number }>(row: Row): Stored<RecordOf<Omit<Row, 'version'>>> {
  const { version, ...record } = row;
  return { version: String(version), record: toRecord(record) };
}

/**
 * Makes the `RecordTable`s of a schema.
 *
 * @param owner the column with the account's id, which every key of the schema begins with.
 * @returns a function of the table's name, the columns of its records, and the error for an id that the account does not have.
 */
export function createRecordTables<Tables extends { [Name in keyof Tables]: TableType }, const Owner extends string>(
  { read, transaction }: StoreAccess,
  owner: Owner,
) {
  return <Name extends keyof Tables & string, const Columns extends RecordColumns<Tables[Name]>>(
    name: Name,
    columns: Columns,
    notFound: (id: IdIn<Tables[Name]>) => Error,
  ): RecordTable<Tables[Name], Columns, Owner> => {
    // What these rows are to the compiler is in the signature: knex cannot derive it for a table that is a parameter.
    type Row = Record<string, unknown> & { version: number };
    type TypedRow = RowOf<Tables[Name], Columns>;
    const rowsOf = (db: Database, account: number) => db(name).where({ [owner]: account });
    const select = columns as Readonly<Record<string, string>>;
    const toResult = (row: unknown) => toStored(row as Row) as unknown as Stored<RecordIn<Tables[Name], Columns>>;

    const lock = async (trx: Transaction, account: number, id: IdIn<Tables[Name]>): Promise<Row> => {
      const row = await rowsOf(trx, account).where({ id }).forUpdate().first<Row | undefined>(select);
      if (row === undefined) throw notFound(id);
      return row;
    };

    return {
      lock: async (trx, account, id) => (await lock(trx, account, id)) as unknown as TypedRow,
      async list(db, account, { after, limit }, filter) {
        const query = rowsOf(db, account).where('id', '>', after).orderBy('id').limit(limit);
        filter?.(query as Knex.QueryBuilder<Tables[Name]['base']>);
        return (await read(query.select<Row[]>(select))).map((row) => toResult(row).record);
      },
      async get(db, account, id) {
        const query = rowsOf(db, account).where({ id });
        // Named, which makes it a prepared statement.
        const row = await read(query.first<Row | undefined>(select).options({ name: `${name}.get` }));
        if (row === undefined) throw notFound(id);
        return toResult(row);
      },
      async create(db, account, values) {
        const query = db(name).insert({ [owner]: account, ...values });
        const [row] = await read(query.returning<Row[]>(returning(columns)));
        return toResult(row);
      },
      update: (db, account, id, changes, precondition) =>
        transaction(db, async (trx) => {
          requireVersion(toStored(await lock(trx, account, id)), precondition);
          const query = rowsOf(trx, account).where({ id });
          const [row] = await query.update({ ...changes, version: trx.raw('version + 1') }).returning<Row[]>(returning(columns));
          return toResult(row);
        }),
      async delete(db, account, id, precondition) {
        await transaction(
          db,
          async (trx) => {
            requireVersion(toStored(await lock(trx, account, id)), precondition);
            await rowsOf(trx, account).where({ id }).delete();
          },
          { deleting: true },
        );
      },
    };
  };
}
