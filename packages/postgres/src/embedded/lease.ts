// A seat at a running database: while anyone has one, the server stays; who gives up the last one stops it.
import pg from 'pg';

/**
 * Everyone who uses the database holds this advisory lock in shared mode, on a connection of its own. Who leaves lets go,
 * then tries for it in exclusive mode: that succeeds for exactly one, the last, and from then on shuts out newcomers, who
 * wait and start the server again. The system closes the connection of a killed process, so no dead one counts.
 */
const LOCK = 'pg_catalog.hashtext($$embedded$$)';
const RECONNECT_MS = 500;

/** A place among the users of the database. */
export interface Seat {
  client: pg.Client;
  /** From now on the seat is no reason for the process to live on, as with a timer. */
  unref(): void;
  /** Gives it up. `lastOut` runs if there is no other user, and nobody can become one until it has settled. */
  leave(lastOut: () => Promise<void>): Promise<void>;
}

/**
 * The seat, or undefined if the server is being stopped by its last user. Rejects as `pg` does if it is unreachable.
 *
 * `revive` is called when the server of a seat that is held is gone: nobody has stopped it, so it was killed.
 */
export async function takeSeat(port: number, password: string, revive: () => Promise<void>): Promise<Seat | undefined> {
  const first = await sitDown(port, password);
  if (!first) return undefined;
  let client = first;
  const state = { leaving: false };
  const isLeaving = (): boolean => state.leaving;

  // Whenever the connection is lost the seat is taken again: the server may be restarting after a crash.
  const retry = (): void => {
    if (!isLeaving()) setTimeout(() => void retake(), RECONNECT_MS).unref();
  };
  const retake = async (): Promise<void> => {
    if (isLeaving()) return;
    const next = await sitDown(port, password).catch(async () => {
      // It may still be ending, or not start: both are seen again at the next try.
      await revive().catch(() => undefined);
      return undefined;
    });
    if (!next) return retry();
    client = next;
    client.once('end', retry);
    setHold(client, 'unref');
    if (isLeaving()) await client.end();
  };
  client.once('end', retry);

  return {
    client,
    unref: () => setHold(client, 'unref'),
    async leave(lastOut) {
      state.leaving = true;
      setHold(client, 'ref');
      // First let go, then try: or two who leave together would each find the other one still there.
      const released = await client.query(`SELECT pg_advisory_unlock_shared(${LOCK})`).catch(() => undefined);
      const leaver = released ? client : await connect(port, password).catch(() => undefined);
      if (!leaver) return; // the server is gone
      try {
        // A failure means that another one was the last and is stopping the server under us.
        const last = await lock(leaver, 'pg_try_advisory_lock').catch(() => false);
        if (last) await lastOut();
      } finally {
        await leaver.end().catch(() => undefined);
      }
    },
  };
}

/** A connection that holds the lock in shared mode, or undefined if someone holds it in exclusive mode. */
async function sitDown(port: number, password: string): Promise<pg.Client | undefined> {
  const client = await connect(port, password);
  const seated = await lock(client, 'pg_try_advisory_lock_shared').catch(async (error: unknown) => {
    await client.end();
    throw error;
  });
  if (seated) return client;
  await client.end();
  return undefined;
}

async function lock(client: pg.Client, how: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(`SELECT ${how}(${LOCK}) AS locked`);
  return rows[0]?.locked === true;
}

/** Everything is said explicitly, as `pg` would fill what is left out from PGHOST, PGSSLMODE, PGOPTIONS and their like. */
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
    connectionTimeoutMillis: 5000,
  });
  client.on('error', () => undefined); // the loss of the connection is handled on its end
  await client.connect();
  return client;
}

/** Whether the connection keeps the process alive. Declared by `pg`, but not by its types. */
function setHold(client: pg.Client, how: 'ref' | 'unref'): void {
  (client as pg.Client & { ref(): void; unref(): void })[how]();
}
