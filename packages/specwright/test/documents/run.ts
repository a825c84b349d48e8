/**
 * `npm run test:documents [-- --list FILE] [--documents FOLDER] [--keep FOLDER] [NAME...]`: makes a project of each document of a list, or
 * of those with a name, and tries it. Ends with 1 unless all are green.
 *
 * Documents are fetched from where the list says, unless the folder has one of the name. What is made is kept if a folder is named, and
 * its packages are used again by the next run.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, parse as parsePath, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { packTarballs, packagesOf } from '../../src/new/tarballs.ts';
import { tryDocument } from './try-document.ts';

const HERE = 'packages/specwright/test/documents';

interface ListedDocument {
  readonly name: string;
  /** `owner/repository`, commit and path; or a package of PyPI, and the Python that makes the application `app`. */
  readonly github?: string;
  readonly commit?: string;
  readonly path?: string;
  readonly pypi?: string;
  readonly python?: string;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string', default: join(HERE, 'drawn.yaml') }, documents: { type: 'string' }, keep: { type: 'string' } },
});

const listed = (parse(readFileSync(values.list, 'utf8')) as { readonly documents: readonly ListedDocument[] }).documents;
const wanted = listed.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
const folder = resolve(values.keep ?? mkdtempSync(join(tmpdir(), 'documents-')));
mkdirSync(folder, { recursive: true });
// As root the database runs as another user, who must be able to reach it.
chmodSync(folder, 0o755);

const modules = await installModules(join(folder, 'modules'));
const failed: string[] = [];
console.log(
  '| document | operations | verdict | calls | no request can reach | not served as written | seconds |\n|---|---|---|---|---|---|---|',
);
for (const document of wanted) {
  const project = join(folder, document.name);
  rmSync(project, { recursive: true, force: true });
  const { verdict, output, operations, calls, unreached, notServed, seconds } = await tryDocument(await fileOf(document), project, modules);
  console.log(`| ${[document.name, operations, verdict, calls, unreached, notServed, seconds].join(' | ')} |`);
  writeFileSync(`${project}.log`, output);
  if (verdict !== 'green') failed.push(`${document.name}: ${verdict}\n${output.split('\n').slice(-30).join('\n')}`);
  else if (values.keep === undefined) rmSync(project, { recursive: true });
}
console.log(`\n${wanted.length - failed.length} of ${wanted.length} are green`);
for (const text of failed) console.error(`\n${text}`);
if (values.keep === undefined) rmSync(folder, { recursive: true });
process.exitCode = failed.length === 0 ? 0 : 1;

/** The packages of a new project, as they are here. @returns the folder `node_modules` */
async function installModules(project: string): Promise<string> {
  const installed = join(project, 'node_modules');
  if (!existsSync(installed)) {
    const spec = resolve('test/gates/foreign/library.yaml');
    const command = [resolve('packages/specwright/bin/specwright.mjs'), 'new', project, '--spec', spec, '--accounts'];
    execFileSync(process.execPath, command, { stdio: 'ignore' });
    const jwt = JSON.parse(readFileSync('packages/specwright/template-jwt/package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const added = Object.entries(jwt.dependencies).map(([name, version]) => `${name}@${version}`);
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund', ...added], { cwd: project, stdio: 'ignore' });
  }
  // A folder that is used again has those of an earlier state.
  for (const { name, file } of await packTarballs(packagesOf({ accounts: true })))
    execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', join(installed, name)]);
  return installed;
}

/** The file of a document: that of the folder, or fetched. */
async function fileOf({ name, github, commit, path = '', pypi, python }: ListedDocument): Promise<string> {
  const given = values.documents;
  const found = given === undefined ? undefined : readdirSync(given).find((file) => parsePath(file).name === name);
  if (given !== undefined && found !== undefined) return resolve(given, found);
  const file = join(folder, `${name}.document${parsePath(path).ext || '.json'}`);
  if (pypi === undefined) {
    const url = `https://raw.githubusercontent.com/${github ?? ''}/${commit ?? ''}/${path.split('/').map(encodeURIComponent).join('/')}`;
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${name} cannot be fetched: ${url} answers ${response.status}`);
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    return file;
  }
  const environment = join(folder, `${name}.python`);
  execFileSync('python3', ['-m', 'venv', environment]);
  execFileSync(join(environment, 'bin/pip'), ['install', '--quiet', pypi]);
  const script = `import json\n${python ?? ''}\njson.dump(app.openapi(), open('${file}', 'w'))`;
  execFileSync(join(environment, 'bin/python'), ['-c', script], { cwd: folder });
  return file;
}
