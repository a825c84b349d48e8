/** What `specwright doctor` looks at: Node.js and packages; port, disk and memory, git, and Python for `npm run test:fuzz`. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify, styleText } from 'node:util';
import { readDocument } from '@specwright/contract/document';
import { SERVER_VARIABLES, readEnvironment } from '@specwright/server';
import { plural } from '@specwright/server/command';
import { describeListener, isPortFree } from '../port.ts';
import { OPERATION_TABLE, type ProjectConfig, generatedDigestIn } from '../project-config.ts';

const MIB = 1024 * 1024;
/** A new embedded database takes 40 MiB, and PostgreSQL stops where it cannot write. */
const LOW_DISK_MIB = 100;
const SCANT_DISK_MIB = 1024;
/** A server and its PostgreSQL; tests and the development loop take more. */
const LOW_MEMORY_MIB = 256;
const SCANT_MEMORY_MIB = 1024;
/** The oldest that schemathesis supports. */
const PYTHON = [3, 11] as const;

const run = promisify(execFile);

/** @returns what a program prints, or undefined if there is none, or it fails. */
const outputOf = (command: string, args: readonly string[], cwd?: string): Promise<string | undefined> =>
  run(command, args, { timeout: 1500, ...(cwd !== undefined && { cwd }) }).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

export async function checkPort(environment: NodeJS.ProcessEnv = process.env): Promise<CheckResult> {
  const { port, host } = readEnvironment({ PORT: SERVER_VARIABLES.PORT, HOST: SERVER_VARIABLES.HOST }, environment);
  if (port === 0 || (await isPortFree(port, host))) return ok(`${port} is free`);
  // It may be this project's own server.
  return warning(`${port} is in use`, `${await describeListener(port)}, or start with another: PORT=${port + 1}`);
}

/** @param folder which need not exist. */
export async function checkDisk(folder: string, available?: number): Promise<CheckResult> {
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = await statfs(existing);
  const free = Math.floor((available ?? bavail * bsize) / MIB);
  const text = `${free} MiB free in ${existing}`;
  if (free < LOW_DISK_MIB) return problem(text, 'free some space, or choose another folder with DATA_DIR');
  return free < SCANT_DISK_MIB ? warning(text, 'free some space') : ok(text);
}

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

export async function checkGit(root: string): Promise<CheckResult> {
  const [version, inside] = await Promise.all([
    outputOf('git', ['--version']),
    outputOf('git', ['rev-parse', '--is-inside-work-tree'], root),
  ]);
  if (version === undefined) return warning('it is not installed: check-breaking needs it', 'install git');
  if (inside !== 'true') return warning('this is no work tree: check-breaking needs one', 'git init && git add -A && git commit');
  return ok(version.replace('git version ', ''));
}

/** @param requirements the file that pins schemathesis; a project without it has no fuzz test. */
export async function checkPython(root: string, requirements: string): Promise<CheckResult> {
  if (!existsSync(join(root, requirements))) return ok('not needed: there is no fuzz test');
  const script = 'import sys, venv; print(".".join(map(str, sys.version_info[:3])))';
  const found = await Promise.all([outputOf('uvx', ['--version']), ...['python3', 'python'].map((name) => outputOf(name, ['-c', script]))]);
  const [uvx, ...pythons] = found;
  const version = pythons.find((text) => text !== undefined && isRecent(text));
  const isInstalled = existsSync(join(root, '.cache')) && (await hasEnvironment(join(root, '.cache')));
  const schemathesis = isInstalled ? 'schemathesis is installed' : 'the first `npm run test:fuzz` installs schemathesis';
  if (version !== undefined) return ok(`${version}; ${schemathesis}`);
  if (uvx !== undefined) return ok(`by ${uvx}`);
  return warning(
    `no Python ${PYTHON.join('.')} or later with its module venv: npm run test:fuzz does not run`,
    'install uv, or python3 and python3-venv',
  );
}

function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > PYTHON[0] || (major === PYTHON[0] && minor >= PYTHON[1]);
}

async function hasEnvironment(cache: string): Promise<boolean> {
  return (await readdir(cache)).some((name) => name.startsWith('schemathesis-') && existsSync(join(cache, name, 'installed')));
}

/** By the digest, as the server does at its start: generating takes seconds. */
export function checkGenerated({ root, spec, generated }: ProjectConfig): CheckResult {
  const table = join(root, generated, OPERATION_TABLE);
  if (!existsSync(table)) return problem(`${generated}/ is missing`, 'npm run generate');
  const made = generatedDigestIn(readFileSync(table, 'utf8'));
  const { digest } = readDocument(join(root, spec));
  if (made !== digest) return problem(`${generated}/ was made from another version of ${spec}`, 'npm run generate');
  return ok(`${generated}/ is what ${spec} gives`);
}

interface LockedPackage {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly peer?: boolean;
  readonly link?: boolean;
}
type Packages = Readonly<Record<string, LockedPackage>>;

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Node's version against `engines.node`, of which `>=20.19.0` is understood. */
export function checkNode(root: string, version = process.versions.node): CheckResult {
  const { engines } = readJson(join(root, 'package.json')) as { engines?: { node?: string } };
  const wanted = /^>=\s*(\d+(?:\.\d+){0,2})$/.exec(engines?.node?.trim() ?? '')?.[1];
  if (wanted === undefined) return ok(`${version}; package.json asks for ${engines?.node ?? 'no version'}`);
  if (isAtLeast(version, wanted)) return ok(`${version}, at least ${wanted}`);
  return problem(`${version} is too old`, `install Node.js ${wanted} or later`);
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have, want] = [version, wanted].map((text) => text.split('.').map(Number));
  for (const [i, part] of (want ?? []).entries()) if ((have?.[i] ?? 0) !== part) return (have?.[i] ?? 0) > part;
  return true;
}

/** What npm has recorded as installed, and what is there, against package-lock.json. */
export function checkInstalled(root: string): CheckResult {
  if (!existsSync(join(root, 'package-lock.json'))) return problem('there is no package-lock.json', 'npm install');
  if (!existsSync(join(root, 'node_modules'))) return problem('they are not installed', 'npm ci');
  const locked = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  const wrong = Object.entries(locked).filter(([path, { version, link }]) => {
    if (!path.includes('node_modules/')) return false;
    const isThere = existsSync(join(root, path, 'package.json'));
    // Of an optional package npm leaves out what is not for this platform.
    if (!isThere && isOptional(locked[path])) return false;
    return !isThere || (link !== true && installed[path] !== undefined && installed[path].version !== version);
  });
  const production = wrong.filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true);
  const names = (of: typeof wrong) =>
    `${of
      .slice(0, 3)
      .map(([path]) => path.replace(/^.*node_modules\//, ''))
      .join(', ')}${of.length > 3 ? ', ...' : ''}`;
  if (production.length > 0)
    return problem(`${plural(production.length, 'package')} missing or of another version: ${names(production)}`, 'npm ci');
  if (wrong.length > 0)
    return warning(`${plural(wrong.length, 'package')} for development missing or of another version: ${names(wrong)}`, 'npm ci');
  return ok(`${plural(Object.keys(installed).length, 'package')}, as in package-lock.json`);
}

const isOptional = (entry: LockedPackage | undefined) => entry?.optional === true || entry?.devOptional === true || entry?.peer === true;

/** @returns none if the file is not there: what it would say is then unknown. */
function packagesOf(file: string): Packages {
  if (!existsSync(file)) return {};
  return (readJson(file) as { packages?: Packages }).packages ?? {};
}

/** What a check found, and the one next step if that is amiss. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'problem';
  readonly message: string;
  readonly fix?: string;
}

export interface Check {
  readonly name: string;
  /** Changes nothing. What it throws is a problem. */
  readonly run: () => Promise<CheckResult> | CheckResult;
}

export interface NamedResult extends CheckResult {
  readonly name: string;
}

export const ok = (message: string): CheckResult => ({ state: 'ok', message });
export const warning = (message: string, fix: string): CheckResult => ({ state: 'warning', message, fix });
export const problem = (message: string, fix: string): CheckResult => ({ state: 'problem', message, fix });

/** Runs all at once. @returns their results in the same order. */
export const runChecks = (checks: readonly Check[]): Promise<NamedResult[]> =>
  Promise.all(
    checks.map(async ({ name, run }) => {
      try {
        return { name, ...(await run()) };
      } catch (error) {
        return { name, ...problemOf(error) };
      }
    }),
  );

/** The first line of the message says what is wrong, the others what to do. */
export function problemOf(error: unknown): CheckResult {
  const [message = '', ...fix] = (error as Error).message.split('\n');
  return problem(message.replace(/:$/, ''), fix.map((line) => line.trim()).join('; '));
}

const COLORS = { ok: 'green', warning: 'yellow', problem: 'red' } as const;

export function formatResults(results: readonly NamedResult[], hasColors: boolean): string[] {
  const width = Math.max(...results.map(({ name }) => name.length));
  const paint = (state: CheckResult['state'], text: string) => (hasColors ? styleText(COLORS[state], text) : text);
  return results.map(({ name, state, message, fix = '' }) => {
    const text = [`${name.padEnd(width)}  ${message}`, fix].filter((part) => part !== '').join(': ');
    return `${paint(state, state.padEnd('problem'.length))}  ${text}`;
  });
}

/** What to do first: about a problem, else about a warning. */
export function nextStep(results: readonly NamedResult[]): string {
  const worst = results.find(({ state }) => state === 'problem') ?? results.find(({ state }) => state === 'warning');
  return worst === undefined ? 'nothing to fix' : `next: ${worst.fix === undefined || worst.fix === '' ? worst.message : worst.fix}`;
}
