/** New projects far from this checkout: `npx specwright new` makes and installs each kind once in a run, and test files change copies of it. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { removeFolder } from 'specwright/testing';

export const MINUTE_MS = 60_000;
/** To make a project: it installs from the registry, and runs the project's own type check and tests. */
export const NEW_PROJECT_TIMEOUT_MS = 20 * MINUTE_MS;
const POLL_INTERVAL_MS = 100;
const LINK_MODULES = resolve('test/support/projects/link-modules.mjs');

/** What was fetched by the first installation is not asked for again by the next one. */
export const NPM_CONFIG = { npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };

export interface RunResult {
  readonly code: number | null;
  /** Standard output and standard error. */
  readonly output: string;
}

/** Without accounts its folder has a space and capitals in its name, which are not those of the project. */
const KINDS = { plain: ['Their library'], accounts: ['library', '--accounts'] } as const;
export type ProjectKind = keyof typeof KINDS;

/** The contract that both are made from. */
export const LIBRARY = resolve('test/gates/foreign/library.yaml');

export interface NewProject {
  readonly folder: string;
  /** What `npx specwright new` printed. */
  readonly output: string;
  remove(): Promise<void>;
}

/** Runs a command without the variables of the tests. */
export function run(command: string, args: readonly string[], cwd: string, path = process.env['PATH'] ?? ''): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const { HOME = '' } = process.env;
    const child = spawn(command, args, { cwd, env: { PATH: path, HOME, ...NPM_CONFIG }, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, output }));
  });
}

/** `npx specwright new` in this checkout. */
export const runNew = (...args: string[]): Promise<RunResult> => run('npx', ['specwright', 'new', ...args], resolve('.'));

/** An empty folder that the user whom the database runs as can reach. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'new project-'));
  await chmod(folder, 0o755);
  return folder;
}

/** A copy of a project that was made and installed. @throws Error with the output of `npx specwright new` if it failed. */
export async function copyNewProject(kind: ProjectKind): Promise<NewProject> {
  const { folder: made, output } = await makeOnce(kind);
  const parent = await makeFolder();
  const folder = join(parent, basename(made));
  await cp(made, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' });
  await linkInstalledPackages(kind, folder);
  return { folder, output, remove: () => removeFolder(parent) };
}

/** Gives a project the packages that were installed for one of this kind: hard links, so nothing may write to their files. */
export async function linkInstalledPackages(kind: ProjectKind, folder: string): Promise<void> {
  const { folder: made } = await makeOnce(kind);
  await promisify(execFile)(process.execPath, [LINK_MODULES, made, folder]);
}

/** Copies the tarballs of all packages: one kind of project has accounts, the other access tokens; none has what `packed` names. @returns their names. */
export async function copyTarballs(folder: string): Promise<string[]> {
  for (const kind of ['plain', 'accounts'] as const) {
    const { folder: made } = await makeOnce(kind);
    await cp(join(made, 'vendor'), folder, { recursive: true });
  }
  // What has sources was built with the others.
  const packed = ['create-specwright'].map((name) => resolve('packages', name));
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...packed];
  await promisify(execFile)('npm', pack, { env: { ...process.env, ...NPM_CONFIG } });
  return readdir(folder);
}

/** The first test file that asks for it makes it, the others wait. */
async function makeOnce(kind: ProjectKind): Promise<{ folder: string; output: string }> {
  const shared = process.env['TEST_SHARED_FOLDER'];
  if (shared === undefined) throw new Error('TEST_SHARED_FOLDER is not set: test/support/global-setup.mjs sets it');
  const [name, ...options] = KINDS[kind];
  const folder = join(shared, name);
  const [lock, result] = [join(shared, `${kind}.lock`), join(shared, `${kind}.json`)];
  if (acquire(lock)) {
    const args = ['specwright', 'new', folder, '--spec', LIBRARY, ...options];
    const made = await run('npx', args, resolve('.'), kind === 'plain' ? undefined : await pathOfLinkingNpm(shared));
    writeFileSync(`${result}.new`, JSON.stringify(made));
    await rename(`${result}.new`, result);
  }
  while (!existsSync(result)) {
    if (!isRunning(Number(readFileSync(lock, 'utf8')))) throw new Error(`the test process that made the project ${folder} has died`);
    await delay(POLL_INTERVAL_MS);
  }
  const { code, output } = JSON.parse(readFileSync(result, 'utf8')) as RunResult;
  if (code !== 0) throw new Error(`npx specwright new ended with ${String(code)}:\n${output}`);
  return { folder, output };
}

/**
 * To unpack all packages takes 20 s of processor time, which is spent once: before another project is installed it gets those
 * of the plain one, and npm adds what is missing.
 *
 * @returns a PATH whose `npm` does so.
 */
async function pathOfLinkingNpm(shared: string): Promise<string> {
  const { folder: plain } = await makeOnce('plain');
  const PATH = process.env['PATH'] ?? '';
  const folder = join(shared, 'bin');
  await mkdir(folder);
  const link = `[ "$1" = install ] && '${process.execPath}' '${LINK_MODULES}' '${plain}' .`;
  await writeFile(join(folder, 'npm'), `#!/bin/sh\n${link}\nexec "$(PATH='${PATH}' command -v npm)" "$@"\n`, { mode: 0o755 });
  return `${folder}${delimiter}${PATH}`;
}

/** @returns whether this process is the first. */
function acquire(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  // It was just created, and its process has not written to it yet.
  if (pid === 0) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
