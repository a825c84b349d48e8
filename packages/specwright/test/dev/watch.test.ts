/**
 * The development loop notices each save: after changes of branches, beside folders that cannot be read, and at the limit of the system.
 *
 * @jest-environment node
 */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

/** How many folders the system watches before it refuses. */
let limit = Infinity;
jest.unstable_mockModule('node:fs', () => ({
  ...fs,
  watch: (...args: Parameters<typeof fs.watch>) => {
    if (limit-- <= 0) throw Object.assign(new Error('System limit for number of file watchers reached'), { code: 'ENOSPC' });
    return fs.watch(...args);
  },
}));
const { watch } = await import('../../src/dev/watch.ts');

let root: string;
let watcher: ReturnType<typeof watch> | undefined;
let saved: Set<string>;
let problems: string[];

beforeEach(() => {
  limit = Infinity;
  root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'watch-')));
  saved = new Set();
  problems = [];
  checkOut('one');
});
afterEach(() => {
  watcher?.close();
  fs.rmSync(root, { recursive: true });
});

const FILES = ['src/main.ts', 'src/handlers/pets.ts', 'src/handlers/deep/cats.ts'];

function checkOut(text: string): void {
  for (const file of FILES) {
    fs.mkdirSync(join(root, file, '..'), { recursive: true });
    fs.writeFileSync(join(root, file), text);
  }
}

function start(...paths: string[]): void {
  watcher = watch({
    root,
    paths: paths.map((path) => join(root, path)),
    onSave: (files) => files.forEach((file) => saved.add(file.slice(root.length + 1))),
    onProblem: (problem, fix) => problems.push(`${problem}; ${fix}`),
  });
}

/** Resolves when the files have been reported; the time of the test is the bound. */
async function untilSaved(...files: string[]): Promise<void> {
  while (!files.every((file) => saved.has(file))) await sleep(5);
  saved.clear();
}

async function expectHeard(...files: string[]): Promise<void> {
  for (const file of files) {
    fs.writeFileSync(join(root, file), randomUUID());
    await untilSaved(file);
  }
}

test.each([0, 2, 20, 100])('hears saves in a folder that was away for %s ms, and in those below it', async (ms) => {
  start('src');
  for (let i = 0; i < 4; i++) {
    fs.rmSync(join(root, 'src'), { recursive: true });
    if (ms > 0) await sleep(ms);
    checkOut(`again ${i}`);
    await untilSaved(...FILES);
    await expectHeard(...FILES);
  }
});

test('hears saves in a folder that was renamed and came back, and in another one of its name', async () => {
  start('src');
  fs.renameSync(join(root, 'src/handlers'), join(root, 'away'));
  await untilSaved('src/handlers/pets.ts', 'src/handlers/deep/cats.ts');
  checkOut('another');
  await expectHeard(...FILES);
  fs.rmSync(join(root, 'src/handlers'), { recursive: true });
  fs.renameSync(join(root, 'away'), join(root, 'src/handlers'));
  await expectHeard(...FILES);
});

test('hears saves in a project that was moved away and came back', async () => {
  start('src');
  fs.renameSync(root, `${root}-away`);
  await untilSaved(...FILES);
  await sleep(50);
  fs.renameSync(`${root}-away`, root);
  await untilSaved(...FILES);
  await expectHeard(...FILES);
});

test('hears saves in what did not exist at the start: a folder, a file, and a file of another folder', async () => {
  start('test', 'config/map.yaml');
  fs.mkdirSync(join(root, 'test/contract'), { recursive: true });
  fs.mkdirSync(join(root, 'config'));
  await expectHeard('test/contract/scenarios.ts', 'config/map.yaml');
  watcher?.add([join(root, 'common/pet.yaml')]);
  fs.mkdirSync(join(root, 'common'));
  await expectHeard('common/pet.yaml');
});

test('reports only files that were named or are below a folder that was, no packages, no temporary files, and not what was written by the loop', async () => {
  fs.mkdirSync(join(root, 'src/node_modules/a'), { recursive: true });
  fs.symlinkSync(root, join(root, 'src/loop'));
  start('src', 'package.json');
  for (const file of ['other.json', 'src/node_modules/a/index.ts', 'src/.pets.ts.tmp', 'src/pets.ts~'])
    fs.writeFileSync(join(root, file), '1');
  fs.writeFileSync(join(root, 'src/main.ts'), 'written');
  watcher?.ignoreWritten([join(root, 'src/main.ts')]);
  fs.writeFileSync(join(root, 'package.json'), '{}');
  while (!saved.has('package.json')) await sleep(5);
  await sleep(100);
  expect([...saved].filter((file) => !file.startsWith('src/loop/'))).toEqual(['package.json']);
});

test('names a folder that cannot be read, once, and hears the others', async () => {
  const user = process.geteuid?.();
  fs.mkdirSync(join(root, 'src/private'));
  fs.chmodSync(join(root, 'src/private'), 0);
  // An administrator may read everything.
  if (user === 0) {
    fs.chmodSync(root, 0o755);
    process.seteuid?.(65534);
  }
  try {
    start('src');
    process.seteuid?.(user ?? 0);
    await sleep(50);
  } finally {
    process.seteuid?.(user ?? 0);
  }
  expect(problems).toEqual([
    'src/private cannot be read (EACCES): saves in it are not noticed; let this user read src/private, or move it',
  ]);
  fs.chmodSync(join(root, 'src/private'), 0o755);
  await expectHeard('src/main.ts', 'src/private/a.ts');
});

test('reads the folders at intervals where the system watches no more of them, and says so once', async () => {
  limit = 2;
  start('src', 'test');
  expect(problems).toEqual([
    expect.stringMatching(/^the system watches no more folders \(ENOSPC\), so saves are noticed within 1 s; raise/),
  ]);
  await expectHeard(...FILES);
  expect(problems).toHaveLength(1);
});
