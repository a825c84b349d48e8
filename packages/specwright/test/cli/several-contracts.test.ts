/** The contracts of a project: which there are, where their files are, and which of them a command works on. */
import { join } from 'node:path';
import { afterEach, expect, jest, test } from '@jest/globals';
import { UsageError } from '@specwright/server/command';
import { configFile, isOfAnother, readProject } from '../../src/project-config.ts';
import { forEachContract, readProjectConfig, selectContract, selectContracts } from '../../src/select-contracts.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const root = withFolder();
afterEach(() => {
  jest.restoreAllMocks();
});

const write = (path: string, text = '') => {
  root.write(path, text);
};
const configure = (specwright: object) => {
  write('package.json', JSON.stringify({ name: 'shop', specwright }));
  return readProject(root.path);
};
const TWO = { specs: { v1: { spec: 'spec/first.yaml', handlers: 'src/first' }, v2: {} } };
const withFiles = () => {
  for (const file of ['spec/first.yaml', 'spec/v2.yaml']) write(file);
  return configure(TWO);
};
const namesOf = (contracts: ReturnType<typeof selectContracts>) => contracts.map(({ contractName }) => contractName);

test('a project without specs has one contract, without a name, where it always was', () => {
  const { contracts, databaseFolder } = configure({ spec: 'spec/shop.yaml', generated: 'made' });
  expect(contracts).toMatchObject([
    {
      contractName: undefined,
      spec: 'spec/shop.yaml',
      generated: 'made',
      handlers: 'src/handlers',
      contractTests: 'test/contract',
      records: 'spec/breaking-changes.yaml',
    },
  ]);
  expect(databaseFolder).toBe('made');
  expect(readProjectConfig(root.path)).toEqual(contracts[0]);
});

test('each of several contracts has a file and folders of its name, unless they are given', () => {
  expect(configure({ ...TWO, handlers: 'lib' }).contracts).toMatchObject([
    {
      contractName: 'v1',
      spec: 'spec/first.yaml',
      generated: 'generated/v1',
      handlers: 'src/first',
      contractTests: 'test/contract/v1',
      records: 'spec/breaking-changes.v1.yaml',
    },
    { contractName: 'v2', spec: 'spec/v2.yaml', handlers: 'lib/v2', records: 'spec/breaking-changes.v2.yaml' },
  ]);
  expect(configure(TWO).databaseFolder).toBe('generated');
});

test.each<[string, object, RegExp]>([
  ['an unknown key', { v1: { sepc: 'a.yaml' } }, /specwright\/specs\/v1: .*"sepc"/],
  ['a value of another type', { v1: 'spec/v1.yaml' }, /specwright\/specs\/v1: .*expected object/],
  [
    'a name that is no name of a folder',
    { 'v1/a': {} },
    /specwright\/specs\/v1\/a: the name must be lower-case letters, digits and hyphens/,
  ],
  ['no spec', {}, /specwright\/specs: must name a spec: \{ "v1"/],
  ['one spec twice', { v1: {}, v2: { spec: './spec/v1.yaml' } }, /specs\/v2\/spec: \.\/spec\/v1\.yaml is that of v1: give each its file/],
  [
    'one folder of generated files twice',
    { v1: { generated: 'generated' }, v2: { generated: 'generated/' } },
    /specs\/v2\/generated: generated\/ is that of v1: give each its folder/,
  ],
  ['tests of two in one folder', { v1: { contractTests: 'test' }, v2: { contractTests: 'test' } }, /specs\/v2\/contractTests: /],
])('refuses %s, and says where', (_case, specs, message) => {
  expect(() => configure({ specs })).toThrow(message);
  expect(() => configure({ specs })).toThrow(/package\.json: the field "specwright" is not valid/);
});

test('a file is of the contract that has the innermost folder around it', () => {
  const specs = { v1: { generated: 'generated', handlers: 'src/handlers', contractTests: 'test/contract' }, v2: {}, v21: {} };
  const [v1, v2] = configure({ specs }).contracts;
  const others = (file: string) => [v1, v2].map((contract) => contract && isOfAnother(contract, join(root.path, file)));
  expect(others('src/handlers/pets.ts')).toEqual([false, true]);
  expect(others('src/handlers/v2/pets.ts')).toEqual([true, false]);
  expect(others('src/handlers/v21/pets.ts')).toEqual([true, true]);
  expect(others('test/contract/v2/walk.test.ts')).toEqual([true, false]);
  expect(others('src/main.ts')).toEqual([false, false]);
});

test('refuses spec beside specs, which would not be read', () => {
  expect(() => configure({ spec: 'spec/shop.yaml', ...TWO })).toThrow('specwright/spec: is not read beside specwright/specs: move it');
});

test('selects all contracts, or the named one', () => {
  const project = withFiles();
  expect(namesOf(selectContracts(project))).toEqual(['v1', 'v2']);
  expect(namesOf(selectContracts(project, { contract: 'v2' }))).toEqual(['v2']);
  expect(selectContract(project, { contract: 'v2' }).contractName).toBe('v2');
  expect(readProjectConfig(root.path, 'v2').contractName).toBe('v2');
});

test('a document in place of a spec takes the place of the named contract, or of the one whose spec it is', () => {
  const project = withFiles();
  expect(selectContracts(project, { spec: 'other.yaml', contract: 'v1' })).toMatchObject([{ contractName: 'v1', spec: 'other.yaml' }]);
  const spec = join(root.path, 'spec/v2.yaml');
  expect(selectContracts(project, { spec })).toMatchObject([{ contractName: 'v2', spec }]);
  expect(() => selectContracts(project, { spec: 'other.yaml' })).toThrow('name one with --contract, of v1, v2');
});

test('a command that works on one contract wants its name where there are several', () => {
  const project = withFiles();
  expect(() => selectContract(project)).toThrow('the project has several contracts: name one with --contract, of v1, v2');
  expect(() => readProjectConfig(root.path)).toThrow(UsageError);
  expect(selectContract(configure({ specs: { v2: {} } })).contractName).toBe('v2');
});

test('an unknown name is refused with the names that there are', () => {
  const project = withFiles();
  expect(() => selectContracts(project, { contract: 'v3' })).toThrow(
    '--contract v3: there is no such contract: specwright.specs has v1, v2',
  );
  expect(() => selectContract(configure({}), { contract: 'v1' })).toThrow(
    '--contract v1: the project has one contract, without a name: remove the option',
  );
});

test('a missing file is named with its key', () => {
  write('spec/v2.yaml');
  expect(() => selectContracts(configure(TWO))).toThrow('  specwright/specs/v1/spec: there is no file spec/first.yaml\n');
  expect(namesOf(selectContracts(configure(TWO), { contract: 'v2' }))).toEqual(['v2']);
});

test('goes on with the next contract when one fails, and fails in the end', async () => {
  const printed = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  const seen: (string | undefined)[] = [];
  const run = forEachContract(withFiles().contracts, async ({ contractName }) => {
    seen.push(contractName);
    if (contractName === 'v1') throw new Error('spec/first.yaml:1:1 is not OpenAPI');
  });
  await expect(run).rejects.toThrow('1 contract of 2 failed: v1');
  expect(seen).toEqual(['v1', 'v2']);
  expect(printed).toHaveBeenCalledWith(expect.stringContaining('spec/first.yaml:1:1 is not OpenAPI'));
});

test('of one contract the error is its own', async () => {
  const run = forEachContract(configure({}).contracts, () => Promise.reject(new Error('no')));
  await expect(run).rejects.toThrow(/^no$/);
});

test('a contract has the settings of the project, and those in a folder of its name before them', () => {
  const [v1, v2] = withFiles().contracts;
  for (const file of ['.config/v2/schema-map.yaml', '.config/schema-map.yaml', '.config/redocly.yaml']) write(file);
  expect(v1 && configFile(v1, 'schema-map.yaml')).toBe(join(root.path, '.config/schema-map.yaml'));
  expect(v2 && configFile(v2, 'schema-map.yaml')).toBe(join(root.path, '.config/v2/schema-map.yaml'));
  expect(v2 && configFile(v2, 'redocly.yaml')).toBe(join(root.path, '.config/redocly.yaml'));
  expect(() => v2 && configFile(v2, 'spectral.ts')).toThrow(
    '.config/spectral.ts is missing: every project that `specwright new` makes has one',
  );
});
