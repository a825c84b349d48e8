/** A handler file that was deleted is offered from git, if git has it and it had the missing operation. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { findDeletedHandlers, formatRestore } from '../../src/dev/report/report-handlers.ts';
import { reportHandlers, type HandlerParts } from '../../src/dev/report/report-handlers.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();
beforeEach(() => {
  mkdirSync(join(root.path, 'src/handlers'), { recursive: true });
  root.write('package.json', '{"name":"test"}');
  for (const name of ['pets', 'toys'])
    root.write(`src/handlers/${name}.ts`, `export const ${name} = { ${name}List: () => 1 } satisfies Partial<Handlers>;\n`);
});

const git = (...args: string[]) => execFileSync('git', args, { cwd: root.path, stdio: 'ignore' });
const find = (...operations: string[]) => findDeletedHandlers({ root: root.path, handlers: 'src/handlers' }, operations);

test('the file that has the missing operation, and no other one', () => {
  git('init');
  git('add', '.');
  for (const name of ['pets', 'toys']) rmSync(join(root.path, `src/handlers/${name}.ts`));
  expect(find('petsList', 'petsLis')).toEqual(['src/handlers/pets.ts']);
  expect(find('petsLis')).toEqual([]);
});

test('none that git does not have, and none without git', () => {
  rmSync(join(root.path, 'src/handlers/pets.ts'));
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
    project: readProjectConfig(root.path),
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
  rmSync(join(root.path, 'src/handlers/pets.ts'));
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
  rmSync(join(root.path, 'src/handlers/pets.ts'));
  root.write('test/contract/scenarios.ts', 'export const SCENARIOS: Scenarios = {};\n');
  root.write('src/handlers/index.ts', 'export const handlers: Handlers = { ...toys };\n');
  expect(await report()).toEqual([
    ['handlers', '1 stub written', expect.arrayContaining([expect.stringContaining('petsList')]), undefined],
  ]);
});

test('a path is quoted for a shell', () => {
  expect(formatRestore(['a b.ts', 'c.ts'])).toBe("`git checkout -- 'a b.ts' c.ts` restores the deleted files");
  expect(formatRestore([])).toBeUndefined();
});
