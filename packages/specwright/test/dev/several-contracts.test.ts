/** The loop with two contracts: a save concerns those that it is part of, and each line says whose it is. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readProject } from '../../src/project-config.ts';
import { startSpecWorker } from '../../src/dev/checks/spec-worker.ts';
import { Loop, type LoopParts } from '../../src/dev/loop.ts';
import { createEditHistory } from '../../src/dev/walk/changed-operations.ts';
import { scaleTimeout } from 'specwright/testing';

const specOf = (title: string) => `openapi: 3.0.3
info: { title: ${title}, version: '1' }
paths: {}
components: { schemas: { Pet: { $ref: common.yaml } } }
`;

let root: string;
let loop: Loop;
let said: string[];
let ended: (() => void) | undefined;
/** Of the last check of types. */
let checking: AbortSignal | undefined;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'contracts-loop-')));
  for (const folder of ['spec', 'src/handlers/v1', 'src/handlers/v2']) mkdirSync(join(root, folder), { recursive: true });
  write('package.json', JSON.stringify({ name: 'test', specwright: { specs: { v1: {}, v2: {} } } }));
  write('spec/v1.yaml', specOf('One'));
  write('spec/v2.yaml', specOf('Two'));
  write('spec/common.yaml', 'type: string\n');
  said = [];
  const touch = () => undefined;
  const stop = (_: string, signal: AbortSignal) => {
    checking = signal;
    return Promise.reject(new Error('only the specs are of interest here'));
  };
  const project = readProject(root);
  loop = new Loop({
    project,
    contracts: project.contracts.map((contract) => ({ project: contract, spec: join(root, contract.spec), history: { touch } })),
    screen: {
      begin: () => undefined,
      end: () => ended?.(),
      section: (name: string, summary: string, lines: readonly string[] = []) => {
        if (name === 'spec') said.push([summary.replace(/ \(\d+ ms\)$/, ''), ...lines].join('\n').replaceAll(`${root}/`, ''));
      },
    },
    types: { touch, check: stop },
    database: { touch },
    server: { state: () => ({ summary: '' }), alive: () => false },
    onWritten: touch,
    onRead: touch,
  } as unknown as LoopParts);
});
afterEach(async () => {
  await loop.end();
  rmSync(root, { recursive: true });
});

const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const titleIn = (version: string) =>
  (JSON.parse(readFileSync(join(root, `generated/${version}/document.json`), 'utf8')) as { info: { title: string } }).info.title;

/** @returns what is said of the specs after a save of these files. */
async function save(files: Readonly<Record<string, string>>): Promise<string[]> {
  said = [];
  for (const [path, text] of Object.entries(files)) write(path, text);
  const end = new Promise<void>((resolve) => (ended = resolve));
  loop.save(new Set(Object.keys(files).map((path) => join(root, path))));
  await end;
  return said;
}

test('generates from what was saved, and names the contract', async () => {
  expect(await save({})).toEqual([
    expect.stringMatching(/^v1: ok; wrote generated\/v1\/openapi\.ts, /),
    expect.stringMatching(/^v2: ok; wrote generated\/v2\/openapi\.ts, /),
  ]);
  expect(await save({ 'spec/v2.yaml': specOf('Second') })).toEqual([
    expect.stringMatching(/^v2: ok; wrote .*generated\/v2\/document\.json/),
  ]);
  expect([titleIn('v1'), titleIn('v2')]).toEqual(['One', 'Second']);
  expect(await save({ 'src/handlers/v1/index.ts': '' })).toEqual([]);
});

test('generates both from what both refer to', async () => {
  await save({});
  expect(await save({ 'spec/common.yaml': 'type: integer\n' })).toEqual([
    expect.stringMatching(/^v1: ok; wrote /),
    expect.stringMatching(/^v2: ok; wrote /),
  ]);
  // A new file may be a part that was missed.
  expect(await save({ 'spec/other.yaml': 'type: string\n' })).toEqual(['v1: ok; generated/v1/ is up to date', 'v2: ok; generated/v2/ is up to date']); // prettier-ignore
});

test('a problem in one does not keep the other from being generated, and is told until it is fixed', async () => {
  await save({});
  expect(await save({ 'spec/v1.yaml': 'openapi 3.0.3\n', 'spec/v2.yaml': specOf('Second') })).toEqual([
    expect.stringMatching(/^v1: \d+ problems?, and nothing else is checked yet\nspec\/v1\.yaml:1:1 /),
    expect.stringMatching(/^v2: ok; wrote /),
  ]);
  expect(titleIn('v2')).toBe('Second');
  expect(await save({ 'spec/v2.yaml': specOf('Two') })).toEqual([
    expect.stringMatching(/^v1: \d+ problem/),
    expect.stringMatching(/^v2: ok/),
  ]);
  expect(await save({ 'spec/v1.yaml': specOf('First') })).toEqual([expect.stringMatching(/^v1: ok; wrote /)]);
});

test('a later save and the end abort the checks of the save before', async () => {
  for (const abort of [() => save({}), () => loop.end()]) {
    await save({});
    expect(checking?.aborted).toBe(false);
    const before = checking;
    await abort();
    expect(before?.aborted).toBe(true);
  }
});

test('an edit of a handler is not taken for the cause of a failure in the other contract', () => {
  const [v1, v2] = readProject(root).contracts.map((contract) => createEditHistory(contract, contract.spec));
  write('src/handlers/v2/pets.ts', 'export {};\n');
  for (const history of [v1, v2]) history?.touch([join(root, 'src/handlers/v2/pets.ts')]);
  expect(v1?.edited()).toEqual([]);
  expect(v2?.edited()).toMatchObject([{ location: 'src/handlers/v2/pets.ts:1:1' }]);
});

test(
  'the slow checks of one contract do not replace those of the other',
  async () => {
    const worker = startSpecWorker();
    try {
      const [first, second] = ['v1', 'v2'].map((version) => worker.check(join(root, `spec/${version}.yaml`), undefined));
      expect(await first?.compile).toEqual([]);
      expect(await second?.compile).toEqual([]);
      const again = worker.check(join(root, 'spec/v1.yaml'), undefined);
      expect(await again.compile).toEqual([]);
      // What was asked for before is still answered.
      expect(await second?.lint).toContainEqual(expect.stringContaining('spec/v2.yaml:'));
      expect(await again.lint).toContainEqual(expect.stringContaining('spec/v1.yaml:'));
    } finally {
      worker.close();
    }
  },
  scaleTimeout(60_000),
);
