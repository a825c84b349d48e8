/** An embedded PostgreSQL from npm, for development without DATABASE_URL: nothing to install, the data is in one folder. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseSystemUser } from './system-user.ts';
import { type Binaries, prepareBinaries } from './binaries.ts';
import { checkCluster, createCluster, createDataDir, readPassword } from './cluster.ts';
import { EmbeddedError, codeOf, messageOf, toEmbeddedError } from './embedded-error.ts';
import { isPostmaster, readPidFile, logTail, startPostmaster, stopPostmaster } from './postmaster.ts';
import { claimCluster, keepClaim, releaseCluster } from './host-lease.ts';
import { acquireLease, type Lease } from './lease.ts';
import type { SystemUser } from './child-process.ts';

/** How long to wait for another process that is starting, stopping or recovering the same database. */
const JOIN_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 25;

export interface EmbeddedDatabase {
  /** `postgres://postgres:<password>@127.0.0.1:<port>/<database>?sslmode=disable`: PGSSLMODE makes no difference. */
  url: string;
  /** Ends the use of the database by this call. The server is stopped, cleanly, unless another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Absolute path of the folder that holds the data, e.g. `<checkout>/.data`; created if missing. */
  dataDir: string;
  /** The name of the database; created if missing. */
  database: string;
  /** Gets one line for each thing that takes time. */
  log?: (line: string) => void;
  /** Server settings, as in postgresql.conf; they apply if this call is the one that starts the server. */
  settings?: Record<string, string>;
}

/**
 * Starts the database of a folder, or joins it if it is running: started by another process, or left behind by one that was
 * killed. The URL is valid until `stop()` is called.
 *
 * @throws EmbeddedError whose message says how to fix it.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { dataDir } = options;
  const began = performance.now();
  if (!isAbsolute(dataDir)) throw new EmbeddedError(`dataDir must be an absolute path: ${dataDir}`);
  const user = await chooseSystemUser(dataDir, join(dataDir, 'postgres'));
  await createDataDir(dataDir, user);
  const path = join(await realpath(dataDir), 'postgres');
  return new EmbeddedServer(path, user, await prepareBinaries(dataDir, user), options, began).join();
}

/** The server of a folder, as this call starts or joins it. */
class EmbeddedServer {
  readonly #path: string;
  readonly #user: SystemUser | undefined;
  readonly #binaries: Binaries;
  readonly #options: EmbeddedOptions;
  readonly #began: number;
  #endClaim: (() => void) | undefined = undefined;

  constructor(path: string, user: SystemUser | undefined, binaries: Binaries, options: EmbeddedOptions, began: number) {
    this.#path = path;
    this.#user = user;
    this.#binaries = binaries;
    this.#options = options;
    this.#began = began;
  }

  async join(): Promise<EmbeddedDatabase> {
    try {
      return await this.#join();
    } catch (error) {
      this.#endClaim?.();
      throw error;
    }
  }

  async #join(): Promise<EmbeddedDatabase> {
    for (const end = Date.now() + JOIN_TIMEOUT_MS; ;) {
      const outcome = await this.#tryJoin();
      if ('lease' in outcome) return this.#use(outcome);
      if (Date.now() > end) {
        const reason = messageOf(outcome.obstacle);
        throw new EmbeddedError(`the database of ${this.#path} cannot be joined: ${reason}`, await logTail(this.#path));
      }
      if (outcome.obstacle) await sleep(POLL_INTERVAL_MS);
    }
  }

  async #use({ lease, port, password, cluster }: Joined): Promise<EmbeddedDatabase> {
    const { database } = this.#options;
    const stop = once(async () => {
      await lease.release(async () => {
        this.#endClaim?.();
        await stopPostmaster(cluster, this.#binaries, this.#user);
        await releaseCluster(cluster);
      });
      this.#endClaim?.();
    });
    await ensureDatabase(lease, database).catch(async (error: unknown) => {
      await stop();
      throw toEmbeddedError(error, `create database "${database}"`);
    });
    lease.unref();
    this.#report(`ready on port ${port} in ${Math.round(performance.now() - this.#began)} ms`);
    return { url: embeddedUrl(password, port, database), stop };
  }

  /** One try to acquire a lease: an obstacle is either removed, or returned as the reason to try again. */
  async #tryJoin(): Promise<Joined | { obstacle: unknown }> {
    const path = this.#path;
    const cluster = await checkCluster(path, this.#binaries, this.#user);
    if (!cluster) {
      this.#report(`creating ${path}`);
      await createCluster(path, this.#binaries, this.#user, this.#options.settings?.fsync !== 'off');
      return { obstacle: undefined };
    }
    await this.#claim(cluster);
    const { running, isOurs } = await findPostmaster(cluster);
    if (running?.ready && isOurs !== false) {
      const { port } = running;
      const password = await readPassword(cluster);
      const restart = async () => {
        await this.#start(cluster);
      };
      const lease = await acquireLease(port, password, restart).catch((error: unknown) => ({ error }));
      if (lease && 'client' in lease) return { lease, port, password, cluster };
      if (isOurs && codeOf(lease?.error) === '28P01') throw toEmbeddedError(lease?.error, `log in to the database of ${path}`);
      if (isOurs) return { obstacle: lease?.error ?? 'it is being stopped' };
    }
    const obstacles = { ready: undefined, busy: 'the data is in use', running: 'it is starting or stopping' };
    return { obstacle: obstacles[await this.#start(cluster)] };
  }

  /** Before anything is read of its postmaster.pid, which says nothing in another container. @throws EmbeddedError */
  async #claim(cluster: string): Promise<void> {
    await claimCluster(cluster, this.#user);
    this.#endClaim ??= keepClaim(cluster, this.#user);
  }

  /** Starts the server, unless it runs. */
  async #start(cluster: string): Promise<'ready' | 'busy' | 'running'> {
    const { running, isOurs } = await findPostmaster(cluster);
    if (isOurs) return 'running';
    const { settings = {} } = this.#options;
    const stalePid = isOurs === false ? running?.pid : undefined;
    return startPostmaster({ cluster, binaries: this.#binaries, user: this.#user, settings, stalePid });
  }

  #report(line: string): void {
    this.#options.log?.(`embedded PostgreSQL ${this.#binaries.major}: ${line}`);
  }
}

/** The content of postmaster.pid, and whether that process is the server of this data: undefined if that is unknown. */
async function findPostmaster(cluster: string) {
  const running = await readPidFile(cluster);
  return { running, isOurs: running && (await isPostmaster(running.pid, cluster)) };
}

/** The URL of the database of a folder, if its server runs; it is not started, and may stop at any time. */
export async function findEmbedded({ dataDir, database }: Pick<EmbeddedOptions, 'dataDir' | 'database'>): Promise<string | undefined> {
  const cluster = await realpath(join(dataDir, 'postgres')).catch(() => undefined);
  const running = cluster === undefined ? undefined : await readPidFile(cluster);
  if (cluster === undefined || !running?.ready || (await isPostmaster(running.pid, cluster)) === false) return undefined;
  return embeddedUrl(await readPassword(cluster), running.port, database);
}

const embeddedUrl = (password: string, port: number, database: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}?sslmode=disable`;

interface Joined {
  lease: Lease;
  port: number;
  password: string;
  cluster: string;
}

/** Two processes may do this at once: the failure of the second one says that the database exists. */
async function ensureDatabase({ client }: Lease, database: string): Promise<void> {
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
