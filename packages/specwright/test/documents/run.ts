/**
 * `npm run ts -- packages/specwright/test/documents/run.ts [--list FILE] [--documents FOLDER] [--keep FOLDER] [NAME...]`: makes a project of each document of a list, or
 * of those with a name, and tries it. Ends with 1 unless all are green.
 *
 * Documents are fetched from where the list says, unless the folder has one of the name. What is made is kept if a folder is named, and
 * its packages are used again by the next run.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packTarballs, packagesOf } from '../../src/new/tarballs.ts';
import { fileOf, readList } from './fetch-document.ts';
import { tryDocument } from './try-document.ts';

const HERE = 'packages/specwright/test/documents';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'string', default: join(HERE, 'drawn.yaml') }, documents: { type: 'string' }, keep: { type: 'string' } },
});

const wanted = readList(values.list, positionals);
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
  const { verdict, output, operations, calls, unreached, notServed, seconds } = await tryDocument(
    await fileOf(document, values.documents, folder),
    project,
    modules,
  );
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
  for (const { name, file } of await packTarballs(packagesOf(['@specwright/accounts', '@specwright/embedded-postgres', 'specwright'])))
    execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', join(installed, name)]);
  return installed;
}
