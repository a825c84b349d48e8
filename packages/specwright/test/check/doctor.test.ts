/** `specwright doctor`: what is amiss is found, with one thing to do about it, and nothing is changed. */
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createDatabase, startTcpProxy, withDatabase } from 'specwright/testing';
import { formatResults, nextStep, runChecks } from '../../src/doctor/checks.ts';
import { databaseChecks } from '../../src/doctor/check-database.ts';
import {
  checkDisk,
  checkGenerated,
  checkGit,
  checkInstalled,
  checkMemory,
  checkNode,
  checkPort,
  checkPython,
} from '../../src/doctor/checks.ts';
import { runProgram } from '../../src/program.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';

const database = withDatabase();
const project = readProjectConfig(process.cwd());
let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'doctor-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
  jest.restoreAllMocks();
});
const write = (path: string, content: object | string) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
};

test.each([
  ['>=20.19.0', '20.19.0', 'ok'],
  ['>=20.19.0', '22.0.0', 'ok'],
  ['>=20.19.0', '20.18.9', 'problem'],
  ['>=20.19', '18.20.0', 'problem'],
  ['^20 || ^22', '18.0.0', 'ok'],
])('node: engines %s, version %s: %s', (node, version, state) => {
  write('package.json', { engines: { node } });
  expect(checkNode(root, version).state).toBe(state);
});

describe('packages', () => {
  const lock = {
    'node_modules/a': { version: '1.0.0' },
    'node_modules/b': { version: '1.0.0', dev: true },
    'node_modules/c': { version: '1.0.0', optional: true },
  };
  const install = (...names: string[]) => {
    write('package-lock.json', { packages: { '': {}, ...lock } });
    for (const name of names) write(`node_modules/${name}/package.json`, {});
  };

  test('all there, but an optional one', () => {
    install('a', 'b');
    write('node_modules/.package-lock.json', { packages: lock });
    expect(checkInstalled(root)).toEqual({ state: 'ok', message: '3 packages, as in package-lock.json' });
  });

  test.each<[string, string[], object, object]>([
    ['one missing', ['b'], lock, { state: 'problem', message: '1 package missing or of another version: a', fix: 'npm ci' }],
    [
      'one for development missing',
      ['a'],
      lock,
      { state: 'warning', message: '1 package for development missing or of another version: b' },
    ],
    [
      'another version',
      ['a', 'b'],
      { ...lock, 'node_modules/a': { version: '2.0.0' } },
      { state: 'problem', message: expect.stringContaining(': a') },
    ],
  ])('%s', (_, names, installed, expected) => {
    install(...names);
    write('node_modules/.package-lock.json', { packages: installed });
    expect(checkInstalled(root)).toMatchObject(expected);
  });

  test('none', () => {
    write('package-lock.json', {});
    expect(checkInstalled(root)).toMatchObject({ state: 'problem', fix: 'npm ci' });
  });
});

describe('the machine', () => {
  test('a port in use is a warning that names the process', async () => {
    const server = createServer().listen(0);
    await once(server, 'listening');
    const PORT = String((server.address() as AddressInfo).port);
    expect(await checkPort({ PORT })).toMatchObject({
      state: 'warning',
      message: `${PORT} is in use`,
      fix: expect.stringContaining('PORT='),
    });
    server.close();
    await once(server, 'close');
    expect(await checkPort({ PORT })).toMatchObject({ state: 'ok' });
  });

  test('disk, memory, git and Python', async () => {
    expect((await checkDisk(join(root, 'not/there'))).message).toContain(`MiB free in ${root}`);
    const MIB = 1024 * 1024;
    for (const [size, disk, memory] of [
      [99, 'problem', 'problem'],
      [100, 'warning', 'problem'],
      [256, 'warning', 'warning'],
      [1023, 'warning', 'warning'],
      [1024, 'ok', 'ok'],
    ] as const) {
      expect(await checkDisk(root, size * MIB)).toMatchObject({ state: disk });
      expect(checkMemory(size * MIB)).toMatchObject({ state: memory });
    }
    expect(checkMemory(256 * MIB - 1)).toMatchObject({ state: 'problem' });
    expect(await checkGit(root)).toMatchObject({ state: 'warning' });
    expect(await checkPython(root, 'requirements.txt')).toMatchObject({ state: 'ok', message: expect.stringContaining('not needed') });
  });
});

test('generated code: current, of another spec, missing', () => {
  expect(checkGenerated(project).state).toBe('ok');
  write('spec.yaml', 'openapi: 3.0.3\ninfo: {title: a, version: "1"}\npaths: {}\n');
  write('generated/operations.ts', "export const specDigest = 'another';\n");
  expect(checkGenerated({ ...project, root, spec: 'spec.yaml' })).toMatchObject({ state: 'problem', fix: 'npm run generate' });
  expect(checkGenerated({ ...project, root, generated: 'none' })).toMatchObject({ state: 'problem', fix: 'npm run generate' });
});

describe('the database', () => {
  const look = async (environment: NodeJS.ProcessEnv) => {
    const results = await runChecks(databaseChecks(project, environment));
    return Object.fromEntries(results.map(({ name, ...result }) => [name, result]));
  };

  test('that is as it should be', async () => {
    expect(await look({ DATABASE_URL: database.url })).toEqual({
      database: { state: 'ok', message: expect.stringMatching(/^127\.0\.0\.1:\d+\/\w+ answers: PostgreSQL \d+\.\d+$/) },
      pooler: { state: 'ok', message: 'none between here and the database' },
      migrations: { state: 'ok', message: expect.stringMatching(/^all \d+ have run$/) },
    });
  });

  test('without migrations, behind something else', async () => {
    const empty = await createDatabase({ schema: 'empty' });
    const proxy = await startTcpProxy(empty.url);
    try {
      expect(await look({ DATABASE_URL: proxy.url })).toMatchObject({
        pooler: { state: 'warning', fix: expect.stringContaining('DATABASE_DIRECT_URL') },
        migrations: { state: 'problem', message: expect.stringMatching(/^the database lacks migrations/), fix: 'run `npm run migrate`' },
      });
      expect(await look({ DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: empty.url })).toMatchObject({ pooler: { state: 'ok' } });
    } finally {
      await proxy.close();
      await empty.drop();
    }
  });

  test('that nobody serves, and a URL that is none', async () => {
    expect(await look({ DATABASE_URL: 'postgres://ada:secret@127.0.0.1:1/pets' })).toMatchObject({
      database: {
        state: 'problem',
        message: expect.stringContaining('127.0.0.1:1/pets cannot be used: nothing listens there'),
        fix: expect.stringContaining('start PostgreSQL'),
      },
      migrations: { state: 'ok' },
    });
    expect(await look({ DATABASE_URL: 'mysql://x' })).toEqual({
      database: { state: 'problem', message: 'the environment is not valid', fix: expect.stringMatching(/^DATABASE_URL must be a URL/) },
    });
  });

  test('embedded: it can be made, and is not; a file in its place', async () => {
    const DATA_DIR = join(root, 'data');
    expect(await look({ DATA_DIR })).toMatchObject({
      database: { state: 'ok', message: expect.stringMatching(/^embedded PostgreSQL \d+ in .* can be made by the first start$/) },
      migrations: { state: 'ok' },
    });
    expect(readdirSync(root)).toEqual([]);
    write('data', 'a file');
    expect(await look({ DATA_DIR })).toMatchObject({ database: { state: 'problem', fix: expect.stringContaining('DATA_DIR') } });
  });
});

test('each result is a line, and the next step is that of the first problem', async () => {
  const results = await runChecks([
    { name: 'a', run: () => ({ state: 'ok', message: 'fine' }) },
    { name: 'bcd', run: () => ({ state: 'warning', message: 'so so', fix: 'wait' }) },
    { name: 'e', run: () => Promise.reject(new Error('broken\n  fix it')) },
  ]);
  expect(formatResults(results, false)).toEqual(['ok       a    fine', 'warning  bcd  so so: wait', 'problem  e    broken: fix it']);
  expect([results, results.slice(0, 2), results.slice(0, 1)].map(nextStep)).toEqual(['next: fix it', 'next: wait', 'nothing to fix']);
});

test('the command looks at all of it', async () => {
  let output = '';
  for (const method of ['log', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((text: string) => void (output += `${text}\n`));
  const code = await runProgram(['doctor']);
  expect(output.split('\n').flatMap((line) => /^(?:ok|warning|problem) +(\w+)/.exec(line)?.[1] ?? [])).toEqual(
    expect.arrayContaining(['node', 'packages', 'port', 'database', 'migrations', 'generated', 'python', 'git', 'disk', 'memory']),
  );
  expect(code).toBe(/^problem/m.test(output) ? 1 : 0);
});
