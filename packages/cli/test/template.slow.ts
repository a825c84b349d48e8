/** The template is a project, and so it is with accounts: tests and linters of both pass, on the sources of the packages. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readDocument } from '@specwright/server';
import { writeProject } from '../src/new/new-project.ts';
import { TEMPLATE } from '../src/new/template.ts';

const MODULES = resolve('node_modules');
const SOURCE = '@specwright/source';

/** Below this checkout, so that its packages are found. */
let withAccounts: string;
beforeAll(async () => {
  // ESLint's types come from what is built.
  const built = ['accounts', 'testing', 'cli'].map((name) => `packages/${name}/tsconfig.build.json`);
  expect(await run('.', join(MODULES, 'typescript-native/bin/tsc'), '-b', ...built)).toEqual({ code: 0, output: '' });
  mkdirSync('.cache', { recursive: true });
  withAccounts = mkdtempSync(resolve('.cache/accounts-'));
  const source = readDocument(join(TEMPLATE, 'spec/openapi.yaml'));
  await writeProject(withAccounts, { source, name: 'template-service', tarballs: [], accounts: true });
  expect(await run(withAccounts, join(MODULES, '@specwright/cli/bin/specwright.mjs'), 'schema')).toMatchObject({ code: 0 });
}, 180_000);
afterAll(() => rmSync(withAccounts, { recursive: true, force: true }));

async function run(cwd: string, ...args: string[]): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env: { PATH, HOME } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

describe.each([
  ['the template', () => TEMPLATE, []],
  ['the template with accounts', () => withAccounts, ['without a key 401']],
])('%s', (_name, folder, more) => {
  test('its tests pass, and try every operation', async () => {
    const jest = [join(MODULES, 'jest/bin/jest.js'), '--verbose'];
    const conditions = `--testEnvironmentOptions=${JSON.stringify({ customExportConditions: [SOURCE, 'node', 'node-addons'] })}`;
    const options = [`--conditions=${SOURCE}`, '--experimental-vm-modules', '--no-warnings'];
    const { code, output } = await run(folder(), ...options, ...jest, conditions);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +\d+ passed/) });
    for (const id of ['createThing', 'getThing']) expect(output).toMatch(new RegExp(`${id}\\n[^]*answers 501 until it is implemented`));
    for (const name of more) expect(output).toContain(name);
  }, 180_000);

  test.each([
    ['specwright schema --check', ['@specwright/cli/bin/specwright.mjs', 'schema', '--check']],
    ['specwright check-schema', ['@specwright/cli/bin/specwright.mjs', 'check-schema']],
    ['ESLint', ['eslint/bin/eslint.js', '-c', '.config/eslint.js']],
    ['the compiler', ['typescript/bin/tsc', '-p', '.', '--customConditions', SOURCE]],
    ['Prettier', ['prettier/bin/prettier.cjs', '--check', '.']],
  ])(
    '%s passes',
    async (_gate, [program = '', ...args]) => {
      expect(await run(folder(), join(MODULES, program), ...args)).toEqual({ code: 0, output: expect.any(String) });
    },
    180_000,
  );
});
