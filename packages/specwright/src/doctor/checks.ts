/** What `specwright doctor` looks at, beside what a start says by itself: packages, the database, what is between, disk and memory. */
import { existsSync, readFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { DatabaseState } from '@specwright/postgres';
import { readEnvironment } from '@specwright/server/environment';
import { plural } from '@specwright/server/command';
import { installCommand, missingPackage } from '../missing-package.ts';
import { loadSchema, type Project } from '../project-config.ts';

const MIB = 1024 * 1024;
/** A new embedded database takes 40 MiB, and PostgreSQL stops where it cannot write. */
const LOW_DISK_MIB = 100;
const SCANT_DISK_MIB = 1024;
/** A server and its PostgreSQL; tests and the development loop take more. */
const LOW_MEMORY_MIB = 256;
const SCANT_MEMORY_MIB = 1024;
/** The time for a database to answer, in ms. */
const TIMEOUT_MS = 1000;

/** What a check found, and the one next step unless it is `ok`. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly fix?: string;
}
export type NamedResult = CheckResult & { readonly name: string };

const ok = (message: string): CheckResult => ({ state: 'ok', message });
const warning = (message: string, fix: string): CheckResult => ({ state: 'warning', message, fix });
const problem = (message: string, fix: string): CheckResult => ({ state: 'problem', message, fix });

/** Runs a check. What it throws is a problem: the first line of the message says what is wrong, the others what to do. */
export async function runCheck(name: string, check: () => Promise<CheckResult> | CheckResult): Promise<NamedResult> {
  try {
    return { name, ...(await check()) };
  } catch (error) {
    const missing = missingPackage(error);
    if (missing !== undefined) return { name, ...problem(`${missing} is not installed`, installCommand(missing)) };
    const [message = '', ...fix] = (error as Error).message.split('\n');
    return { name, ...problem(message.replace(/:$/, ''), fix.map((line) => line.trim()).join('; ')) };
  }
}

/** `warning  disk      612 MiB free in /data: free some space` */
export function formatResult({ name, state, message, fix = '' }: NamedResult): string {
  const text = [`${name.padEnd('migrations'.length)}  ${message}`, fix].filter((part) => part !== '').join(': ');
  return `${state.padEnd('problem'.length)}  ${text}`;
}

/** @param folder which need not exist. @param available in bytes. */
export async function checkDisk(folder: string, available?: number): Promise<CheckResult> {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = await statfs(existing);
  const free = Math.floor((available ?? bavail * bsize) / MIB);
  const text = `${free} MiB free in ${existing}`;
  if (free < LOW_DISK_MIB) return problem(text, 'free some space, or choose another folder with DATA_DIR');
  return free < SCANT_DISK_MIB ? warning(text, 'free some space') : ok(text);
}

/** @param available in bytes. */
export function checkMemory(available = availableMemory()): CheckResult {
  const free = Math.floor(available / MIB);
  const text = `${free} MiB available`;
  if (free < LOW_MEMORY_MIB) return problem(text, 'end other programs, or raise the limit of the container');
  return free < SCANT_MEMORY_MIB ? warning(text, 'tests and `npm run dev` may be ended: end other programs') : ok(text);
}

/** Linux counts what can be given back (proc(5), MemAvailable), within the limit of the container. */
function availableMemory(): number {
  const free = process.platform === 'linux' ? /^MemAvailable:\s+(\d+) kB/m.exec(readFileSync('/proc/meminfo', 'utf8'))?.[1] : undefined;
  const machine = free === undefined ? freemem() : Number(free) * 1024;
  const limit = process.constrainedMemory();
  // Without a limit it is 0, or more than any machine has.
  return limit > 0 && limit < Number.MAX_SAFE_INTEGER ? Math.min(machine, Math.max(0, limit - process.memoryUsage.rss())) : machine;
}

type Locked = Readonly<Partial<Record<'dev' | 'optional' | 'devOptional' | 'peer' | 'link', boolean>> & { version?: string }>;

interface LockFile {
  readonly packages?: Readonly<Record<string, Locked>>;
}

/** What npm has recorded as installed, and what is there, against package-lock.json. */
export function checkInstalled(root: string): CheckResult {
  const packagesOf = (file: string) =>
    (existsSync(join(root, file)) ? (JSON.parse(readFileSync(join(root, file), 'utf8')) as LockFile).packages : undefined) ?? {};
  if (!existsSync(join(root, 'package-lock.json'))) return problem('there is no package-lock.json', 'npm install');
  if (!existsSync(join(root, 'node_modules'))) return problem('they are not installed', 'npm ci');
  const installed = packagesOf('node_modules/.package-lock.json');
  const wrong = Object.entries(packagesOf('package-lock.json')).filter(([path, { version, link, optional, devOptional, peer }]) => {
    if (!path.includes('node_modules/')) return false;
    // Of an optional package npm leaves out what is not for this platform.
    if (!existsSync(join(root, path, 'package.json'))) return !(optional ?? devOptional ?? peer ?? false);
    return link !== true && installed[path] !== undefined && installed[path].version !== version;
  });
  if (wrong.length === 0) return ok(`${plural(Object.keys(installed).length, 'package')}, as in package-lock.json`);
  const named = wrong.slice(0, 3).map(([path]) => path.replace(/^.*node_modules\//, ''));
  const names = `${named.join(', ')}${wrong.length > 3 ? ', ...' : ''}`;
  const isForDevelopment = wrong.every(([, { dev, devOptional }]) => dev ?? devOptional ?? false);
  const text = `${plural(wrong.length, 'package')}${isForDevelopment ? ' for development' : ''} missing or of another version: ${names}`;
  return isForDevelopment ? warning(text, 'npm ci') : problem(text, 'npm ci');
}

/** The database that the project would use, the one at DATABASE_URL or the embedded one; what is between; and its migrations. */
export async function checkDatabase(project: Project, environment: NodeJS.ProcessEnv = process.env): Promise<NamedResult[]> {
  let state: DatabaseState | undefined;
  let directUrl: string | undefined;
  const database = await runCheck('database', async () => {
    const postgres = await import('@specwright/postgres').catch((error: unknown) => {
      if (missingPackage(error) === undefined) throw error;
      return undefined;
    });
    // One that should be there is in package-lock.json, which `checkInstalled` reads.
    if (postgres === undefined) return ok('none: @specwright/postgres is not installed');
    const { addressOf, connectionProblem, inspectDatabase } = postgres;
    const { DATABASE_VARIABLES } = await import('@specwright/postgres/environment');
    const { databaseUrl, databaseDirectUrl, dataDir } = readEnvironment(DATABASE_VARIABLES, environment);
    directUrl = databaseDirectUrl;
    const embedded =
      databaseUrl === undefined
        ? await (
            await import('@specwright/embedded-postgres')
          ).inspectEmbedded({ dataDir: resolve(project.root, dataDir), database: project.name })
        : { url: databaseUrl, major: '', exists: true };
    const what = databaseUrl === undefined ? `embedded PostgreSQL ${embedded.major} in ${dataDir}` : addressOf(databaseUrl);
    const { url } = embedded;
    if (url === undefined) return ok(`${what} can be ${embedded.exists ? 'started' : 'made by the first start'}`);
    const schema = await loadSchema(project).catch(() => undefined);
    try {
      state = await inspectDatabase(url, schema, TIMEOUT_MS);
    } catch (error) {
      const { message, fix } = connectionProblem(error, url);
      return problem(`${what} cannot be used: ${message}`, fix);
    }
    if (!state.isSupported) return problem(`${what} is PostgreSQL ${state.version}`, 'use PostgreSQL 14 or later');
    if (state.standby) return warning(`${what} is a standby, which takes no writes`, 'name the primary in DATABASE_URL');
    return ok(`${what} answers: PostgreSQL ${state.version}`);
  });
  if (state === undefined) return [database];
  const { isRelayed, schemaProblem } = state;
  const pooler = !isRelayed
    ? ok('none between here and the database')
    : directUrl !== undefined
      ? ok('something is between here and the database; DATABASE_DIRECT_URL goes past it')
      : warning('something is between here and the database', 'if it is PgBouncer in transaction mode, set DATABASE_DIRECT_URL (docs/how-to/scaling.md)'); // prettier-ignore
  const [, message = schemaProblem ?? '', fix = ''] = /^(.*?): (.*)$/s.exec(schemaProblem ?? '') ?? [];
  const migrations = schemaProblem === undefined ? ok('all have run') : problem(message, fix);
  return [database, { name: 'pooler', ...pooler }, { name: 'migrations', ...migrations }];
}
