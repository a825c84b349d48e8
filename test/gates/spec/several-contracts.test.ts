/** The commands in a project with two contracts: each does its work for both, or for the one that is named. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createDatabase, scaleTimeout } from '@specwright/testing';
import { contractOf, operationOf, withTwoContracts } from '../../support/projects/two-contracts.ts';

const project = withTwoContracts();
beforeEach(() => {
  project.write('spec/v1.yaml', contractOf('Shop 1'));
  project.write('spec/v2.yaml', contractOf('Shop 2'));
});

const exists = (path: string) => existsSync(join(project.folder, path));
const BROKEN = 'openapi: 3.0.3\ninfo: { title: Shop }\npaths: {}\n';
const UNKNOWN = "  /pets:\n    get:\n      operationId: listPets\n      responses: { '200': { $ref: '#/components/responses/None' } }\n";

test(
  'generate writes the folder of each, and with --check compares each',
  async () => {
    rmSync(join(project.folder, 'generated'), { recursive: true, force: true });
    const first = await project.command('generate');
    expect(first).toMatchObject({ code: 0, output: expect.stringContaining('wrote generated/v1/openapi.ts\n') });
    expect(first.output).toContain('wrote generated/v2/openapi.ts\n');
    expect(await project.command('generate', '--check')).toEqual({
      code: 0,
      output: 'generated/v1/ is what spec/v1.yaml gives\ngenerated/v2/ is what spec/v2.yaml gives\n',
    });

    project.write('spec/v1.yaml', contractOf('Shop 1', { maxLength: 40 }));
    const { code, output } = await project.command('generate', '--check');
    expect(code).toBe(1);
    expect(output).toContain('generated/v1/document.json differs from what spec/v1.yaml gives');
    expect(output).toContain('generated/v2/ is what spec/v2.yaml gives\n1 contract of 2 failed: v1\n');
    expect(await project.command('generate', '--check', '--contract', 'v2')).toMatchObject({ code: 0 });
    expect((await project.command('generate')).output).not.toContain('generated/v2');
  },
  scaleTimeout(60_000),
);

test(
  'generate goes on with the next when one has problems, and fails',
  async () => {
    project.write('spec/v1.yaml', BROKEN);
    project.write('spec/v2.yaml', contractOf('Shop 2', { maxLength: 30 }));
    const { code, output } = await project.command('generate');
    expect(code).toBe(1);
    expect(output).toMatch(/spec\/v1\.yaml:2:\d+ [^]*wrote generated\/v2\/document\.json[^]*1 contract of 2 failed: v1\n$/);
  },
  scaleTimeout(60_000),
);

test(
  'client is written for each; a package is of the one that is named, and of its name',
  async () => {
    expect((await project.command('client')).output).toMatch(/wrote generated\/v1\/client\.ts\n[^]*wrote generated\/v2\/client\.ts\n/);
    const unnamed = await project.command('client', '--output', 'client');
    expect(unnamed).toMatchObject({ code: 2, output: expect.stringContaining('name one with --contract, of v1, v2\nusage: specwright') });
    expect(exists('client')).toBe(false);
    await project.command('client', '--output', 'client', '--contract', 'v2');
    expect(JSON.parse(project.read('client/package.json'))).toMatchObject({ name: 'shop-v2-client', description: 'A client of Shop 2' });
    for (const version of ['v1', 'v2']) rmSync(join(project.folder, `generated/${version}/client.ts`));
  },
  scaleTimeout(60_000),
);

test(
  'lint reports each, and the baseline counts what both break where it is switched off for both',
  async () => {
    const { code, output } = await project.command('lint');
    expect(code).toBe(1);
    expect(output).toMatch(/^spec\/v1\.yaml:\d+:\d+ [^]*\d+ problems in spec\/v1\.yaml: [^]*^spec\/v2\.yaml:\d+:\d+ /m);
    expect(output).toContain('2 contracts of 2 failed: v1, v2\n');
    const { output: both } = await project.command('lint', '--json');
    // The errors are on standard error.
    const listed = JSON.parse(both.slice(both.indexOf('[\n'), both.lastIndexOf('\n]') + 2)) as { file: string }[];
    expect([...new Set(listed.map(({ file }) => file))]).toEqual(['spec/v1.yaml', 'spec/v2.yaml']);

    project.write('.config/v2/redocly.yaml', project.read('.config/redocly.yaml'));
    const baseline = await project.command('lint-baseline');
    expect(baseline).toMatchObject({ code: 0, output: expect.stringMatching(/^\.config\/v2\/redocly\.yaml: switched off \d+ rules?$/m) });
    // Once, though both break it.
    expect(project.read('.config/spectral.ts').match(/'openapi-tags': 'off', \/\/ 2 problems/g)).toHaveLength(1);
    expect(project.read('.config/redocly.yaml')).toMatch(/^ {2}info-license: off # 1 problem on /m);
    expect(project.read('.config/v2/redocly.yaml')).toMatch(/^ {2}info-license: off # 1 problem on /m);
  },
  scaleTimeout(120_000),
);

test(
  'check-breaking compares each with its base, with a record for each',
  async () => {
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'init.defaultBranch=main'];
    const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: project.folder, stdio: 'pipe' });
    git('init', '-q');
    git('add', 'spec');
    git('commit', '-qm', 'the contracts');
    project.write('spec/v1.yaml', contractOf('Shop 1', { maxLength: 40 }));
    const { code, output } = await project.command('check-breaking');
    expect(code).toBe(1);
    expect(output).toContain('if intended, add to spec/breaking-changes.v1.yaml');
    expect(output).toContain('record those that are intended in spec/breaking-changes.v1.yaml\n');
    expect(output).toContain('spec/v2.yaml: no breaking changes against main');
    expect(output).toMatch(/1 contract of 2 failed: v1\n$/);
    expect(await project.command('check-breaking', '--contract', 'v2')).toMatchObject({ code: 0 });

    const record = { rule: 'schema-constraint-changed', at: '#/components/schemas/Pet/properties/name/maxLength' };
    const change = "Pet: `maxLength` of `name` changed from '50' to '40'.";
    project.write('spec/breaking-changes.v1.yaml', JSON.stringify([{ ...record, change, reason: 'Names are labels.' }]));
    const recorded = await project.command('check-breaking');
    expect(recorded).toMatchObject({ code: 0, output: expect.stringContaining('recorded: Names are labels.') });
    const { output: json } = await project.command('check-breaking', '--json');
    expect(JSON.parse(json)).toMatchObject([{ ...record, working: { file: 'spec/v1.yaml' }, recorded: 'Names are labels.' }]);

    // A file is the base of one.
    expect(await project.command('check-breaking', '--base', 'spec/v1.yaml')).toMatchObject({ code: 2 });
    const other = await project.command('check-breaking', '--base', 'spec/v1.yaml', '--contract', 'v2');
    expect(other).toEqual({ code: 0, output: 'spec/v2.yaml: no breaking changes against spec/v1.yaml\n' });
  },
  scaleTimeout(120_000),
);

test.each([
  ['generate', '--contract', 'v3'],
  ['lint', '--contract', 'v3'],
  ['check-breaking', '--contract', 'v3'],
  ['check-schema', '--contract', 'v3'],
  ['fuzz', '--contract', 'v3'],
  ['add-operation', '--contract', 'v3'],
  ['add-migration', '--contract', 'v3'],
  ['add-resource', 'toys', '--contract', 'v3'],
])('%s refuses a contract that there is not', async (...args) => {
  expect(await project.command(...args)).toMatchObject({
    code: 2,
    output: expect.stringContaining('--contract v3: there is no such contract: specwright.specs has v1, v2'),
  });
});

test.each([['add-migration'], ['add-resource', 'toys', 'name:string'], ['fuzz']])('%s works on one, which has to be named', async (...args) => {
  expect(await project.command(...args)).toMatchObject({ code: 2, output: expect.stringContaining('name one with --contract, of v1, v2') });
});

test('a missing spec is named with its key', async () => {
  rmSync(join(project.folder, 'spec/v2.yaml'));
  const { code, output } = await project.command('generate', '--check');
  expect(code).toBe(1);
  expect(output).toContain('specwright/specs/v2/spec: there is no file spec/v2.yaml\nCreate the file, or correct its path.\n');
});

test(
  'check-schema compares the database with each, by the map of each',
  async () => {
    const database = await createDatabase();
    const { db, url } = database;
    try {
      await db.raw('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
      await db.raw('CREATE TABLE pets (id bigint PRIMARY KEY, name text NOT NULL CHECK (char_length(name) <= 50))');
      const mapOf = (id: string) =>
        `tables: { pets: { read: [Pet], columns: { name: name } } }\nnot in the contract: { columns: { id: ${id} } }\n`;
      project.write('.config/schema-map.yaml', mapOf('It is in the path.'));
      project.write('src/db/migrations/index.ts', 'export const schema = { migrations: [] };\n');
      project.write('generated/schema.sql', 'CREATE TABLE public.pets (\n    id bigint NOT NULL,\n    name text NOT NULL\n);\n');
      expect(await project.command('check-schema', '--database', url)).toEqual({
        code: 0,
        output: 'spec/v1.yaml and the database agree: 1 table\nspec/v2.yaml and the database agree: 1 table\n',
      });
      project.write('spec/v2.yaml', contractOf('Shop 2', { maxLength: 40 }));
      project.write('.config/v2/schema-map.yaml', mapOf('It is of v2.'));
      const { code, output } = await project.command('check-schema', '--database', url);
      expect(code).toBe(1);
      expect(output).toMatch(/spec\/v1\.yaml and the database agree: 1 table\n[^]*maxLength of Pet\.name is 40, and pets\.name .* has 50/);
      expect(output).toContain('1 difference between spec/v2.yaml and the database');
      expect(output).toContain('or give the reason in .config/v2/schema-map.yaml\n1 contract of 2 failed: v2\n');
    } finally {
      await database.drop();
    }
  },
  scaleTimeout(60_000),
);

/** The files that a contract needs for stubs: one handler, with its row of tests. */
function writeHandlers(version: string): void {
  const handlers = `{\n  replacePet: async () => 'replacePet' satisfies Id<'replacePet'>,\n}`;
  project.write(
    `src/handlers/${version}/index.ts`,
    `import type { Handlers } from '../../../generated/${version}/contract.ts';\n\nexport const createHandlers = (db: Database): Handlers => (${handlers});\n`,
  );
  project.write(`test/contract/${version}/scenarios.ts`, "export const SCENARIOS: Scenarios = {\n  replacePet: call('replacePet'),\n};\n");
}
const sourcesOf = (version: string) =>
  ['generated/V/openapi.ts', 'src/handlers/V/index.ts', 'test/contract/V/scenarios.ts'].map((path) => project.read(path.replace('V', version)));

test(
  'add-operation adds stubs to the named contract, and renames what has another name in it alone',
  async () => {
    for (const version of ['v1', 'v2']) writeHandlers(version);
    await project.command('generate');
    const before = sourcesOf('v1');
    const changed = contractOf('Shop 2', { paths: operationOf('get', '/pets', 'listPets') }).replace('replacePet', 'putPet');
    project.write('spec/v2.yaml', changed);
    expect(await project.command('add-operation')).toMatchObject({ code: 2, output: expect.stringContaining('name one with --contract, of v1, v2') });
    expect(await project.command('add-operation', '--contract', 'v2')).toMatchObject({
      code: 0,
      output: expect.stringContaining('wrote generated/v2/openapi.ts\n'),
    });
    expect(sourcesOf('v1')).toEqual(before);
    const [, handlers, scenarios] = sourcesOf('v2');
    expect(handlers).toContain("putPet: async () => 'putPet' satisfies Id<'putPet'>,");
    expect(scenarios).toMatch(/putPet: call\('putPet'\),\n {2}listPets: /);
    expect(project.read('src/handlers/v2/pets.ts')).toMatch(/from "\.\.\/\.\.\/\.\.\/generated\/v2\/contract\.ts"[^]*listPets: async \(\) => notImplemented/);
  },
  scaleTimeout(60_000),
);

test('add-operation says what a contract without handlers needs first', async () => {
  rmSync(join(project.folder, 'src/handlers/v2'), { recursive: true, force: true });
  expect(await project.command('add-operation', '--contract', 'v2', '--no-tests')).toMatchObject({
    code: 1,
    output: expect.stringContaining('src/handlers/v2/index.ts does not compose the handlers: add createHandlers(db: Database): Handlers'),
  });
});

test('doctor looks at the generated files of each', async () => {
  await project.command('generate');
  project.write('spec/v2.yaml', contractOf('Shop 2', { maxLength: 20 }));
  const { output } = await project.command('doctor');
  expect(output).toMatch(/^ok +generated v1 +generated\/v1\/ is what spec\/v1\.yaml gives$/m);
  expect(output).toMatch(/^fault +generated v2 +generated\/v2\/ was made from another version of spec\/v2\.yaml: npm run generate$/m);
});

const between = (...args: string[]) => project.command('check-breaking', '--between', 'v1', 'v2', ...args);

test(
  'between two contracts that take and answer the same a client has nothing to change',
  async () => {
    expect(await between()).toEqual({ code: 0, output: 'a client of v1 can use v2 without a change\n' });
  },
  scaleTimeout(60_000),
);

test(
  'what a contract only adds is listed, and nothing has to change',
  async () => {
    project.write('spec/v2.yaml', contractOf('Shop 2', { paths: operationOf('post', '/owners', 'createOwner') }));
    expect(await between()).toEqual({
      code: 0,
      output: 'only in v2\n  spec/v2.yaml:11:5  POST /owners\n\na client of v1 can use v2 without a change; 1 operation only in v2\n',
    });
  },
  scaleTimeout(60_000),
);

test(
  'what a client has to change is listed by operation, with what is gone and what is new; it is a report, and does not fail',
  async () => {
    const common = operationOf('get', '/stock', 'getStock');
    project.write('spec/v1.yaml', contractOf('Shop 1', { paths: common + operationOf('delete', '/carts/{id}', 'deleteCart').replace('/carts/{id}', '/carts') })); // prettier-ignore
    const renamed = contractOf('Shop 2', { maxLength: 40, paths: common.replace('getStock', 'readStock') + operationOf('post', '/owners', 'createOwner') }); // prettier-ignore
    project.write('spec/v2.yaml', renamed.replaceAll('petId', 'id'));
    const { code, output } = await between();
    expect(code).toBe(0);
    expect(output).toMatch(
      /^PUT \/pets\/\{petId\}\n {2}spec\/v2\.yaml:\d+:\d+ {2}Pet: `maxLength` of `name` changed from '50' to '40'\. \(schema-constraint-changed\)\n {6}before: {2}spec\/v1\.yaml:\d+:\d+\n {6}impact: {2}requests that were valid are refused with 400\n/m,
    );
    expect(output).toMatch(/^GET \/stock\n.*\(operation-id-changed\)\n/m);
    expect(output).toMatch(/^only in v1\n {2}spec\/v1\.yaml:\d+:5 {2}DELETE \/carts\n\nonly in v2\n {2}spec\/v2\.yaml:\d+:5 {2}POST \/owners\n/m);
    expect(output).toMatch(/a client of v1 has to change to use v2: 2 breaking changes, 1 operation only in v1; 1 operation only in v2\n$/);
    expect(output).not.toContain('removed');

    const json = JSON.parse((await between('--json')).output) as object;
    expect(json).toMatchObject({
      from: { name: 'v1', spec: 'spec/v1.yaml' },
      to: { name: 'v2', spec: 'spec/v2.yaml' },
      changes: expect.arrayContaining([
        expect.objectContaining({ rule: 'schema-constraint-changed', operations: ['PUT /pets/{petId}'] }),
        expect.objectContaining({ rule: 'operation-id-changed', operations: ['GET /stock'] }),
      ]),
      removed: [{ operation: 'DELETE /carts', id: 'deleteCart', location: { file: 'spec/v1.yaml' } }],
      added: [{ operation: 'POST /owners', id: 'createOwner', location: { file: 'spec/v2.yaml' } }],
    });
    const files = await project.command('check-breaking', '--between', 'spec/v1.yaml', 'spec/v1.yaml');
    expect(files).toEqual({ code: 0, output: 'a client of spec/v1.yaml can use spec/v1.yaml without a change\n' });
  },
  scaleTimeout(60_000),
);

test.each([
  [['--between', 'v1'], '--between compares two: --between v1 v2'],
  [['--between', 'v1', 'v2', 'v3'], '--between compares two'],
  [['--between', 'v1', 'v3'], '--between v3: there is no such contract, and no such file; specwright.specs has v1, v2'],
  [['--between', 'v1', 'v2', '--prune'], '--between compares without a base and a record: remove --prune'],
  [['v2'], 'unexpected argument v2'],
])('check-breaking %j is refused with 2', async (args, message) => {
  expect(await project.command('check-breaking', ...args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
});

test('between fails if one of the two has problems', async () => {
  project.write('spec/v2.yaml', contractOf('Shop 2', { paths: UNKNOWN }));
  const { code, output } = await between();
  expect(code).toBe(1);
  expect(output).toContain('spec/v2.yaml:13:20 ');
});
