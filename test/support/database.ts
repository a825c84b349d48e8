/** A database of its own for each test file, copied from the template. */
import { randomBytes } from 'node:crypto';
import { connect, type Database } from '@specwright/postgres';

export const TEMPLATE = 'template_of_tests';

export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes the pool and removes the database, with whoever is still connected to it. */
  drop(): Promise<void>;
}

/** @param options.template another template; `template0` is an empty database. */
export async function createDatabase(options: { template?: string; pool?: number } = {}): Promise<TestDatabase> {
  const server = process.env['TEST_SERVER'];
  if (server === undefined) throw new Error('TEST_SERVER is not set: run the tests with `npm test`');
  const name = `test_${randomBytes(6).toString('hex')}`;
  const admin = connect({ url: server, pool: 1 });
  await admin.raw(`CREATE DATABASE ${name} TEMPLATE ${options.template ?? TEMPLATE}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const db = connect({ url, pool: options.pool ?? 10 });
  return {
    url,
    db,
    async drop() {
      await db.destroy();
      await admin.raw(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.destroy();
    },
  };
}
