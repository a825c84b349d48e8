// A real PostgreSQL from npm for whoever has not set DATABASE_URL: nothing to install, the data is under `.data/`.
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseAccount } from './embedded/system-user.ts';
import { prepareBinaries } from './embedded/binaries.ts';
import { checkCluster, makeCluster, makeDataDir, readPassword } from './embedded/cluster.ts';
import { EmbeddedError, codeOf, explain, messageOf } from './embedded/error.ts';
import { isPostmaster, readPidFile } from './embedded/pidfile.ts';
import { launch, logTail, shutDown } from './embedded/postmaster.ts';
import { takeSeat, type Seat } from './embedded/lease.ts';

export { EmbeddedError } from './embedded/error.ts';

/** How long others may keep us waiting, who are starting, stopping or recovering the same database. */
const PATIENCE_MS = 60_000;
const POLL_MS = 25;

export interface EmbeddedDatabase {
  /** `postgres://postgres:<password>@127.0.0.1:<port>/<database>?sslmode=disable`, so that PGSSLMODE makes no difference. */
  url: string;
  /** Ends our use of the database. The server is stopped, cleanly, unless another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Absolute path of the folder that holds the data, in the checkout, e.g. `<checkout>/.data`; created if missing. */
  dataDir: string;
  /** The name of the database; created if missing. */
  database: string;
  /** Told what takes time, in one line each. */
  log?: (line: string) => void;
  /** Server settings, as in postgresql.conf; they apply if this call is the one that starts the server. */
  settings?: Record<string, string>;
}

/**
 * Starts the database of a checkout, or joins it if it is running: started by another process, or left behind by one that
 * was killed. Use the URL only between this and `stop()`. Rejects with EmbeddedError, whose message says what to do.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { database, log = () => undefined, settings = {} } = options;
  const began = performance.now();
  if (!isAbsolute(options.dataDir)) throw new EmbeddedError(`dataDir must be an absolute path: ${options.dataDir}`);

  const account = await chooseAccount(options.dataDir, join(options.dataDir, 'postgres'));
  await makeDataDir(options.dataDir, account);
  const place = join(await realpath(options.dataDir), 'postgres');
  const binaries = await prepareBinaries(options.dataDir, account);
  const say = (line: string): void => log(`embedded PostgreSQL ${binaries.major}: ${line}`);

  /** What postmaster.pid says, and whether that process is the server of this data: undefined if it cannot be told. */
  const look = async (cluster: string) => {
    const running = await readPidFile(cluster);
    return { running, ours: running && (await isPostmaster(running.pid, cluster)) };
  };

  /** Starts the server, unless it runs. */
  const start = async (cluster: string): Promise<'ready' | 'busy' | 'running'> => {
    const { running, ours } = await look(cluster);
    if (ours) return 'running';
    return launch({ cluster, binaries, account, settings, stalePid: ours === false ? running?.pid : undefined });
  };

  /** One try to get a seat: what stands in the way is either removed, or returned as the reason to try again. */
  const attempt = async (): Promise<Joined | { obstacle: unknown }> => {
    const cluster = await checkCluster(place, binaries, account);
    if (!cluster) {
      say(`creating ${place}`);
      await makeCluster(place, binaries, account, settings.fsync !== 'off');
      return { obstacle: undefined };
    }
    const { running, ours } = await look(cluster);
    if (running?.ready && ours !== false) {
      const { port } = running;
      const password = await readPassword(cluster);
      const revive = async () => {
        await start(cluster);
      };
      const seat = await takeSeat(port, password, revive).catch((error: unknown) => ({ error }));
      if (seat && 'client' in seat) return { seat, port, password, cluster };
      if (ours && codeOf(seat?.error) === '28P01') throw explain(seat?.error, `log in to the database of ${place}`);
      if (ours) return { obstacle: seat?.error ?? 'it is being stopped' };
    }
    const outcome = await start(cluster);
    const obstacles = { ready: undefined, busy: 'the data is in use', running: 'it is starting or stopping' };
    return { obstacle: obstacles[outcome] };
  };

  for (const end = Date.now() + PATIENCE_MS; ;) {
    const outcome = await attempt();
    if ('seat' in outcome) {
      const { seat, port, password, cluster } = outcome;
      const stop = once(() => seat.leave(() => shutDown(cluster, binaries, account)));
      await ensureDatabase(seat, database).catch(async (error: unknown) => {
        await stop();
        throw explain(error, `create database "${database}"`);
      });
      seat.unref();
      say(`ready on port ${port} in ${Math.round(performance.now() - began)} ms`);
      return { url: `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`, stop };
    }
    if (Date.now() > end) {
      const reason = messageOf(outcome.obstacle);
      throw new EmbeddedError(`the database of ${place} cannot be joined: ${reason}`, await logTail(place));
    }
    if (outcome.obstacle) await sleep(POLL_MS);
  }
}

/** A seat, and what its URL is made of. */
interface Joined {
  seat: Seat;
  port: number;
  password: string;
  cluster: string;
}

/** Two may do this at once: the loser's failure says that the database exists. */
async function ensureDatabase({ client }: Seat, database: string): Promise<void> {
  const { rowCount } = await client.query('SELECT FROM pg_catalog.pg_database WHERE datname = $1', [database]);
  if (rowCount) return;
  await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`).catch((error: unknown) => {
    const exists = ['42P04', '23505'].includes(codeOf(error) ?? ''); // duplicate_database, unique_violation
    if (!exists) throw error;
  });
}

function once<T>(action: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= action());
}
