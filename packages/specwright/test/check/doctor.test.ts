/** `specwright doctor`: what is amiss is found, with one thing to do about it, and nothing is changed. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { createDatabase, withDatabase } from 'specwright/testing';
import { startTcpProxy } from '../../../../test/support/tools/tcp-proxy.ts';
import { checkDatabase, checkDisk, checkInstalled, checkMemory, formatResult, runCheck } from '../../src/doctor/checks.ts';
import { runProgram } from '../../src/program.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const database = withDatabase();
const project = readProjectConfig(process.cwd());
const root = withFolder();
afterEach(() => {
  jest.restoreAllMocks();
});
const write = (path: string, content: object | string) => {
  root.write(path, typeof content === 'string' ? content : JSON.stringify(content));
};

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
    expect(checkInstalled(root.path)).toEqual({ state: 'ok', message: '3 packages, as in package-lock.json' });
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
    expect(checkInstalled(root.path)).toMatchObject(expected);
  });

  test('none', () => {
    write('package-lock.json', {});
    expect(checkInstalled(root.path)).toMatchObject({ state: 'problem', fix: 'npm ci' });
  });
});

describe('the machine', () => {
  test('disk and memory', async () => {
    expect((await checkDisk(join(root.path, 'not/there'))).message).toContain(`MiB free in ${root.path}`);
    const MIB = 1024 * 1024;
    for (const [size, disk, memory] of [
      [99, 'problem', 'problem'],
      [100, 'warning', 'problem'],
      [256, 'warning', 'warning'],
      [1023, 'warning', 'warning'],
      [1024, 'ok', 'ok'],
    ] as const) {
      expect(await checkDisk(root.path, size * MIB)).toMatchObject({ state: disk });
      expect(checkMemory(size * MIB)).toMatchObject({ state: memory });
    }
    expect(checkMemory(256 * MIB - 1)).toMatchObject({ state: 'problem' });
  });
});

describe('the database', () => {
  const look = async (environment: NodeJS.ProcessEnv) => {
    const results = await checkDatabase(project, environment);
    return Object.fromEntries(results.map(({ name, ...result }) => [name, result]));
  };

  test('that is as it should be', async () => {
    expect(await look({ DATABASE_URL: database.url })).toEqual({
      database: { state: 'ok', message: expect.stringMatching(/^127\.0\.0\.1:\d+\/\w+ answers: PostgreSQL \d+\.\d+$/) },
      pooler: { state: 'ok', message: 'none between here and the database' },
      migrations: { state: 'ok', message: 'all have run' },
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
    });
    expect(await look({ DATABASE_URL: 'mysql://x' })).toEqual({
      database: { state: 'problem', message: 'the environment is not valid', fix: expect.stringMatching(/^DATABASE_URL must be a URL/) },
    });
  });

  test('embedded: it can be made, and is not; a file in its place', async () => {
    const DATA_DIR = join(root.path, 'data');
    expect(await look({ DATA_DIR })).toMatchObject({
      database: { state: 'ok', message: expect.stringMatching(/^embedded PostgreSQL \d+ in .* can be made by the first start$/) },
    });
    expect(readdirSync(root.path)).toEqual([]);
    write('data', 'a file');
    expect(await look({ DATA_DIR })).toMatchObject({ database: { state: 'problem', fix: expect.stringContaining('DATA_DIR') } });
  });
});

test('each result is a line; what a check throws is a problem', async () => {
  const results = [
    await runCheck('a', () => ({ state: 'ok', message: 'fine' })),
    await runCheck('bcd', () => ({ state: 'warning', message: 'so so', fix: 'wait' })),
    await runCheck('e', () => Promise.reject(new Error('broken:\n  fix it'))),
  ];
  expect(results.map(formatResult)).toEqual([
    'ok       a           fine',
    'warning  bcd         so so: wait',
    'problem  e           broken: fix it',
  ]);
});

test('the command looks at all of it', async () => {
  let output = '';
  for (const method of ['log', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((text: string) => void (output += `${text}\n`));
  const code = await runProgram(['doctor']);
  expect(output.split('\n').flatMap((line) => /^(?:ok|warning|problem) +(\w+)/.exec(line)?.[1] ?? [])).toEqual(
    expect.arrayContaining(['packages', 'database', 'disk', 'memory']),
  );
  expect(code).toBe(/^problem/m.test(output) ? 1 : 0);
});
