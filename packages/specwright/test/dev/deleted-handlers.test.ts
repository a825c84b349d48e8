/** A handler file that was deleted is offered from git, if git has it and it had the missing operation. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { findDeletedHandlers, formatRestore } from '../../src/dev/report/report-handlers.ts';
import { reportHandlers, type HandlerParts } from '../../src/dev/report/report-handlers.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'deleted-'));
  mkdirSync(join(root, 'src/handlers'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"name":"test"}');
  for (const name of ['pets', 'toys'])
    writeFileSync(join(root, `src/handlers/${name}.ts`), `export const ${name} = { ${name}List: () => 1 } satisfies Partial<Handlers>;\n`);
});
afterEach(() => rmSync(root, { recursive: true }));

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });
const find = (...operations: string[]) => findDeletedHandlers({ root, handlers: 'src/handlers' }, operations);

test('the file that has the missing operation, and no other one', () => {
  git('init');
  git('add', '.');
  for (const name of ['pets', 'toys']) rmSync(join(root, `src/handlers/${name}.ts`));
  expect(find('petsList', 'petsLis')).toEqual(['src/handlers/pets.ts']);
  expect(find('petsLis')).toEqual([]);
});

test('none that git does not have, and none without git', () => {
  rmSync(join(root, 'src/handlers/pets.ts'));
  expect(find('petsList')).toEqual([]);
  git('init');
  git('add', '.');
  expect(find('petsList')).toEqual([]);
});

/** @returns the sections that are reported. */
async function report(): Promise<unknown[][]> {
  const sections: unknown[][] = [];
  const spec = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths: { /pets: { get: { operationId: petsList, responses: {} } }, /toys: { get: { operationId: toysList, responses: {} } } }
`;
  const parts = {
    project: readProjectConfig(root),
    spec: 'spec.yaml',
    stubs: true,
    screen: { section: (...args: unknown[]) => void sections.push(args) },
    types: { touch: () => undefined },
    onWritten: () => undefined,
  };
  await reportHandlers(parts as unknown as HandlerParts, parseSource('spec.yaml', spec), new Map());
  return sections;
}

test('it is the next step, before stubs', async () => {
  git('init');
  git('add', '.');
  rmSync(join(root, 'src/handlers/pets.ts'));
  expect(await report()).toEqual([
    [
      'handlers',
      '1 missing',
      ['spec.yaml:3:19 petsList (GET /pets) has no handler'],
      '`git checkout -- src/handlers/pets.ts` restores the deleted file',
    ],
  ]);
});

test('without git a stub is written for what is missing, and reported', async () => {
  rmSync(join(root, 'src/handlers/pets.ts'));
  mkdirSync(join(root, 'test/contract'), { recursive: true });
  writeFileSync(join(root, 'test/contract/scenarios.ts'), 'export const SCENARIOS: Scenarios = {};\n');
  writeFileSync(join(root, 'src/handlers/index.ts'), 'export const handlers: Handlers = { ...toys };\n');
  expect(await report()).toEqual([
    ['handlers', '1 stub written', expect.arrayContaining([expect.stringContaining('petsList')]), undefined],
  ]);
});

test('a path is quoted for a shell', () => {
  expect(formatRestore(['a b.ts', 'c.ts'])).toBe("`git checkout -- 'a b.ts' c.ts` restores the deleted files");
  expect(formatRestore([])).toBeUndefined();
});
