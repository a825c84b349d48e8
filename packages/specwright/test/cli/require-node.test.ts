/** Every program refuses an old Node.js with a sentence, before it imports what that one cannot parse. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { build } from '../../src/build/build.ts';
import { readProject } from '../../src/project-config.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const SPECWRIGHT = resolve('packages/specwright/bin/specwright.mjs');
const CREATE = resolve('packages/create-specwright/bin/create-specwright.mjs');
const ANYWHERE = resolve('packages/specwright/bin/specwright.mjs');

const folder = withFolder('all tests');
beforeAll(async () => {
  folder.write('package.json', JSON.stringify({ name: 'old', type: 'module' }));
  folder.write('tsconfig.json', '{}');
  folder.write('src/main.ts', "import { newInThisVersion } from './value.ts';\nconsole.log('started', newInThisVersion);\n");
  folder.write('src/value.ts', 'export const newInThisVersion = 1;\n');
  await build(readProject(folder.path));
});

/** What a program says under a Node.js that takes itself for another version, or for Bun. */
function runAs(version: string | { readonly bun: string }, ...args: string[]) {
  const claimed = typeof version === 'string' ? { node: version } : version;
  const stub = join(folder.path, 'version.cjs');
  writeFileSync(stub, `Object.defineProperty(process, 'versions', { value: { ...process.versions, ...${JSON.stringify(claimed)} } });\n`);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', stub, ...args], { cwd: folder.path, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const REFUSAL = [
  'error: Node 20.19 or later is required, this is 18.20',
  `  it is ${process.execPath}`,
  '  install a newer one and start again: https://nodejs.org/en/download, or `nvm install --lts`\n',
].join('\n');

test.each([
  ['specwright doctor', SPECWRIGHT, 'doctor'],
  ['specwright dev', SPECWRIGHT, 'dev'],
  ['npm start', SPECWRIGHT, 'run', 'src/main.ts'],
  ['create-specwright', CREATE, 'folder'],
  ['npx specwright', ANYWHERE, 'mock'],
  ['node .build/main.js', '.build/main.js'],
])('%s is refused', (_name, ...args) => {
  expect(runAs('18.20.8', ...args)).toEqual({ status: 1, stdout: '', stderr: REFUSAL });
});

test.each([
  ['npx specwright', ANYWHERE, 'mock'],
  ['.build/main.js', '.build/main.js'],
])('%s is refused in Bun, in one line', (_name, ...args) => {
  const stderr = 'error: Bun 1.4.5 cannot run this: start it by `node` or `npx`\n';
  expect(runAs({ bun: '1.4.5' }, ...args)).toEqual({ status: 1, stdout: '', stderr });
});

test.each([
  ['20.18.3', 1],
  ['20.19.0', 0],
  ['22.0.0', 0],
])('%s ends with %i', (version, status) => {
  expect(runAs(version, '.build/main.js').status).toBe(status);
});

test('asks for what package.json says', () => {
  const required = /REQUIRED = \[(\d+), (\d+)\]/.exec(readFileSync('packages/specwright/bin/require-node.mjs', 'utf8'))?.slice(1).join('.');
  for (const path of ['package.json', 'packages/specwright/package.json', 'packages/specwright/template/package.json']) {
    const { engines } = JSON.parse(readFileSync(path, 'utf8')) as { engines: { node: string } };
    expect([path, engines.node]).toEqual([path, `>=${required}.0`]);
  }
});

test.each([SPECWRIGHT, CREATE, ANYWHERE, resolve('packages/specwright/bin/require-node.mjs')])(
  '%s has no syntax later than that of Node 13.2',
  async (path) => {
    // From this version on there are modules and import().
    const [old, current] = await Promise.all(
      ['node13.2', 'esnext'].map((target) => transform(readFileSync(path, 'utf8'), { target, legalComments: 'none' })),
    );
    expect(old?.code).toBe(current?.code);
  },
);

test('every npm script of this repository with options of Node asks for its version first', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  expect(Object.entries(scripts).filter(([, script]) => /^node --/.test(script))).toEqual([]);
});

test('every npm script that runs specwright starts it there', () => {
  for (const path of ['package.json', 'packages/specwright/template/package.json']) {
    const { scripts } = JSON.parse(readFileSync(path, 'utf8')) as { scripts: Record<string, string> };
    expect(Object.values(scripts).filter((script) => /cli\/(src|dist|bin\/(?!(specwright|require-node)\.mjs))/.test(script))).toEqual([]);
  }
});
