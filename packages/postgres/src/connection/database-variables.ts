/** The environment variables of the database. */
import { integer, onOff, text } from '@specwright/server';

const databaseUrl = text((url) => {
  try {
    return ['postgres:', 'postgresql:'].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}, 'must be a URL such as postgres://user:password@localhost:5432/name');

/** For `readEnvironment` of `@specwright/server`; `openDatabase` takes their values. */
export const DATABASE_VARIABLES = {
  /** If it is not set, an embedded PostgreSQL is started. */
  DATABASE_URL: databaseUrl.optional(),
  /** The same database without a pooler, if `DATABASE_URL` is that of one: for LISTEN, migrations and the job queue. */
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  /** Whether statements are prepared under names, which PgBouncer before 1.21 cannot do in transaction mode. */
  DATABASE_PREPARED_STATEMENTS: onOff().default(true),
  /** The maximum number of connections in the pool. */
  DATABASE_POOL: integer(1, 1000).default(10),
  /** How long a statement may take, in ms. */
  STATEMENT_TIMEOUT: integer(1, 600_000).default(1500),
  /** How long a statement may wait for a lock, in ms. */
  LOCK_TIMEOUT: integer(1, 600_000).default(500),
  /** How long a server waits at its start for a database that is not there, in ms. */
  START_TIMEOUT: integer(0, 3_600_000).default(60_000),
  /** The folder of what is kept between starts: the embedded database, and the service's own files. */
  DATA_DIR: text().default('.data'),
};
