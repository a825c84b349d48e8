/** What a process loads that imports the package: neither a server nor Express, and of the contract only what is shared. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const PACKAGE = new URL('../', import.meta.url);
/** As tsx, and quicker. */
const LOADER = new URL('../../../test/support/runner/hooks.mjs', import.meta.url).href;
/** Prints the URL of each module, in the thread of the hooks. */
const HOOKS =
  "import { writeSync } from 'node:fs'; export const load = (url, context, next) => (writeSync(1, url + '\\n'), next(url, context));";

function modulesOf(...entries: readonly string[]): string[] {
  const program = `import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(HOOKS)}));
    for (const entry of ${JSON.stringify(entries)}) await import(entry);`;
  const args = ['--conditions=@specwright/source', '--import', LOADER, '--input-type=module', '-e', program];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: fileURLToPath(PACKAGE), encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.trim().split('\n');
}

const isOfServer = (url: string): boolean => /\/packages\/server\/|\/node_modules\/(?:express|pino|ajv|yaml)\//.test(url);

test('loads no server, no Express and no document', () => {
  const urls = modulesOf('@specwright/postgres', '@specwright/postgres/events', '@specwright/postgres/environment');
  expect(urls).toContainEqual(expect.stringMatching(/\/packages\/postgres\/src\/index\.ts$/));
  expect(urls.filter(isOfServer)).toEqual([]);
  const ofContract = urls.flatMap((url) => /\/packages\/contract\/src\/(.*)$/.exec(url)?.[1] ?? []);
  const isShared = (path: string) => /^(?:runtime\/|promises|remember|document\/printable|libraries\/zod)/.test(path);
  expect(ofContract.filter((path) => !isShared(path))).toEqual([]);
});

test('would see a server', () => {
  expect(modulesOf('@specwright/server').some(isOfServer)).toBe(true);
});

test('depends on no server', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(new URL('package.json', PACKAGE), 'utf8')) as Record<string, object>;
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  expect(names).toContain('@specwright/contract');
  expect(names.filter((name) => /express|server/.test(name))).toEqual([]);
});
