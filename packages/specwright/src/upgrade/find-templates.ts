/** Finds the two templates of an upgrade: the one that the project was made from, and the newer one with its packages. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { type Tarball, isFromRegistry, packTarballs, packageName, packagesOf } from '../new/tarballs.ts';
import { OWN_PACKAGE, type TemplateKind, templateDigest } from '../new/template.ts';
import type { Project } from '../project-config.ts';

/** The package of the templates, and those that had them before 0.3.0. */
const TEMPLATE_PACKAGES = ['specwright', '@specwright/create', '@specwright/cli'] as const;
const [CREATE] = TEMPLATE_PACKAGES;

export interface TemplateVersion {
  /** Of the package that has it. */
  readonly folder: string;
  readonly version: string;
}

export interface Release extends TemplateVersion {
  readonly tarballs: readonly Tarball[];
}

/** What a project records of its template. One that was made before there was `upgrade` records nothing. */
export type TemplateRecord = NonNullable<Project['template']>;

/** What was added to the template. */
export const kindOf = (record: TemplateRecord | undefined): TemplateKind => ({
  accounts: record?.accounts ?? false,
  jwt: record?.jwt ?? false,
});

export interface ProjectPackages {
  readonly root: string;
  /** Of its manifest: name -> version, or `file:vendor/...`. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly record: TemplateRecord | undefined;
}

/** Whether packages are in the project's `vendor/`. @returns the path of the tarball. */
export const vendored = (version: string | undefined): string | undefined =>
  version?.startsWith('file:') === true && version.endsWith('.tgz') ? version.slice('file:'.length) : undefined;

/** Whether a project has the packages in its `vendor/`. */
export const isVendored = (dependencies: Readonly<Record<string, string>>): boolean =>
  TEMPLATE_PACKAGES.some((name) => vendored(dependencies[name]) !== undefined);

/**
 * The template that the project was made from: in the package that the project has, in `vendor/` or installed, or that the registry has.
 *
 * @throws Error if none of them is the one that is recorded.
 */
export async function findBase({ root, dependencies, record }: ProjectPackages): Promise<TemplateVersion> {
  const tarball = TEMPLATE_PACKAGES.map((name) => vendored(dependencies[name])).find((path) => path !== undefined);
  const candidates = TEMPLATE_PACKAGES.flatMap((name): (() => Promise<string | undefined>)[] => {
    const vendoredHere = vendored(dependencies[name]);
    return [
      async () => (vendoredHere !== undefined && existsSync(join(root, vendoredHere)) ? unpack(join(root, vendoredHere)) : undefined),
      async () => join(root, 'node_modules', name),
      async () => (tarball === undefined && record ? unpackFirst(await download([name], record.version, root).catch(() => [])) : undefined),
    ];
  });
  for (const candidate of candidates) {
    const folder = await candidate();
    if (folder === undefined || !existsSync(join(folder, 'template'))) continue;
    if (record === undefined || templateDigest(folder, kindOf(record)) === record.digest) return { folder, version: versionOf(folder) };
  }
  throw new Error(
    record === undefined
      ? `the template that this project was made from is not found: restore ${tarball ?? CREATE} and run npm ci`
      : `the template ${record.version} that this project was made from is neither in vendor/, nor installed, nor in the registry: restore ${tarball ?? `${CREATE}@${record.version}`}`,
  );
}

const unpackFirst = async ([tarball]: readonly Tarball[]): Promise<string | undefined> => tarball && unpack(tarball.file);

/**
 * The newer packages: those of the folder, of this program if it is not the project's own, or of the registry.
 *
 * @param from a folder of tarballs.
 * @throws Error that says where they could come from.
 */
export async function findRelease({ root, dependencies, record }: ProjectPackages, from: string | undefined): Promise<Release> {
  const packages = packagesOf({
    accounts:
      (record?.accounts ?? false) || ['@specwright/accounts', '@specwright/webhooks'].some((name) => dependencies[name] !== undefined),
  });
  const names = packages.map(packageName);
  if (from !== undefined) return releaseOf(await tarballsIn(from), names, from);
  if (!isInside(OWN_PACKAGE, root)) {
    const version = versionOf(OWN_PACKAGE);
    const tarballs = isFromRegistry() ? await download(names, version, root) : await packTarballs(packages, (line) => console.log(line));
    return { folder: OWN_PACKAGE, version, tarballs };
  }
  if (isVendored(dependencies))
    throw new Error(
      'the packages are in vendor/: name what has newer ones: --from FOLDER, a checkout of specwright or a folder of its tarballs',
    );
  return releaseOf(await download(names, 'latest', root), names, 'the registry');
}

async function releaseOf(tarballs: readonly Tarball[], names: readonly string[], where: string): Promise<Release> {
  const missing = names.filter((name) => !tarballs.some((tarball) => tarball.name === name));
  const create = tarballs.find(({ name }) => name === CREATE);
  if (missing.length > 0 || create === undefined)
    throw new Error(
      `${where} has no tarball of ${missing.join(', ')}: name a folder with those of one version, as \`npm pack\` makes them`,
    );
  return { folder: await unpack(create.file), version: create.version, tarballs: tarballs.filter(({ name }) => names.includes(name)) };
}

/** @returns the program of a checkout, which fits its templates. */
export function checkoutProgram(folder: string): string | undefined {
  const program = join(folder, 'packages/specwright/bin/specwright.mjs');
  return existsSync(program) ? program : undefined;
}

/** Whether a package is installed in a project. A checkout that the project is in is not. */
function isInside(folder: string, root: string): boolean {
  const path = relative(resolve(root), folder);
  return !path.startsWith('..') && path.split(sep).includes('node_modules');
}

/** Where packages come from: tarballs of a release, of a project's `vendor/`, or of the registry. */
const run = promisify(execFile);

const folders: string[] = [];

/** A temporary folder, removed when the process ends. */
function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'specwright-upgrade-'));
  if (folders.push(folder) === 1) process.once('exit', removeTemporaryFolders);
  return folder;
}

/** Removes what was unpacked and downloaded; a program that ends does so by itself. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Unpacks a tarball of npm. @returns the folder of the package. @throws Error if it cannot be read. */
async function unpack(tarball: string): Promise<string> {
  const folder = temporaryFolder();
  await run('tar', ['-xzf', tarball, '-C', folder]);
  return join(folder, 'package');
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

/** The tarballs of a folder, each with its name and version. */
async function tarballsIn(folder: string): Promise<Tarball[]> {
  const files = readdirSync(folder).filter((name) => name.startsWith('specwright-') && name.endsWith('.tgz'));
  return Promise.all(
    files.map(async (path) => {
      const file = join(folder, path);
      const { stdout } = await run('tar', ['-xzOf', file, 'package/package.json']);
      const { name, version } = JSON.parse(stdout) as Tarball;
      return { name, version, file };
    }),
  );
}

/** Downloads packages. @throws Error if the registry does not have one. */
async function download(names: readonly string[], version: string, cwd: string): Promise<Tarball[]> {
  const folder = temporaryFolder();
  const specs = names.map((name) => `${name}@${version}`);
  try {
    await run('npm', ['pack', '--silent', '--pack-destination', folder, ...specs], { cwd, shell: process.platform === 'win32' });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`the registry has no ${specs.join(', ')}: ${stderr.trim().split('\n')[0] ?? ''}`, { cause: error });
  }
  return tarballsIn(folder);
}

/** Name of a former package -> the package that has its code. */
const FORMER_PACKAGES: Readonly<Record<string, string>> = {
  '@specwright/cli': 'specwright',
  '@specwright/check': 'specwright',
  '@specwright/create': 'specwright',
  '@specwright/dev': 'specwright',
  '@specwright/testing': 'specwright',
  '@specwright/jwt': '@specwright/server',
  '@specwright/mcp': '@specwright/server',
  '@specwright/webhooks': '@specwright/accounts',
};

/** What a project imports of them -> the entry that has it. */
const FORMER_ENTRIES: Readonly<Record<string, string>> = {
  '@specwright/testing': 'specwright/testing',
  '@specwright/jwt': '@specwright/server/jwt',
  '@specwright/mcp': '@specwright/server/mcp',
  '@specwright/webhooks': '@specwright/accounts/webhooks',
  '@specwright/dev/identity': 'specwright/identity',
  '@specwright/dev/mock': 'specwright/mock',
  '@specwright/server/document': '@specwright/contract/document',
  '@specwright/cli': 'specwright',
  '@specwright/check': 'specwright',
};

/** Whether a dependency is one of our packages, of this version or an earlier one. */
export const isOwnPackage = (name: string): boolean => name === 'specwright' || name.startsWith('@specwright/');

type Dependencies = Record<string, string>;

/** The dependencies with the packages of now in place of former ones. @param all those of all groups, with the former ones. */
export function renameDependencies(group: Dependencies, all: Readonly<Dependencies>): Dependencies {
  const renamed = { ...group };
  for (const [former, version] of Object.entries(group)) {
    const name = FORMER_PACKAGES[former];
    if (name === undefined) continue;
    delete renamed[former];
    if (all[name] === undefined) renamed[name] ??= version;
  }
  return renamed;
}

/** Renames the imports of former packages in the sources and tests of a project. @returns the files that changed, relative to `root`. */
export function renameImports(root: string): string[] {
  const folders = ['src', 'test', 'scripts', '.config'].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  );
  return files.filter((path) => {
    if (!/\.[cm]?[jt]s$/.test(path)) return false;
    const file = join(root, path);
    const text = readFileSync(file, 'utf8');
    const renamed = text.replace(/(['"])(@specwright\/[a-z/-]+)\1/g, (whole, quote: string, name: string) =>
      Object.hasOwn(FORMER_ENTRIES, name) ? `${quote}${FORMER_ENTRIES[name] ?? name}${quote}` : whole,
    );
    if (renamed === text) return false;
    writeFileSync(file, renamed);
    return true;
  });
}
