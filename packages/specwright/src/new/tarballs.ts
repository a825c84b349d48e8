/** The packages as tarballs, for projects that have them in `vendor/` until they are published. Made once for each state of their files. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve as resolvePath, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyExamples, examplesFolder } from './examples.ts';

const PACKAGES = ['contract', 'server', 'embedded-postgres', 'postgres', 'accounts', 'openapi-compare', 'specwright'] as const;
export type PackageName = (typeof PACKAGES)[number];

/** As npm has it. */
const packageName = (name: PackageName): string => (name === 'specwright' || name === 'openapi-compare' ? name : `@specwright/${name}`);

/** @param names as npm has them; others are left out. @returns those of ours, and what they depend on, which is in no registry either. */
export function packagesOf(names: readonly string[]): readonly PackageName[] {
  const found = new Set(PACKAGES.filter((name) => names.includes(packageName(name))));
  for (const name of found)
    for (const other of PACKAGES) if (packageName(other) in (readManifest(folderOf(name)).dependencies ?? {})) found.add(other);
  return PACKAGES.filter((name) => found.has(name));
}

export interface Tarball {
  /** `@specwright/server` */
  readonly name: string;
  readonly version: string;
  readonly file: string;
}

const OWN_FOLDER = resolvePath(fileURLToPath(new URL('../..', import.meta.url)));
/** Of the checkout. */
const LIBRARY_BUNDLER = join(OWN_FOLDER, '../../scripts/bundle-libraries.mjs');
const DOCS_COPIER = join(OWN_FOLDER, '../../scripts/copy-docs.mjs');
const WAIT_MS = 250;
/** A process that was killed leaves its lock behind. */
const LOCK_EXPIRES_MS = 10 * 60_000;
const KEEP_MS = 24 * 60 * 60_000;

const resolve = createRequire(import.meta.url).resolve;
const run = promisify(execFile);

/**
 * Packs the packages as they are in this checkout, which builds them, or as they are installed.
 *
 * @param say is told what takes long.
 * @throws Error if one is not installed, or does not build.
 */
export async function packTarballs(names: readonly PackageName[], say: (line: string) => void = () => undefined): Promise<Tarball[]> {
  const folders = names.map((name) => ({ name, folder: folderOf(name) }));
  // In a checkout all of them, so that projects of different kinds build them once.
  const packed = folders.some(hasSource) ? PACKAGES.map((name) => ({ name, folder: folderOf(name) })) : folders;
  const cache = join(nodeModulesOf(OWN_FOLDER), '.cache/specwright-tarballs');
  const target = join(cache, digest([...packed.map(({ folder }) => folder), examplesFolder()]));
  mkdirSync(cache, { recursive: true });
  if (!existsSync(target)) await withLock(join(cache, 'lock'), async () => pack(packed, cache, target, say));
  return folders.map(({ folder }) => {
    const { name, version } = readManifest(folder);
    return { name, version, file: join(target, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`) };
  });
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

type Folders = readonly { readonly name: PackageName; readonly folder: string }[];

/** A package as npm packs it has sources too, for source maps, and nothing to build them with. */
const isCheckout = (folder: string): boolean => existsSync(join(folder, 'tsconfig.build.json'));
const hasSource = ({ folder }: Folders[number]): boolean => isCheckout(folder);

async function pack(folders: Folders, cache: string, target: string, say: (line: string) => void): Promise<void> {
  // Another process made it while this one waited.
  if (existsSync(target)) return;
  const sources = folders.filter(hasSource);
  if (sources.length > 0) {
    say(`building the packages: ${sources.map(({ name }) => name).join(', ')}`);
    // What the sources no longer have would be packed, too.
    for (const { folder } of sources) rmSync(join(folder, 'dist'), { recursive: true, force: true });
    await runWithOutput(process.execPath, [compiler(), '-b', ...sources.map(({ folder }) => join(folder, 'tsconfig.build.json'))], cache);
    await runWithOutput(process.execPath, [LIBRARY_BUNDLER], cache);
    if (isCheckout(OWN_FOLDER)) {
      copyExamples();
      await runWithOutput(process.execPath, [DOCS_COPIER], cache);
    }
  }
  say('packing them');
  const made = mkdtempSync(`${target}-`);
  const npm = ['pack', '--silent', '--ignore-scripts', '--pack-destination', made];
  await runWithOutput('npm', [...npm, ...folders.map(({ folder }) => folder)], cache);
  renameSync(made, target);
  removeOld(cache);
}

/** Tarballs of earlier states of the sources; young ones may be in use. */
function removeOld(cache: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > KEEP_MS) rmSync(folder, { recursive: true, force: true });
  }
}

/** The native compiler takes a sixth of the time; it does not exist for every platform. */
function compiler(): string {
  try {
    return join(dirname(resolve('typescript-native/package.json')), 'bin/tsc');
  } catch {
    return resolve('typescript/bin/tsc');
  }
}

/** @throws Error with what it printed. */
async function runWithOutput(command: string, args: readonly string[], cwd: string): Promise<void> {
  // What npm set for the script that runs now is not for another npm.
  const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => !/^npm_(package|lifecycle|config)_|^INIT_CWD$/.test(key)));
  try {
    await run(command, args, { cwd, env, shell: process.platform === 'win32', maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`the packages cannot be packed: ${command} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function folderOf(name: PackageName): string {
  try {
    return dirname(resolve(`${packageName(name)}/package.json`));
  } catch (error) {
    throw new Error(`${packageName(name)} is not installed here: npm install --save-dev ${packageName(name)}`, { cause: error });
  }
}

/**
 * Whether this program was installed from a registry, so that a project can depend on the packages by version: not in a checkout, and not
 * where npm installed a tarball.
 */
export function isFromRegistry(folder = OWN_FOLDER): boolean {
  if (isCheckout(folder)) return false;
  const modules = nodeModulesOf(folder);
  // What npm knows of what it has installed; other package managers have no such file.
  const installed = join(modules, '.package-lock.json');
  if (!existsSync(installed)) return true;
  const { packages } = JSON.parse(readFileSync(installed, 'utf8')) as { packages: Record<string, { resolved?: string } | undefined> };
  const path = relative(dirname(modules), folder).split(sep).join('/');
  return packages[path]?.resolved?.startsWith('file:') !== true;
}

/** The folder `node_modules` in which packages of this one are found. */
function nodeModulesOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const found = join(at, 'node_modules');
    if (existsSync(join(found, '@specwright'))) return found;
    if (dirname(at) === at) return join(folder, 'node_modules');
  }
}

function digest(folders: readonly string[]): string {
  const hash = createHash('sha256');
  const add = (path: string) => hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  if (existsSync(LIBRARY_BUNDLER)) add(LIBRARY_BUNDLER);
  for (const folder of folders) {
    const settings = join(dirname(folder), 'tsconfig.build.json');
    if (existsSync(settings)) add(settings);
    // Another process may be removing what is built.
    const skipped = ['test', 'node_modules', isCheckout(folder) ? 'dist' : 'src'];
    for (const name of readdirSync(folder).sort()) if (!skipped.includes(name)) filesIn(join(folder, name)).forEach(add);
  }
  return hash.digest('hex').slice(0, 32);
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => (name === 'node_modules' ? [] : filesIn(join(path, name))));
}

async function withLock(lock: string, use: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - made > LOCK_EXPIRES_MS) rmSync(lock, { recursive: true, force: true });
      else await delay(WAIT_MS);
    }
  }
  try {
    await use();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
