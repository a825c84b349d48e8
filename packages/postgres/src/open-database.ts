/** The database that the configuration names: the one at `DATABASE_URL`, or an embedded one that is started for it. */
import { connect, requireServer, type Database } from './connect.ts';
import { startEmbedded } from './embedded.ts';

export interface OpenOptions {
  /** The name of the embedded database, and of the connections. */
  readonly name: string;
  readonly databaseUrl: string | undefined;
  readonly databasePool: number;
  readonly dataDir: string;
}

export interface OpenDatabase {
  readonly db: Database;
  /** Where it is, for a pool beside this one. */
  readonly url: string;
  readonly embedded: boolean;
  /** Closes the pool and, if it is ours and nobody else uses it, stops the embedded database. */
  close(): Promise<void>;
}

/** @throws Error with what to do, if there is no database or it cannot be used. */
export async function openDatabase({ name, databaseUrl, databasePool, dataDir }: OpenOptions): Promise<OpenDatabase> {
  const embedded = databaseUrl === undefined ? await startEmbedded({ dataDir, database: name }) : undefined;
  const url = embedded?.url ?? databaseUrl ?? '';
  const db = connect({ url, name, pool: databasePool });
  const close = async () => {
    await db.destroy();
    await embedded?.stop();
  };
  try {
    await requireServer(db, url);
  } catch (error) {
    await close();
    throw error;
  }
  return { db, url, embedded: embedded !== undefined, close };
}
