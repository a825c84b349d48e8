/** The template is a project: its tests pass, and its schema fits, on the sources of the packages. Its code is linted with all code. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { TEMPLATE } from '../../src/new/template.ts';

const MODULES = resolve('node_modules');
const SOURCE = '@specwright/source';
const TIMEOUT_MS = 180_000;

/** @param environment beside `PATH` and `HOME`. */
async function runWith(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<{ code: number; output: string }> {
  const { PATH = '', HOME = '' } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: TEMPLATE, env: { PATH, HOME, ...environment } });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

const run = (...args: string[]) => runWith({}, ...args);

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
    expect(await run(join(MODULES, 'specwright/bin/specwright.mjs'), ...args)).toEqual({ code: 0, output: expect.any(String) });
  },
  TIMEOUT_MS,
);

test(
  'specwright db empties its database, which migrates again',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'template-database-'));
    // As root the database runs as another user, who must be able to reach it.
    await chmod(folder, 0o755);
    const program = join(MODULES, 'specwright/bin/specwright.mjs');
    const specwright = (...args: string[]) => runWith({ DATA_DIR: join(folder, 'data') }, program, ...args);
    expect(await specwright('migrate')).toMatchObject({ code: 0 });
    expect(await specwright('migrate')).toEqual({ code: 0, output: 'the schema is up to date\n' });
    expect(await specwright('db', 'reset', '--yes')).toMatchObject({ code: 0 });
    expect(await specwright('migrate')).toMatchObject({ code: 0 });
    expect(await specwright('db', 'dump')).toMatchObject({ code: 2, output: expect.stringContaining('unknown action dump') });
    await rm(folder, { recursive: true });
  },
  TIMEOUT_MS,
);
