/** Finds the two templates of an upgrade: the one that the project was made from, and the newer one with its packages. */
import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { isFromRegistry, packageName, packagesOf, packTarballs, type Tarball } from '../new/tarballs.ts';
import { OWN_PACKAGE, templateDigest, type TemplateKind } from '../new/template.ts';
import { download, readManifest, tarballsIn, unpack } from './packages.ts';

/** The package of the templates, and those that had them before 0.3.0. */
const TEMPLATE_PACKAGES = ['specwright', '@specwright/create', '@specwright/cli'] as const;
const [CREATE] = TEMPLATE_PACKAGES;

/** A version of the template. */
export interface TemplateVersion {
  /** Of the package that has it. */
  readonly folder: string;
  readonly version: string;
}

export interface Release extends TemplateVersion {
  readonly tarballs: readonly Tarball[];
}

/** What a project records of its template. One that was made before there was `upgrade` records nothing. */
export interface TemplateRecord {
  readonly version: string;
  readonly digest: string;
  readonly accounts: boolean;
  readonly jwt?: boolean | undefined;
}

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
      async () =>
        tarball === undefined && record ? unpackFirst(await download([`${name}@${record.version}`], root).catch(() => [])) : undefined,
    ];
  });
  for (const candidate of candidates) {
    const folder = await candidate();
    if (folder === undefined || !existsSync(join(folder, 'template'))) continue;
    if (record === undefined || templateDigest(folder, kindOf(record)) === record.digest)
      return { folder, version: (await readManifest(folder)).version };
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
    const { version } = await readManifest(OWN_PACKAGE);
    const tarballs = isFromRegistry()
      ? await download(
          names.map((name) => `${name}@${version}`),
          root,
        )
      : await packTarballs(packages, (line) => console.log(line));
    return { folder: OWN_PACKAGE, version, tarballs };
  }
  if (isVendored(dependencies))
    throw new Error(
      'the packages are in vendor/: name what has newer ones: --from FOLDER, a checkout of specwright or a folder of its tarballs',
    );
  return releaseOf(
    await download(
      names.map((name) => `${name}@latest`),
      root,
    ),
    names,
    'the registry',
  );
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
