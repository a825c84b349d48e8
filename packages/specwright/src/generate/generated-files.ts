/** Compares generated code with the committed files, and writes what differs. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { assertWritable, removeFile, writeFile } from '../files/write-files.ts';
import type { Project, ProjectConfig } from '../project-config.ts';

/** A committed file that differs from what is generated. */
export interface StaleFile {
  readonly path: string;
  /** `undefined` if the file is missing. */
  readonly committed: string | undefined;
  readonly generated: string;
}

/** @param files name -> content. */
export function findStale(folder: string, files: ReadonlyMap<string, string>): StaleFile[] {
  return [...files]
    .map(([name, generated]) => ({ path: join(folder, name), committed: read(join(folder, name)), generated }))
    .filter(({ committed, generated }) => committed === undefined || withLf(committed) !== generated);
}

/** A checkout may have other line ends. */
const withLf = (text: string): string => text.replaceAll('\r\n', '\n');

/** A file in the folder of the digests. The text of a repository must not have any other deleted: `../../notes.txt`. */
const BASE_NAME = /^(?!\.\.?$)[^/\\]+$/;

/** Files that were generated and are not any more: of the committed digests those that the new ones lack. @returns their paths. */
export function findObsolete(folder: string, files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([name, text]) => {
    if (!/^(schema-)?digests\.json$/.test(basename(name))) return [];
    const kept = parseDigests(text);
    const obsolete = [...parseDigests(read(join(folder, name))).keys()].filter((file) => BASE_NAME.test(file) && !kept.has(file));
    return obsolete.map((file) => join(folder, dirname(name), file)).filter(existsSync);
  });
}

/**
 * Writes what is missing or differs, and removes what is not generated any more.
 *
 * @param root the folder that may be written in. @param files name -> content. @param folder of the files: absolute, or from the current folder.
 * @returns the paths of the files that were written.
 * @throws Error for a link or a place outside of `root`, and for a package.json of somebody else; then nothing was written.
 */
export function writeGenerated(root: string, files: ReadonlyMap<string, string>, folder = root): string[] {
  const stale = findStale(folder, files);
  for (const { path } of stale) assertWritable(root, resolve(path));
  for (const file of stale) assertOwnPackage(file);
  for (const path of findObsolete(folder, files)) removeFile(root, resolve(path));
  return stale.map(({ path, generated }) => {
    writeFile(root, resolve(path), generated);
    return path;
  });
}

/** The folder may be that of a project: its package.json has what ours never has. */
function assertOwnPackage({ path, committed, generated }: StaleFile): void {
  if (basename(path) !== 'package.json' || committed === undefined) return;
  const own = Object.keys(JSON.parse(generated) as object);
  const foreign = Object.keys(parsePackage(committed)).filter((key) => !own.includes(key));
  if (foreign.length > 0) throw new Error(`${path} is of another package, with ${foreign.join(', ')}: choose a folder of its own (--out)`);
}

function parsePackage(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return { 'text that is no JSON': text };
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The first line that differs, from 1, and its two texts without their indentation, unless that is the difference. */
export function firstDifference(committed: string, generated: string) {
  const [have, want] = [withLf(committed).split('\n'), generated.split('\n')];
  const index = want.findIndex((line, i) => line !== have[i]);
  const at = index === -1 ? want.length : index;
  const isOfSpaces = have[at] !== undefined && have[at].trim() === want[at]?.trim();
  const shown = (line: string | undefined) => (line === undefined ? '(end of file)' : isOfSpaces ? JSON.stringify(line) : line.trim());
  return { line: at + 1, committed: shown(have[at]), expected: shown(want[at]) };
}

/** The first line that differs, so that a person recognises the change. */
export function formatFirstDifference({ committed: text = '', generated }: StaleFile): string {
  const { line, committed, expected } = firstDifference(text, generated);
  return `line ${line}\n    committed: ${committed}\n    generated: ${expected}`;
}

/** The files that record digests, each with what is to be changed instead of a generated file, and the command that restores that. */
const RECORDS = {
  'digests.json': { source: 'the spec', command: 'npm run generate' },
  'schema-digests.json': { source: 'a migration', command: 'npx specwright schema' },
} as const;

type Folder = Readonly<Record<'root' | 'generated', string>>;

interface GeneratedFolders extends Pick<Project, 'root' | 'databaseFolder'> {
  readonly contracts: readonly Pick<ProjectConfig, 'generated'>[];
}

/** The folders of a project that are generated: those of its contracts, and that of its database. */
export const generatedFolders = ({ root, databaseFolder, contracts }: GeneratedFolders): Folder[] =>
  [...new Set([...contracts.map(({ generated }) => generated), databaseFolder])].map((generated) => ({ root, generated }));

export interface EditedFile {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
  /** What to do: `change the spec; \`npm run generate\` restores the file`. */
  readonly fix: string;
}

/** @param files path from the folder of generated files -> content. @returns the name and the content of the file with their digests. */
export function digestRecord(name: keyof typeof RECORDS, files: Iterable<readonly [string, string]>): [string, string] {
  const digests = Object.fromEntries([...files].map(([file, text]) => [file, digestOf(text)]));
  return [name, `${JSON.stringify(digests, null, 2)}\n`];
}

/** The files that record digests, and those that have one: paths from the root. */
export const digestedFiles = (folder: Folder): string[] =>
  Object.keys(RECORDS).flatMap((name) => [name, ...readDigests(folder, name).keys()].map((file) => join(folder.generated, file)));

/** The generated files whose content has another digest than the recorded one. */
export function findEdited(folder: Folder): EditedFile[] {
  return Object.entries(RECORDS).flatMap(([name, { source, command }]) =>
    [...readDigests(folder, name)].flatMap(([file, digest]) => {
      const path = join(folder.generated, file).replaceAll('\\', '/');
      const text = read(join(folder.root, path));
      // One that is missing is written again.
      if (text === undefined || digestOf(text) === digest) return [];
      return [{ path, text, fix: `change ${source}; \`${command}\` restores the file` }];
    }),
  );
}

/**
 * The problem in one line: where the file first differs from what would be generated, and what to do.
 *
 * @param generated `undefined` if that is not available.
 */
export function formatEdited({ path, text, fix }: EditedFile, generated: string | undefined): string {
  if (generated === undefined) return `${path}:1:1 was edited by hand: ${fix}`;
  const { line, committed, expected } = firstDifference(text, generated);
  return `${path}:${line}:1 was edited by hand (${cut(committed)} instead of ${cut(expected)}): ${fix}`;
}

/** With its path and what to do, the line has no more than 200 characters. */
const MAX_CODE = 35;
const cut = (code: string) => (code.length > MAX_CODE ? `${code.slice(0, MAX_CODE - 1)}…` : code);

const readDigests = ({ root, generated }: Folder, name: string) => parseDigests(read(join(root, generated, name)));

function parseDigests(text = '{}'): Map<string, string> {
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  } catch {
    // Conflict markers of a merge: the file is written with the others.
    return new Map();
  }
}

const digestOf = (text: string): string => createHash('sha256').update(withLf(text)).digest('hex');
