/** Digests of the generated files: a file that was edited by hand has another one. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Project, ProjectConfig } from '../project-config.ts';
import { firstDifference, read } from './generated-files.ts';

/** The files that record digests, each with what is to be changed instead of a generated file, and the command that restores that. */
const RECORDS = {
  'digests.json': { source: 'the spec', command: 'npm run generate' },
  'schema-digests.json': { source: 'a migration', command: 'npm run schema' },
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
  const { line, committed, expected } = firstDifference(text.replaceAll('\r\n', '\n'), generated);
  return `${path}:${line}:1 was edited by hand (${cut(committed)} instead of ${cut(expected)}): ${fix}`;
}

/** With its path and what to do, the line has no more than 200 characters. */
const MAX_CODE = 35;
const cut = (code: string) => (code.length > MAX_CODE ? `${code.slice(0, MAX_CODE - 1)}…` : code);

function readDigests({ root, generated }: Folder, name: string): Map<string, string> {
  const text = read(join(root, generated, name));
  if (text === undefined) return new Map();
  try {
    return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
  } catch {
    // Conflict markers of a merge: the file is written with the others.
    return new Map();
  }
}

/** A checkout may have other line ends. */
const digestOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex');
