/** Stubs in a project with two contracts: those of one are written to its files alone. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { contractOf, operationOf, withTwoContracts } from '../../support/projects/two-contracts.ts';

const project = withTwoContracts();

/** The files that a contract needs for stubs: one handler, with its row of tests. */
function writeHandlers(version: string): void {
  const handlers = `{\n  replacePet: async () => 'replacePet' satisfies Id<'replacePet'>,\n}`;
  project.write(
    `src/handlers/${version}/index.ts`,
    `import type { Handlers } from '../../../generated/${version}/contract.ts';\n\nexport const handlers: Handlers = ${handlers};\n`,
  );
  project.write(`test/contract/${version}/scenarios.ts`, "export const SCENARIOS: Scenarios = {\n  replacePet: call('replacePet'),\n};\n");
}
const sourcesOf = (version: string) =>
  ['generated/V/openapi.ts', 'src/handlers/V/index.ts', 'test/contract/V/scenarios.ts'].map((path) =>
    project.read(path.replace('V', version)),
  );

test(
  'add-operation adds stubs to the named contract, and renames what has another name in it alone',
  async () => {
    for (const version of ['v1', 'v2']) writeHandlers(version);
    await project.command('generate');
    const before = sourcesOf('v1');
    const changed = contractOf('Shop 2', { paths: operationOf('get', '/pets', 'listPets') }).replace('replacePet', 'putPet');
    project.write('spec/v2.yaml', changed);
    expect(await project.command('add-operation')).toMatchObject({
      code: 2,
      output: expect.stringContaining('name one with --contract, of v1, v2'),
    });
    expect(await project.command('add-operation', '--contract', 'v2')).toMatchObject({
      code: 0,
      output: expect.stringContaining('wrote generated/v2/openapi.ts\n'),
    });
    expect(sourcesOf('v1')).toEqual(before);
    const [, handlers, scenarios] = sourcesOf('v2');
    expect(handlers).toContain("putPet: async () => 'putPet' satisfies Id<'putPet'>,");
    expect(scenarios).toMatch(/putPet: call\('putPet'\),\n {2}listPets: /);
    expect(project.read('src/handlers/v2/pets.ts')).toMatch(
      /from "\.\.\/\.\.\/\.\.\/generated\/v2\/contract\.ts"[^]*listPets: async \(\) => notImplemented/,
    );
  },
  scaleTimeout(60_000),
);

test('add-operation says what a contract without handlers needs first', async () => {
  rmSync(join(project.folder, 'src/handlers/v2'), { recursive: true, force: true });
  expect(await project.command('add-operation', '--contract', 'v2', '--no-tests')).toMatchObject({
    code: 1,
    output: expect.stringContaining(
      'src/handlers/v2/index.ts does not compose the handlers: add `export const handlers: Handlers<Caller, Database> = ',
    ),
  });
});
