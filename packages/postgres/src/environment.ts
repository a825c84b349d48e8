/** The public API of `@specwright/postgres/environment`: the environment variables of the database. */
import { integer, onOff, optional, text, withDefault } from '@specwright/contract/variables';

const databaseUrl = text((url) => {
  try {
    return ['postgres:', 'postgresql:'].includes(new URL(url).protocol);
  } catch {
    return false;
  }
}, 'must be a URL such as postgres://user:password@localhost:5432/name');

/** For `readEnvironment`; `openDatabase` takes their values. */
export const DATABASE_VARIABLES = {
  /** If it is not set, an embedded PostgreSQL is started. */
  DATABASE_URL: optional(databaseUrl),
  /** The same database without a pooler, if `DATABASE_URL` is that of one: for LISTEN, migrations and the job queue. */
  DATABASE_DIRECT_URL: optional(databaseUrl),
  /** Whether statements are prepared under names, which PgBouncer before 1.21 cannot do in transaction mode. */
  DATABASE_PREPARED_STATEMENTS: withDefault(onOff(), true),
  /** The maximum number of connections in the pool. */
  DATABASE_POOL: withDefault(integer(1, 1000), 10),
  /** How long a statement may take, in ms. */
  STATEMENT_TIMEOUT: withDefault(integer(1, 600_000), 1500),
  /** How long a statement may wait for a lock, in ms. */
  LOCK_TIMEOUT: withDefault(integer(1, 600_000), 500),
  /** How long a server waits at its start for a database that is not there, in ms. */
  START_TIMEOUT: withDefault(integer(0, 3_600_000), 60_000),
  /** The folder of what is kept between starts: the embedded database, and the service's own files. */
  DATA_DIR: withDefault(text(), '.data'),
};
