/** The files of listed documents: of a folder, or fetched from where the list says. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, parse as parsePath, resolve } from 'node:path';
import { parse } from 'yaml';

export interface ListedDocument {
  readonly name: string;
  /** `owner/repository`, commit and path. */
  readonly github?: string;
  readonly commit?: string;
  readonly path?: string;
  /** Of this repository. */
  readonly file?: string;
  /** A package of npm with its version, which has the document at `path`. */
  readonly npm?: string;
  /** A package of PyPI, and the Python that makes the application `app`. */
  readonly pypi?: string;
  readonly python?: string;
}

/** @param parts of names; none for all. */
export const readList = (file: string, parts: readonly string[]): ListedDocument[] =>
  (parse(readFileSync(file, 'utf8')) as { readonly documents: readonly ListedDocument[] }).documents.filter(
    ({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
  );

/** @param given a folder that may have a file of the document's name. @param folder where it is written if not. */
export async function fileOf(document: ListedDocument, given: string | undefined, folder: string): Promise<string> {
  const { name, path = '' } = document;
  if (document.file !== undefined) return resolve(document.file);
  const found = given === undefined ? undefined : readdirSync(given).find((file) => parsePath(file).name === name);
  if (given !== undefined && found !== undefined) return resolve(given, found);
  const file = join(folder, `${name}.document${parsePath(path).ext || '.json'}`);
  if (document.npm !== undefined) return join(unpack(document.npm, folder), path);
  if (document.pypi !== undefined) writeFromPython(document, file, folder);
  else writeFileSync(file, await fetchFromGithub(document));
  return file;
}

async function fetchFromGithub({ name, github = '', commit = '', path = '' }: ListedDocument): Promise<Buffer> {
  const url = `https://raw.githubusercontent.com/${github}/${commit}/${path.split('/').map(encodeURIComponent).join('/')}`;
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${name} cannot be fetched: ${url} answers ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

/** @returns the folder of a package of npm. */
function unpack(versioned: string, folder: string): string {
  const unpacked = join(folder, `${versioned.replace(/[^\w.-]/g, '-')}.npm`);
  if (existsSync(unpacked)) return join(unpacked, 'package');
  mkdirSync(unpacked);
  const file = execFileSync('npm', ['pack', '--silent', versioned], { cwd: unpacked, encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', file], { cwd: unpacked });
  return join(unpacked, 'package');
}

function writeFromPython({ name, pypi = '', python = '' }: ListedDocument, file: string, folder: string): void {
  const environment = join(folder, `${name}.python`);
  execFileSync('python3', ['-m', 'venv', environment]);
  execFileSync(join(environment, 'bin/pip'), ['install', '--quiet', pypi]);
  const script = `import json\n${python}\njson.dump(app.openapi(), open('${file}', 'w'))`;
  execFileSync(join(environment, 'bin/python'), ['-c', script], { cwd: folder });
}
