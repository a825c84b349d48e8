/** The program: help, exit codes, and errors of arguments that say what to do next. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type CommandEntry, defineCommand, runCommand, UsageError } from '@specwright/server/command';
import { COMMANDS, runProgram } from '../../src/program.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';

let output: string;
let errors: string;
beforeEach(() => {
  output = errors = '';
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (output += `${text}\n`));
  jest.spyOn(console, 'error').mockImplementation((text: string) => void (errors += `${text}\n`));
});
afterEach(() => {
  jest.restoreAllMocks();
});

const NAMES = Object.keys(COMMANDS);

test('every command of commands/ is one of the program', async () => {
  const folder = resolve('packages/specwright/src/commands');
  const modules = (await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))))) as Readonly<Record<string, unknown>>[];
  const loaded = await Promise.all(Object.values(COMMANDS).map(async ({ load }) => (await load()).command));
  expect(new Set(loaded)).toEqual(new Set(modules.flatMap((module) => Object.values(module))));
  expect(new Set(loaded).size).toBe(NAMES.length);
});

test('a command that needs a package that is not installed says which to install', async () => {
  const { load } = COMMANDS['migrate'] as CommandEntry;
  const { command } = await load();
  const cause = Object.assign(new Error("Cannot find package '@specwright/postgres' imported from /project/x.js"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  jest.spyOn(command, 'run').mockRejectedValue(cause);
  expect(await runProgram(['migrate'])).toBe(1);
  expect(errors).toMatch(
    /^specwright migrate needs @specwright\/postgres, which is not installed: npm install @specwright\/postgres@\d+\.\d+\.\d+\n$/,
  );
});

test('--help lists every command with its summary', async () => {
  expect(await runProgram(['--help'])).toBe(0);
  for (const [name, { summary }] of Object.entries(COMMANDS)) expect(output).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each(NAMES)('%s --help shows usage, options, examples and exit codes', async (name) => {
  expect(await runProgram([name, '--help'])).toBe(0);
  expect(output).toMatch(new RegExp(`^specwright ${name}: .+\n(.+\n)?\nusage: specwright ${name}`));
  expect(output).toMatch(/^options:\n( {2}--.+\n)+/m);
  expect(output).toMatch(new RegExp(`^examples:\\n( {2}(\\w+=\\S+ )?specwright ${name}\\b.*\\n)+`, 'm'));
  expect(output).toMatch(/^exit codes:\n {2}0 .+\n {2}1 .+\n(?: {5}.+\n)* {2}2 /m);
  expect(output.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test.each([
  [['generat'], /unknown command generat: did you mean generate\?/],
  [['xyzzy'], /unknown command xyzzy\n/],
  [[], /missing command/],
  [['toString'], /unknown command toString/],
])('%j is refused with 2 and leads to --help', async (args, message) => {
  expect(await runProgram(args)).toBe(2);
  expect(errors).toMatch(message);
  expect(errors).toMatch(/specwright (COMMAND )?--help/);
});

test.each([
  [['generate', '--chek'], /unknown option --chek: did you mean --check\?/],
  [['check-breaking', '--bas'], /unknown option --bas: did you mean --base\?/],
  [['generate', '--spec'], /--spec/],
  [['generate', 'extra'], /unexpected argument extra/],
  [['bundle'], /missing FILE/],
  [['new'], /missing DIR, --spec FILE/],
  [['new', 'a', 'b', '--spec', 'c'], /unexpected argument b/],
  [['new', '--example', 'unknown'], /there is no example unknown: use one of events, .*hello/],
  [['new', '--example', 'hello', '--spec', 'c'], /--spec is not for an example/],
  [['new', 'folder'], /missing --spec FILE/],
])('%j is refused with 2 and the usage', async (args, message) => {
  expect(await runProgram(args)).toBe(2);
  expect(errors).toMatch(message);
  expect(errors).toContain(`usage: specwright ${args[0] ?? ''}`);
});

test('an error of a command is exit code 1, without a stack', async () => {
  expect(await runProgram(['bundle', 'missing.yaml'])).toBe(1);
  expect(errors).toContain('missing.yaml');
  expect(errors).not.toMatch(/^ +at /m);
});

test('a command gets its options by name, boolean ones as false if not given', async () => {
  const run = jest.fn<(args: object) => Promise<void>>().mockResolvedValue(undefined);
  const options = { all: { type: 'boolean', description: 'a' }, out: { type: 'string', value: 'FILE', description: 'b' } } as const;
  const command = defineCommand({ description: 'c', positionals: ['FILE'], options, examples: [], failure: 'd', run });
  await runCommand(command, ['--out', 'x', 'file']);
  expect(run).toHaveBeenCalledWith({ values: { all: false, out: 'x' }, positionals: ['file'] });
  await expect(runCommand(command, [])).rejects.toThrow(UsageError);
});

test('the executable starts the program and returns its exit code', () => {
  const bin = resolve('packages/specwright/bin/specwright.mjs');
  expect(execFileSync(process.execPath, [bin, '--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(spawnSync(process.execPath, [bin, 'generat']).status).toBe(2);
});

describe('the configuration of a project', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'config-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));
  const manifest = (content: object) => writeFileSync(join(root, 'package.json'), JSON.stringify(content));

  test('has defaults, and the name of the package', () => {
    manifest({ name: '@acme/2-pay-api' });
    expect(readProjectConfig(root)).toMatchObject({ root, name: 'pay_api', spec: 'spec/openapi.yaml', generated: 'generated' });
  });

  test('names every field that is not valid', () => {
    manifest({ specwright: { name: 'No', spec: 1, speck: '' } });
    expect(() => readProjectConfig(root)).toThrow(/specwright\/name: [^]*specwright\/spec: [^]*"speck"/);
  });

  test('is required: a folder without package.json is an error that says where to run', () => {
    expect(() => readProjectConfig(root)).toThrow(/package\.json cannot be read[^]*in the folder of a project/);
  });
});
