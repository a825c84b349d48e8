/** The ways to read one pet that are compared: from nowhere, by `pg`, by Knex as the peers do, and by the pet store's own function. */
import type { Database } from '@specwright/postgres';
import knex from 'knex';
import pg from 'pg';
import { getPet } from '../../src/db/pets.ts';

export interface FoundPet {
  readonly pet: { readonly id: number; readonly name: string; readonly categoryId: number; readonly status: 'available' };
  readonly etag: string;
}

export type FindPet = (id: number) => Promise<FoundPet>;
export type PetSource = 'constant' | 'pg' | 'knex' | 'store';

export interface PetDatabase {
  readonly url: string;
  readonly accountId: number;
  /** Of the pet. */
  readonly categoryId: number;
  /** A pool of this project: `store` uses it. */
  readonly db: Database;
}

const POOL = 10;
const COLUMNS = { id: 'id', name: 'name', categoryId: 'category_id', status: 'status', version: 'version' };
const SQL = `SELECT id, name, category_id AS "categoryId", status, version FROM pets WHERE account_id = $1 AND id = $2 LIMIT 1`;

/** PostgreSQL's bigint arrives as text. */
interface Row extends Omit<FoundPet['pet'], 'id' | 'categoryId'> {
  readonly id: string;
  readonly categoryId: string;
  readonly version: string;
}

const found = ({ version, id, categoryId, ...pet }: Row): FoundPet => ({
  pet: { id: Number(id), ...pet, categoryId: Number(categoryId) },
  etag: `"${version}"`,
});

/** All of them use prepared statements and, but for the constant, pools of ten connections. */
export const FIND_PET: Readonly<Record<PetSource, (database: PetDatabase) => FindPet>> = {
  constant:
    ({ categoryId }) =>
    async (id) => ({ pet: { id, name: 'Rex', categoryId, status: 'available' }, etag: '"1"' }),
  pg: ({ url, accountId }) => {
    const pool = new pg.Pool({ connectionString: url, max: POOL });
    return async (id) => {
      const { rows } = await pool.query<Row>({ name: 'pets.get', text: SQL, values: [accountId, id] });
      return found(rows[0] as Row);
    };
  },
  knex: ({ url, accountId }) => {
    const db = knex({ client: 'pg', connection: url, pool: { min: 0, max: POOL } });
    return async (id) => {
      const query = db('pets').where({ account_id: accountId, id }).first<Row>(COLUMNS);
      return found(await query.options({ name: 'pets.get' }));
    };
  },
  store:
    ({ db, accountId }) =>
    async (id) => {
      const { record, version } = await getPet(db, accountId, id);
      return { pet: record as FoundPet['pet'], etag: `"${version}"` };
    },
};
