/** Brings a project up to date: newer packages, and what the template has changed since, merged with what the team has changed. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { plural } from '@specwright/server/command';
import { type Step, runSteps } from '../new/target-folder.ts';
import { formatJson, readTemplate, templateDigest } from '../new/template.ts';
import type { Project } from '../project-config.ts';
import { type FileChange, describeUpgrade, mergeTemplate } from './merge-template.ts';
import {
  type Release,
  type TemplateVersion,
  findBase,
  findRelease,
  isOwnPackage,
  isVendored,
  kindOf,
  renameDependencies,
  renameImports,
  vendored,
} from './find-templates.ts';

export interface UpgradeOptions {
  readonly project: Project;
  /** A folder with the tarballs of the newer packages. */
  readonly from: string | undefined;
  readonly dryRun: boolean;
  readonly install: boolean;
}

const GROUPS = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;

type Manifest = { [Group in (typeof GROUPS)[number]]?: Record<string, string> } & {
  specwright?: object;
};

/** Of all groups: name -> version. */
const allDependencies = (manifest: Manifest): Record<string, string> => ({
  ...manifest.dependencies,
  ...manifest.optionalDependencies,
  ...manifest.devDependencies,
});

const STEPS: readonly Step[] = [
  { title: 'installing the packages', npm: ['install', '--no-audit', '--no-fund'] },
  { title: 'generating code', npm: ['run', 'generate'] },
  { title: 'writing the schema', npm: ['run', 'schema'] },
  { title: 'checking the types', npm: ['run', 'typecheck'] },
  { title: 'running the tests', npm: ['test'] },
];

/**
 * Upgrades the project, and says what it changes.
 *
 * Nothing is lost: what the team deleted stays deleted, what it changed is merged, and where that is not possible both versions are
 * in the file, with git's conflict marks. All of it is a difference to the last commit.
 *
 * @throws Error if it is refused, if a step fails, or if conflicts are left.
 */
export async function upgrade({ project, from, dryRun, install }: UpgradeOptions): Promise<void> {
  const { root, name, template: record } = project;
  if (!dryRun) assertCleanTree(root);
  const manifest = readManifestOf(root);
  const packages = { root, record, dependencies: allDependencies(manifest) };
  const base = await findBase(packages);
  const release = await findRelease(packages, from);
  const kind = kindOf(record);
  const changes = await mergeTemplate({
    base: withoutPackages(readTemplate(base.folder, { ...kind, name })),
    theirs: withoutPackages(readTemplate(release.folder, { ...kind, name })),
    ours: (path) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined),
    versions: { base: base.version, theirs: release.version },
  });
  for (const line of describeUpgrade({ base, release, changes, inferred: record === undefined, had: packages.dependencies }))
    console.log(line);
  if (dryRun) {
    console.log('nothing is changed: this was --dry-run');
    return;
  }
  applyChanges(root, changes);
  for (const path of renameImports(root)) console.log(`  renames the imports of former packages in ${path}`);
  addPackages(root, base, release);
  const digest = templateDigest(release.folder, kind);
  const now = { version: release.version, digest, accounts: kind.accounts, ...(kind.jwt && { jwt: true }) };
  useRelease(root, release, now, packages.dependencies);
  const conflicts = changes.filter((change) => change.conflicts.length > 0);
  await finish(root, conflicts, install);
}

/** The versions of our own packages are not merged: the release decides. */
function withoutPackages(files: Map<string, string>): Map<string, string> {
  const manifest = JSON.parse(files.get('package.json') ?? '{}') as Manifest;
  for (const group of GROUPS.map((name) => manifest[name]))
    for (const dependency of Object.keys(group ?? {})) if (isOwnPackage(dependency) && group) delete group[dependency];
  return files.set('package.json', formatJson(manifest));
}

function applyChanges(root: string, changes: readonly FileChange[]): void {
  for (const { path, action, text } of changes) {
    const file = join(root, path);
    if (action === 'remove') rmSync(file);
    if (text === undefined) continue;
    mkdirSync(dirname(file), { recursive: true });
    // An existing file keeps its mode.
    writeFileSync(file, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
  }
}

/** Makes the project depend on those of our packages that the newer template has and the older one had not; `useRelease` versions them. */
function addPackages(root: string, base: TemplateVersion, release: Release): void {
  const [before, now] = [base, release].map(({ folder }) => readManifestOf(join(folder, 'template')));
  const had = allDependencies(before ?? {});
  const manifest = readManifestOf(root);
  for (const group of GROUPS) if (manifest[group]) manifest[group] = renameDependencies(manifest[group], allDependencies(manifest));
  const own = allDependencies(manifest);
  for (const group of GROUPS)
    for (const [name, version] of Object.entries(now?.[group] ?? {}))
      if (isOwnPackage(name) && had[name] === undefined && own[name] === undefined)
        manifest[group] = Object.fromEntries(Object.entries({ ...manifest[group], [name]: version }).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(join(root, 'package.json'), formatJson(manifest));
}

/**
 * Makes the project depend on the packages of the release, as it depended on the old ones: by `vendor/`, or by version.
 *
 * @param had its dependencies before the upgrade.
 */
function useRelease(root: string, { tarballs }: Release, record: object, had: Readonly<Record<string, string>>): void {
  const manifest = readManifestOf(root);
  const fromVendor = isVendored(had);
  for (const old of Object.values(had).map(vendored)) if (old?.startsWith('vendor/specwright-')) rmSync(join(root, old), { force: true });
  for (const { name, version, file } of tarballs) {
    const target = `vendor/${basename(file)}`;
    if (fromVendor) {
      mkdirSync(join(root, 'vendor'), { recursive: true });
      copyFileSync(file, join(root, target));
    }
    for (const group of GROUPS.map((each) => manifest[each]))
      if (group && name in group) group[name] = fromVendor ? `file:${target}` : version;
  }
  writeFileSync(join(root, 'package.json'), formatJson({ ...manifest, specwright: { ...manifest.specwright, template: record } }));
  forgetLocked(join(root, 'package-lock.json'));
}

/** A tarball may have the name of the one before it, and another content: what the lock file knows of it is out of date. */
function forgetLocked(file: string): void {
  if (!existsSync(file)) return;
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages?: Record<string, object> };
  for (const path of Object.keys(lock.packages ?? {})) if (isOwnPackage(path.slice('node_modules/'.length))) delete lock.packages?.[path];
  writeFileSync(file, formatJson(lock));
}

const readManifestOf = (root: string) => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;

async function finish(root: string, conflicts: readonly FileChange[], install: boolean): Promise<void> {
  // What has conflict marks does not compile.
  const now = !install ? [] : conflicts.length > 0 ? STEPS.slice(0, 1) : STEPS;
  const failed = await runSteps(root, now);
  const remaining = [...failed, ...STEPS.slice(now.length)];
  const commands = remaining.map(({ npm }) => `  npm ${npm.join(' ')}`);
  if (conflicts.length > 0)
    throw new Error(
      `${plural(conflicts.length, 'file')} with conflicts; edit each, then run:\n${[...conflicts.map(({ path }) => `  ${path}`), ...commands].join('\n')}`,
    );
  if (failed.length > 0) throw new Error(`the upgrade is written, but a step failed (see above); what remains:\n${commands.join('\n')}`);
  console.log(remaining.length > 0 ? `what remains:\n${commands.join('\n')}` : 'Look at the difference (git diff), and commit it.');
}

/**
 * Everything that is upgraded has to be committed, so that it can be compared and undone.
 *
 * @throws Error if the folder is in no git work tree, or has changes that are not committed.
 */
function assertCleanTree(root: string): void {
  let status: string;
  try {
    status = execFileSync('git', ['status', '--porcelain', '--', '.'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const message = `${root} is no git work tree (${stderr.trim().split('\n')[0] ?? ''}): commit the project first, so that an upgrade can be undone`;
    throw new Error(message, { cause: error });
  }
  if (status !== '')
    throw new Error(
      `there are changes that are not committed:\n${status.trimEnd()}\nCommit or stash them, so that the upgrade can be undone`,
    );
}
