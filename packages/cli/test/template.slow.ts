/** The template is a project: its own tests and linters pass where it is, on the sources of the packages. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { TEMPLATE } from '../src/new/compose-project.ts';

const MODULES = resolve('node_modules');
const SOURCE = '@specwright/source';

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: TEMPLATE, env: { PATH, HOME } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

test('its tests pass, and try every operation', async () => {
  const jest = [join(MODULES, 'jest/bin/jest.js'), '--verbose'];
  const conditions = `--testEnvironmentOptions=${JSON.stringify({ customExportConditions: [SOURCE, 'node', 'node-addons'] })}`;
  const { code, output } = await run(`--conditions=${SOURCE}`, '--experimental-vm-modules', '--no-warnings', ...jest, conditions);
  expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +\d+ passed/) });
  for (const id of ['createThing', 'getThing']) expect(output).toMatch(new RegExp(`${id}\\n[^]*answers 501 until it is implemented`));
}, 180_000);

test.each([
  ['specwright schema --check', ['@specwright/cli/bin/specwright.mjs', 'schema', '--check']],
  ['ESLint', ['eslint/bin/eslint.js', '-c', '.config/eslint.js']],
  ['the compiler', ['typescript/bin/tsc', '-p', '.', '--customConditions', SOURCE]],
  ['Prettier', ['prettier/bin/prettier.cjs', '--check', '.']],
])(
  '%s passes',
  async (_name, [program = '', ...args]) => {
    expect(await run(join(MODULES, program), ...args)).toMatchObject({ code: 0 });
  },
  180_000,
);
