/** A real PgBouncer in transaction mode before a test database. It is in Debian (`apt-get install pgbouncer`), not in npm. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { removeFolder } from 'specwright/testing';

export interface PgBouncer {
  /** The URL of the database through it. */
  readonly url: string;
  close(): Promise<void>;
}

// Debian's is where only root's PATH leads.
const ENVIRONMENT = { ...process.env, PATH: [process.env['PATH'], '/usr/sbin', '/usr/local/sbin'].join(delimiter) };
/** Nobody, by number in all common systems: PgBouncer refuses to run as root. */
const NOBODY = 65534;

/** Its version, such as `1.18.0`; undefined if it is not installed. */
export function pgBouncerVersion(): string | undefined {
  const { error, stdout } = spawnSync('pgbouncer', ['--version'], { env: ENVIRONMENT, encoding: 'utf8' });
  return error === undefined ? /PgBouncer ([\d.]+)/.exec(stdout)?.[1] : undefined;
}

export interface PgBouncerOptions {
  /** How many connections it opens to the server. */
  readonly serverConnections?: number;
  /** How many prepared statements it keeps track of for each of them, which it can from 1.21 on; 0 for none. */
  readonly preparedStatements?: number;
  /** Of the same port as another one before. */
  readonly listenPort?: number;
}

/** Whether it can keep track of prepared statements. */
export function canPrepare(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || minor >= 21;
}

/** @throws Error with its output if it does not start. */
export async function startPgBouncer(databaseUrl: string, options: PgBouncerOptions = {}): Promise<PgBouncer> {
  const { serverConnections = 20, preparedStatements = 0, listenPort = await freePort() } = options;
  const { hostname, port, pathname, username, password } = new URL(databaseUrl);
  const database = decodeURIComponent(pathname.slice(1));
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  const file = join(folder, 'pgbouncer.ini');
  await chmod(folder, 0o755);
  const login = `user=${decodeURIComponent(username)} password='${decodeURIComponent(password)}'`;
  await writeFile(
    file,
    [
      '[databases]',
      `${database} = host=${hostname} port=${port} dbname=${database} ${login}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${listenPort}`,
      'unix_socket_dir =',
      // Whoever connects is the user of the line above.
      'auth_type = any',
      'pool_mode = transaction',
      `default_pool_size = ${serverConnections}`,
      'max_client_conn = 500',
      'server_login_retry = 1',
      ...(canPrepare(pgBouncerVersion() ?? '') ? [`max_prepared_statements = ${preparedStatements}`] : []),
    ].join('\n'),
  );
  const user = userInfo().uid === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn('pgbouncer', [file], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  const exited = once(child, 'close');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('process up')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('error', reject);
    void exited.then(() => reject(new Error(`PgBouncer has ended: ${output}`)));
  });
  return {
    url: Object.assign(new URL(databaseUrl), { host: `127.0.0.1:${listenPort}` }).href,
    async close() {
      child.kill('SIGKILL');
      await exited;
      await removeFolder(folder);
    },
  };
}

/** It cannot choose one itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
