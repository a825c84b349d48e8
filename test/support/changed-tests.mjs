/**
 * Program: runs the tests that a change concerns, by the import graph, for about five seconds: the nearest first.
 * `npm run test:changed`, with a branch to compare with instead of HEAD, from where this one left it, or `-- --all` for all that the change can concern.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['src', 'generated', 'packages', 'test', 'bench', 'scripts'];
const IGNORED = new Set(['node_modules', 'dist', '.cache', '.build', '.data']);
const SOURCE = /\.(?:ts|mjs|cjs|js)$/;
/** What the tests have for this: the run itself takes another second. */
const BUDGET_MS = 4000;
/** Of a file that has not been run yet. */
const ASSUMED_MS = 3000;
/** Whoever imports a package imports little of it: what its index names is that much farther. */
const INDEX_DISTANCE = 4;
const TIMES = join(ROOT, '.cache', 'test-times.json');

const args = process.argv.slice(2);
const all = args.includes('--all');
const base = args.find((arg) => !arg.startsWith('-')) ?? 'HEAD';

const changed = changedFiles();
if (changed.length === 0) {
  console.log(`nothing has changed since ${base}`);
  process.exit(0);
}
const distances = distancesFrom(changed, importers(listSources()));
const times = existsSync(TIMES) ? JSON.parse(readFileSync(TIMES, 'utf8')) : {};
const timeOf = (file) => times[relative(ROOT, file)] ?? ASSUMED_MS;
const names = changed.map((file) => basename(file).replace(/\..*$/, ''));
const isNamesake = (file) => names.some((name) => name !== 'index' && basename(file).split(/[.-]/).join('-').startsWith(`${name}-`));
const rank = (file) => (isNamesake(file) ? 0 : distances.get(file));
const related = [...distances.keys()]
  .filter((file) => file.endsWith('.test.ts'))
  .sort((a, b) => rank(a) - rank(b) || timeOf(a) - timeOf(b));
if (related.length === 0) {
  console.log(`no test imports ${changed.map((file) => relative(ROOT, file)).join(', ')}: npm test`);
  process.exit(0);
}
const chosen = all ? related : choose(related);
const left = related.length - chosen.length;
const jest = [...process.execArgv, join(ROOT, 'node_modules/jest/bin/jest.js'), '--runTestsByPath', ...chosen];
const { status } = spawnSync(process.execPath, jest, { cwd: ROOT, stdio: 'inherit' });
if (left > 0)
  console.log(
    `\n${chosen.length} test files are nearest to the change. ${left} more import it: npm run test:changed -- --all, or npm test`,
  );
process.exitCode = status ?? 1;

/** Of the working tree, those that git does not know included. What the base has got since is no change of ours. */
function changedFiles() {
  const git = (...words) => execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\n').filter(Boolean);
  const [left] = git('merge-base', base, 'HEAD');
  return [...git('diff', '--name-only', '--relative', left), ...git('ls-files', '--others', '--exclude-standard')].map((file) =>
    join(ROOT, file),
  );
}

function listSources() {
  const list = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (IGNORED.has(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return list(path);
      return SOURCE.test(entry.name) ? [path] : [];
    });
  return FOLDERS.flatMap((folder) => list(join(ROOT, folder)));
}

/** @returns by file, those that import it or name it in a text: a document, a program. */
function importers(files) {
  const result = new Map();
  const packages = packageEntries();
  for (const file of files) {
    const targets = new Set();
    for (const [, text] of readFileSync(file, 'utf8').matchAll(
      /(?<=['"`])((?:@specwright\/|\.{1,2}\/|[\w-]+\/)[\w@./-]+|specwright)(?=['"`])/g,
    ))
      targets.add(packages.get(text) ?? targetOf(text, file));
    for (const target of targets) if (target !== undefined && target !== file) result.set(target, [...(result.get(target) ?? []), file]);
  }
  return result;
}

/** A text that names a file: from the file that has it, or from the root. */
function targetOf(text, file) {
  if (extname(text) === '') return undefined;
  return [resolve(dirname(file), text), join(ROOT, text)].find((path) => existsSync(path));
}

/** `specwright/schema` -> its source. */
function packageEntries() {
  const entries = readdirSync(join(ROOT, 'packages'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return new Map(
    entries.flatMap(({ name }) => {
      const folder = join(ROOT, 'packages', name);
      const { name: packageName, exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return Object.entries(exports).flatMap(([path, entry]) =>
        entry['@specwright/source'] === undefined ? [] : [[`${packageName}${path.slice(1)}`, join(folder, entry['@specwright/source'])]],
      );
    }),
  );
}

/** @returns by file, over how many imports it reaches a file that changed. */
function distancesFrom(files, importersOf) {
  const result = new Map();
  const queue = [files];
  for (let distance = 0; distance < queue.length; distance++)
    for (const file of queue[distance] ?? []) {
      if (result.has(file)) continue;
      result.set(file, distance);
      const next = distance + (/\/packages\/[^/]+\/src\/index\.ts$/.test(file) ? INDEX_DISTANCE : 1);
      (queue[next] ??= []).push(...(importersOf.get(file) ?? []));
    }
  return result;
}

/** Two run at once. */
function choose(files) {
  let spent = 0;
  return files.filter((file, i) => {
    spent += timeOf(file) / 2;
    return i === 0 || spent <= BUDGET_MS;
  });
}
