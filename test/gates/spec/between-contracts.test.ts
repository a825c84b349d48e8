/** Breaking changes of two contracts, each with its record, and what a client of one has to change to use the other. */
import { execFileSync } from 'node:child_process';
import { beforeEach, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { contractOf, operationOf, withTwoContracts } from '../../support/projects/two-contracts.ts';

const project = withTwoContracts();
beforeEach(() => {
  project.write('spec/v1.yaml', contractOf('Shop 1'));
  project.write('spec/v2.yaml', contractOf('Shop 2'));
});

const UNKNOWN = "  /pets:\n    get:\n      operationId: listPets\n      responses: { '200': { $ref: '#/components/responses/None' } }\n";

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
    const change = 'Pet, property `name`: `maxLength` lowered from `50` to `40`.';
    const { output: open } = await project.command('check-breaking', '--contract', 'v1', '--json');
    const [{ operations }] = JSON.parse(open.slice(open.indexOf('['), open.lastIndexOf(']') + 1)) as [{ operations: string[] }];
    project.write('spec/breaking-changes.v1.yaml', JSON.stringify([{ ...record, change, operations, reason: 'Names are labels.' }]));
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
      /^PUT \/pets\/\{id\}\n {2}spec\/v2\.yaml:\d+:\d+ {2}Pet, property `name`: `maxLength` lowered from `50` to `40`\. \(schema-constraint-changed\)\n {6}before: {2}spec\/v1\.yaml:\d+:\d+\n {6}impact: {2}requests that were valid are refused with 400\n/m,
    );
    expect(output).toMatch(/^GET \/stock\n.*\(operation-id-changed\)\n/m);
    expect(output).toMatch(
      /^only in v1\n {2}spec\/v1\.yaml:\d+:5 {2}DELETE \/carts\n\nonly in v2\n {2}spec\/v2\.yaml:\d+:5 {2}POST \/owners\n/m,
    );
    expect(output).toMatch(/a client of v1 has to change to use v2: 2 breaking changes, 1 operation only in v1; 1 operation only in v2\n$/);
    expect(output).not.toContain('removed');

    const json = JSON.parse((await between('--json')).output) as object;
    expect(json).toMatchObject({
      from: { name: 'v1', spec: 'spec/v1.yaml' },
      to: { name: 'v2', spec: 'spec/v2.yaml' },
      changes: expect.arrayContaining([
        expect.objectContaining({ rule: 'schema-constraint-changed', operations: ['PUT /pets/{id}'] }),
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
