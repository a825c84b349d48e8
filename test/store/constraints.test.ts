/** Each constraint that a client can violate has an entry in CONSTRAINTS of src/db/store.ts: without one its violation is an internal error. */
import { expect, test } from '@jest/globals';
import { withDatabase } from 'specwright/testing';
import { CONSTRAINTS } from '../../src/db/store.ts';

const database = withDatabase();

/** The tables of @specwright/accounts, which has its own entries and tests, and those of events, which no request writes but by an append. */
const OF_PACKAGES = /^(accounts|api_key|event_log|idempotency_keys|webhook)/;

/** Why no request violates them. */
const NEVER_VIOLATED: Readonly<Record<string, string>> = {
  orders_quantity_of_pet: 'quantity has a default where there is a pet',
  pets_quantity_not_negative: 'units are taken from a locked row that has as many (test/concurrency/stock.test.ts)',
  photo_chunks_photo: 'the photo is locked by the transaction that writes its chunks',
  photo_usage_account_id_fkey: 'the row is written with that of the photo, whose key is violated first',
};

interface Row {
  readonly name: string;
  /** `f` foreign key, `u` unique, `c` check, `x` exclusion (pg_constraint.contype). */
  readonly type: string;
  readonly refusesDelete: boolean;
}

async function listConstraints(): Promise<Row[]> {
  const { rows } = await database.db.raw<{ rows: (Row & { readonly table: string })[] }>(`
    SELECT conname AS name, contype AS type, contype = 'f' AND confdeltype IN ('a', 'r') AS "refusesDelete", conrelid::regclass::text AS table
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'u', 'c', 'x')`);
  return rows.filter(({ table }) => !OF_PACKAGES.test(table));
}

/** A check without a name has PostgreSQL's: it repeats a bound of the contract, which `check-schema` compares with it. */
const repeatsContract = ({ name, type }: Row) => type === 'c' && name.endsWith('_check');

const sorted = (names: Iterable<string>) => [...names].sort();

test('each constraint is answered, or never violated', async () => {
  const rows = (await listConstraints()).filter((row) => !repeatsContract(row));
  expect(rows.length).toBeGreaterThan(10);
  const answered = [...Object.keys(CONSTRAINTS.onWrite ?? {}), ...Object.keys(NEVER_VIOLATED)];
  expect(sorted(answered)).toEqual(sorted(rows.map(({ name }) => name)));
});

test('each foreign key that keeps what it refers to from being deleted is answered', async () => {
  const rows = (await listConstraints()).filter(({ refusesDelete }) => refusesDelete);
  expect(sorted(Object.keys(CONSTRAINTS.onDelete ?? {}))).toEqual(sorted(rows.map(({ name }) => name)));
});
