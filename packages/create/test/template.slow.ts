/** The template is a project: its tests pass, and its schema fits, on the sources of the packages. Its code is linted with all code. */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { TEMPLATE } from '../src/new/template.ts';

const MODULES = resolve('node_modules');
const SOURCE = '@specwright/source';
const TIMEOUT_MS = 180_000;

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

test(
  'its tests pass, and try every operation',
  async () => {
    const jest = [join(MODULES, 'jest/bin/jest.js'), '--verbose'];
    const conditions = `--testEnvironmentOptions=${JSON.stringify({ customExportConditions: [SOURCE, 'node', 'node-addons'] })}`;
    const options = [`--conditions=${SOURCE}`, '--experimental-vm-modules', '--no-warnings'];
    const { code, output } = await run(...options, ...jest, conditions);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/Tests: +\d+ passed/) });
    for (const id of ['createThing', 'getThing']) expect(output).toMatch(new RegExp(`${id}\\n[^]*answers 501 until it is implemented`));
  },
  TIMEOUT_MS,
);

test.each([
  ['schema --check', ['schema', '--check']],
  ['check-schema', ['check-schema']],
])(
  'specwright %s passes',
  async (_gate, args) => {
    expect(await run(join(MODULES, '@specwright/cli/bin/specwright.mjs'), ...args)).toEqual({ code: 0, output: expect.any(String) });
  },
  TIMEOUT_MS,
);
