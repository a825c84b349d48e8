/** Merges what a template has changed from one version to the next into the files of a project. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@specwright/contract/document';
import { plural } from '@specwright/server/command';
import { type Texts, formatJson } from '../new/template.ts';
import type { Release, TemplateVersion } from './find-templates.ts';

/** What happens to a file that the template has changed. */
export interface FileChange {
  readonly path: string;
  /** `keep`: the project's file, or that it has none, is kept. */
  readonly action: 'add' | 'update' | 'remove' | 'keep';
  /** For `add` and `update`. */
  readonly text?: string;
  /** What a person has to decide, each in a few words. */
  readonly conflicts: readonly string[];
}

export interface MergeSides {
  /** The template that the project was made from, or was last upgraded to. */
  readonly base: Texts;
  readonly theirs: Texts;
  /** The project's own text of a file; `undefined` if it has none. */
  readonly ours: (path: string) => string | undefined;
  /** What the two versions are called in conflict marks. */
  readonly versions: { readonly base: string; readonly theirs: string };
}

/** Made from the contract or from the project's own handlers when it was new: the project's from then on. */
const OWNED = new Set(['docs/not-served.md', 'spec/openapi.yaml', 'src/handlers/index.ts', 'test/contract/exemptions.json']);

/** What the template has filled in from a contract counts as a change of the project. @returns the files that differ between the templates. */
export async function mergeTemplate(sides: MergeSides): Promise<FileChange[]> {
  const { base, theirs } = sides;
  const paths = [...new Set([...base.keys(), ...theirs.keys()])].filter((path) => !OWNED.has(path)).sort();
  const changed = paths.filter((path) => base.get(path) !== theirs.get(path));
  const changes = await Promise.all(changed.map((path) => mergeFile(path, sides)));
  return changes.filter((change) => change !== undefined);
}

async function mergeFile(path: string, { base, theirs, ours, versions }: MergeSides): Promise<FileChange | undefined> {
  const [before, after, own] = [base.get(path), theirs.get(path), ours(path)];
  const keep = (...conflicts: string[]): FileChange => ({ path, action: 'keep', conflicts });
  if (own === after) return undefined;
  if (after === undefined) {
    if (own === undefined) return undefined;
    return own === before
      ? { path, action: 'remove', conflicts: [] }
      : keep('the template has removed it; it is changed here, so it is kept');
  }
  if (own === undefined)
    return before === undefined
      ? { path, action: 'add', text: after, conflicts: [] }
      : keep('it is deleted here; the template has changed it');
  if (own === before) return { path, action: 'update', text: after, conflicts: [] };
  if (path === 'package.json') return mergeManifest(path, before, own, after);
  const { text, conflicts } = await mergeText([
    ['this project', own],
    [`template ${versions.base}`, before ?? ''],
    [`template ${versions.theirs}`, after],
  ]);
  return text === own
    ? undefined
    : { path, action: 'update', text, conflicts: conflicts === 0 ? [] : [`${conflicts} marked with <<<<<<<`] };
}

function mergeManifest(path: string, before: string | undefined, own: string, after: string): FileChange | undefined {
  const ours: unknown = JSON.parse(own);
  const conflicts: string[] = [];
  const value = merge(before === undefined ? undefined : JSON.parse(before), ours, JSON.parse(after), [], conflicts);
  if (isDeepStrictEqual(value, ours) && conflicts.length === 0) return undefined;
  return {
    path,
    action: 'update',
    text: formatJson(value),
    conflicts: conflicts.map((field) => `${field} is changed on both sides: it is kept`),
  };
}

/**
 * Merges three versions of a JSON value field by field, whatever the order and the layout of its fields. `undefined` stands for a value
 * that is not there, and an array is one value.
 *
 * @param conflicts gets fields that both sides have changed in different ways, as `scripts/test`. They keep the value of `ours`.
 */
function merge(base: unknown, ours: unknown, theirs: unknown, path: readonly string[], conflicts: string[]): unknown {
  if (isDeepStrictEqual(base, theirs) || isDeepStrictEqual(ours, theirs)) return ours;
  if (isDeepStrictEqual(base, ours)) return theirs;
  if (!isObject(ours) || !isObject(theirs)) {
    conflicts.push(path.join('/'));
    return ours;
  }
  const common = isObject(base) ? base : {};
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  const fields = names.map((name) => [name, merge(common[name], ours[name], theirs[name], [...path, name], conflicts)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** git-merge-file: the exit code is the number of conflicts, up to this one. */
const MAX_CONFLICTS = 127;

interface MergedText {
  readonly text: string;
  /** How many places are marked with `<<<<<<<`. */
  readonly conflicts: number;
}

/** Merges three versions of a text line by line, as git does. @param sides ours, base and theirs. @throws Error if git cannot be run, or a text is binary. */
async function mergeText(sides: readonly (readonly [label: string, text: string])[]): Promise<MergedText> {
  const folder = await mkdtemp(join(tmpdir(), 'specwright-merge-'));
  try {
    const files = sides.map((_, i) => join(folder, String(i)));
    for (const [i, [, text]] of sides.entries()) await writeFile(files[i] ?? '', text);
    return await runMerge(['merge-file', '-p', '--quiet', ...sides.flatMap(([label]) => ['-L', label]), ...files]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const runMerge = (args: readonly string[]): Promise<MergedText> =>
  new Promise((resolve, reject) => {
    execFile('git', args, { maxBuffer: 2 ** 26 }, (error, text, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      if (code >= 0 && code <= MAX_CONFLICTS) resolve({ text, conflicts: code });
      else reject(new Error(`git merge-file failed: ${stderr.trim() || (error?.message ?? '')}`, { cause: error }));
    });
  });

/** Says what an upgrade changes, before it does. */
const VERBS = { add: 'adds', update: 'updates', remove: 'removes', keep: 'keeps' } as const;

export interface PlannedUpgrade {
  readonly base: TemplateVersion;
  readonly release: Release;
  readonly changes: readonly FileChange[];
  /** Whether the project does not record which template it was made from. */
  readonly inferred: boolean;
  /** The dependencies of the project before. */
  readonly had: Readonly<Record<string, string>>;
}

/** @returns lines that say what an upgrade changes: the template, files with their conflicts, and which versions of packages rise. */
export function describeUpgrade({ base, release, changes, inferred, had }: PlannedUpgrade): string[] {
  const versions =
    base.version === release.version ? `template ${release.version}, as before` : `template ${base.version} -> ${release.version}`;
  return [
    ...(inferred
      ? [`package.json does not record a template: it is taken to be that of the packages that the project has, ${base.version}`]
      : []),
    `${versions}: ${changes.length === 0 ? 'no file changes' : plural(changes.length, 'file')}`,
    ...changes.map(({ path, action, conflicts }) => {
      const conflict = conflicts.length === 0 ? '' : `  CONFLICT: ${conflicts.join('; ')}`;
      return `  ${VERBS[action].padEnd(8)}${path}${conflict}`;
    }),
    ...describePackages(release, had),
  ];
}

function describePackages({ version, tarballs }: Release, had: PlannedUpgrade['had']): string[] {
  const rising = tarballs.flatMap((tarball) => {
    const before = versionIn(had[tarball.name]);
    return before === tarball.version ? [] : [`  ${tarball.name} ${before === undefined ? 'new:' : `${before} ->`} ${tarball.version}`];
  });
  const same = tarballs.length - rising.length;
  if (rising.length === 0) return [`packages: all ${same} have version ${version} already, no version rises`];
  return [`packages: ${plural(rising.length, 'version')} to change`, ...rising];
}

/** Of a dependency: `0.1.0`, or `file:vendor/specwright-server-0.1.0.tgz`. */
// eslint-disable-next-line specwright/linear-expression -- a version in the project's package.json
const versionIn = (dependency: string | undefined): string | undefined => /\d+\.\d+\.\d+[\w.-]*?(?=\.tgz$|$)/.exec(dependency ?? '')?.[0];
