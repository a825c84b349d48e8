/** A lease of a running server: while a process holds one the server runs, and the process that releases the last one stops it. */
import pg from 'pg';

/**
 * Every process that uses the server holds this advisory lock in shared mode, on a separate connection. To release a
 * lease is to unlock it and then to try for it in exclusive mode: that succeeds for exactly one, the last, and from then on
 * keeps newcomers out, who wait and start the server again. The system closes the connections of a killed process, so it
 * holds no lease.
 */
const LOCK = 'pg_catalog.hashtext($$embedded$$)';
const RECONNECT_INTERVAL_MS = 500;
const CONNECT_TIMEOUT_MS = 5000;

export interface Lease {
  client: pg.Client;
  /** From now on the lease does not keep the process alive, as with a timer. */
  unref(): void;
  /** `stopServer` runs if no other process holds a lease; none can be acquired before it has ended. */
  release(stopServer: () => Promise<void>): Promise<void>;
}

/**
 * @param restart called when the server is gone although a lease is held: it was not stopped, so it was killed.
 * @returns the lease, or undefined if the server is being stopped by the holder of the last one.
 * @throws what `pg` throws if the server is unreachable.
 */
export async function acquireLease(port: number, password: string, restart: () => Promise<void>): Promise<Lease | undefined> {
  const first = await connectAndLock(port, password);
  if (!first) return undefined;
  let client = first;
  const state = { releasing: false };
  const isReleasing = (): boolean => state.releasing;

  // Whenever the connection is lost the lease is acquired again: the server may be restarting after a crash.
  const retry = (): void => {
    if (!isReleasing()) setTimeout(() => reacquire().catch(retry), RECONNECT_INTERVAL_MS).unref();
  };
  const reacquire = async (): Promise<void> => {
    if (isReleasing()) return;
    const next = await connectAndLock(port, password).catch(async () => {
      // The server may still be ending, or fail to start: the next try sees either again.
      await restart().catch(() => undefined);
      return undefined;
    });
    if (!next) return retry();
    client = next;
    client.once('end', retry);
    keepAlive(client, 'unref');
    if (isReleasing()) await client.end();
  };
  client.once('end', retry);

  return {
    client,
    unref: () => keepAlive(client, 'unref'),
    async release(stopServer) {
      state.releasing = true;
      keepAlive(client, 'ref');
      // Unlock first, then try: two that release together would each find the other one's lock otherwise.
      const unlocked = await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`).catch(() => undefined);
      const last = unlocked ? client : await connect(port, password).catch(() => undefined);
      if (!last) return; // the server is gone
      try {
        // A failure means that another process held the last lease and is stopping the server under us.
        const isLast = await tryLock(last, 'pg_try_advisory_lock').catch(() => false);
        if (isLast) await stopServer();
      } finally {
        await last.end().catch(() => undefined);
      }
    },
  };
}

/** A connection that holds the lock in shared mode, or undefined if another one holds it in exclusive mode. */
async function connectAndLock(port: number, password: string): Promise<pg.Client | undefined> {
  const client = await connect(port, password);
  const locked = await tryLock(client, 'pg_try_advisory_lock_shared').catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  if (locked) return client;
  await client.end();
  return undefined;
}

async function tryLock(client: pg.Client, lockFunction: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`SELECT ${lockFunction}(${LOCK}) AS locked`);
  return rows[0]?.locked === true;
}

/** Every option is given, as `pg` would fill in missing ones from PGHOST, PGSSLMODE, PGOPTIONS and their like. */
async function connect(port: number, password: string): Promise<pg.Client> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    password,
    database: 'postgres', // advisory locks are per database: all must be in the same one
    ssl: false,
    sslnegotiation: 'postgres',
    options: '-c statement_timeout=0',
    client_encoding: 'UTF8',
    application_name: 'embedded',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the loss of the connection is handled on its end
  await client.connect();
  return client;
}

/** Whether the connection keeps the process alive. `pg` has these methods, and its types lack them. */
function keepAlive(client: pg.Client, method: 'ref' | 'unref'): void {
  (client as pg.Client & { ref(): void; unref(): void })[method]();
}
