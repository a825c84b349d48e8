/** The commands in a project with two contracts: each does its work for both, or for the one that is named. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { createDatabase, scaleTimeout } from 'specwright/testing';
import { contractOf, withTwoContracts } from '../../support/projects/two-contracts.ts';

const project = withTwoContracts();
beforeEach(() => {
  project.write('spec/v1.yaml', contractOf('Shop 1'));
  project.write('spec/v2.yaml', contractOf('Shop 2'));
});

const exists = (path: string) => existsSync(join(project.folder, path));
const BROKEN = 'openapi: 3.0.3\ninfo: { title: Shop }\npaths: {}\n';

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
    const unnamed = await project.command('client', '--out', 'client');
    expect(unnamed).toMatchObject({ code: 2, output: expect.stringContaining('name one with --contract, of v1, v2\nusage: specwright') });
    expect(exists('client')).toBe(false);
    await project.command('client', '--out', 'client', '--contract', 'v2');
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
    const baseline = await project.command('lint', '--baseline');
    expect(baseline).toMatchObject({ code: 0, output: expect.stringMatching(/^\.config\/v2\/redocly\.yaml: switched off \d+ rules?$/m) });
    // Once, though both break it.
    expect(project.read('.config/spectral.ts').match(/'openapi-tags': 'off', \/\/ 2 problems/g)).toHaveLength(1);
    expect(project.read('.config/redocly.yaml')).toMatch(/^ {2}info-license: off # 1 problem on /m);
    expect(project.read('.config/v2/redocly.yaml')).toMatch(/^ {2}info-license: off # 1 problem on /m);
  },
  scaleTimeout(120_000),
);

test.each([
  ['generate', '--contract', 'v3'],
  ['lint', '--contract', 'v3'],
  ['check-breaking', '--contract', 'v3'],
  ['check-schema', '--contract', 'v3'],
  ['add-operation', '--contract', 'v3'],
  ['add-migration', '--contract', 'v3'],
  ['add-resource', 'toys', '--contract', 'v3'],
])('%s refuses a contract that there is not', async (...args) => {
  expect(await project.command(...args)).toMatchObject({
    code: 2,
    output: expect.stringContaining('--contract v3: there is no such contract: specwright.specs has v1, v2'),
  });
});

test.each([['add-migration'], ['add-resource', 'toys', 'name:string']])('%s works on one, which has to be named', async (...args) => {
  expect(await project.command(...args)).toMatchObject({
    code: 2,
    output: expect.stringContaining('name one with --contract, of v1, v2'),
  });
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
