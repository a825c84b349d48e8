/** Copies the files of a document into a project, at the same places to each other, so that no reference changes. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { ContractError, type SourceDocument, formatProblem, formatYaml, parseSource } from '@specwright/contract/document';
import { indentBrackets } from '../bundle/bundle-spec.ts';
import type { Files } from './compose-project.ts';

export interface KeptFiles {
  /** Read from the copies. Its files are named from the root of the project, that of the document first. */
  readonly source: SourceDocument;
  /** What is written: byte by byte what was read, but for closing brackets that other parsers refuse, and a document in JSON. */
  readonly files: Files;
}

/** Thrown where the files cannot be kept. The message says why. */
export class CannotKeep extends Error {}

/** The path of the document is in code, commands and comments of the project. */
const PLAIN_PATH = /^[\w./-]+$/;

/** git, Docker and npm read or leave out files of these names. */
const HAS_OTHER_MEANING = /\/(node_modules\/|\.|package\.json$)/;

/**
 * @param original a document of several files, which has passed `checkDocument`.
 * @throws CannotKeep if they cannot be files of a project, or would be another document there.
 */
export function keepFiles({ files: originals, file, digest, warnings }: SourceDocument): KeptFiles {
  const folder = commonFolder(originals.map((part) => dirname(resolve(part.file))));
  const files: Files = new Map();
  const texts = new Map<string, string>();
  let spec = '';
  for (const part of originals) {
    const isDocument = part.file === file;
    const isJson = isDocument && /\.json$/i.test(file);
    const name = ['spec', ...relative(folder, resolve(part.file)).split(sep)].join('/');
    const path = isJson ? name.replace(/\.json$/i, '.yaml') : name;
    if (isDocument) spec = path;
    if (HAS_OTHER_MEANING.test(path)) throw new CannotKeep(`${path} is a name that git, Docker or npm treat in their own way`);
    const brackets = warnings.filter((warning) => (warning.file ?? file) === part.file);
    const text = isJson ? formatYaml(part.value) : indentBrackets(part.text, brackets);
    texts.set(path, text);
    files.set(path, text === part.text ? readFileSync(part.file) : text);
  }
  if (!PLAIN_PATH.test(spec)) throw new CannotKeep(`${spec} has other characters than letters, digits and ._-`);
  const source = readCopies(spec, texts);
  if (source.digest !== digest) throw new CannotKeep('their copies are not the same document');
  return { source, files };
}

/** @throws CannotKeep for a reference that does not lead to a copy: an absolute path, or the name that a document in JSON has lost. */
function readCopies(spec: string, texts: ReadonlyMap<string, string>): SourceDocument {
  try {
    return parseSource(spec, texts.get(spec) ?? '', { read: (part) => texts.get(join(part).split(sep).join('/')) });
  } catch (error) {
    const [problem] = error instanceof ContractError ? error.problems : [];
    if (problem === undefined) throw error;
    throw new CannotKeep(`their copies do not find each other: ${formatProblem(spec, problem)}`, { cause: error });
  }
}

/** The innermost folder that all are in. */
function commonFolder([first = '', ...others]: readonly string[]): string {
  const isAround = (folder: string) =>
    others.every((other) => `${other}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`));
  let folder = first;
  while (!isAround(folder)) folder = dirname(folder);
  return folder;
}
