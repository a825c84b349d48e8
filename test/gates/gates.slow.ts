/** A gate that cannot fail is a defect: each is shown a project with one problem, and has to name the place. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyProject, type Project } from '../support/project.ts';

let project: Project;
beforeEach(async () => {
  project = await copyProject();
});
afterEach(async () => {
  await project.remove();
});

test('what the typed line forbids is a compile error at the line of the handler', async () => {
  await project.edit('src/handlers/pets.ts', 'body: pet.record });', 'body: { id: 1, name: pet.record.name } });');
  await project.edit('src/handlers/categories.ts', 'return reply(204);', 'return reply(202 as 202);');
  await project.edit(
    'src/handlers/orders.ts',
    'headers: { Location: `/store/orders/${order.record.id}`, ETag: etag(order) }',
    'headers: { ETag: etag(order) }',
  );
  await project.edit('src/handlers/inventory.ts', /getInventory: async[^]*?\},\n\n/, '');
  const { code, output } = await project.run('typecheck');
  expect(code).not.toBe(0);
  expect(output).toMatch(/src\/handlers\/pets\.ts\(\d+,\d+\): error .*categoryId/);
  expect(output).toMatch(/src\/handlers\/categories\.ts\(\d+,\d+\): error/);
  expect(output).toMatch(/src\/handlers\/orders\.ts\(\d+,\d+\): error .*Location/);
  expect(output).toMatch(/src\/handlers\/index\.ts\(\d+,\d+\): error .*getInventory/);
}, 60_000);

test('a property added to the spec is drift, then a compile error where it has to be given', async () => {
  await project.edit(
    'spec/petstore.yaml',
    '      required: [petId, quantity, status]\n      properties:\n',
    '      required: [petId, quantity, status, shelf]\n      properties:\n        shelf:\n          type: string\n          maxLength: 9\n',
  );
  const drift = await project.run('generate', '--check');
  expect(drift).toMatchObject({
    code: 1,
    output: expect.stringMatching(/generated\/openapi\.ts differs from what spec\/petstore\.yaml gives[^]*shelf[^]*npm run generate/),
  });
  expect(await project.run('start')).toMatchObject({
    code: 1,
    output: expect.stringContaining('generated/ was made from another version of this file: run `npm run generate`'),
  });

  expect((await project.run('generate')).code).toBe(0);
  const { code, output } = await project.run('typecheck');
  expect(code).not.toBe(0);
  expect(output).toMatch(/src\/handlers\/inventory\.ts\(\d+,\d+\): error .*shelf/);
}, 60_000);

test('a broken spec is not generated from, does not boot, and every problem has its line', async () => {
  await project.edit('spec/petstore.yaml', 'operationId: listPets', 'operationID: listPets');
  await project.edit('spec/petstore.yaml', 'x-stability: beta', 'x-stability: alpha');
  await project.edit('spec/petstore.yaml', "$ref: '#/components/schemas/Categories'", "$ref: '#/components/schemas/Category2'");
  for (const script of ['generate', 'start']) {
    const { code, output } = await project.run(script);
    expect(code).toBe(1);
    expect(output).toMatch(/spec\/petstore\.yaml:\d+:\d+ Property `operationID` is not expected here/);
    expect(output).toMatch(/spec\/petstore\.yaml:\d+:\d+ Can't resolve \$ref/);
  }
}, 30_000);

test('a handler that is missing at run time keeps the server from starting', async () => {
  await project.edit('src/handlers/index.ts', '...inventoryHandlers(db),', '...({} as ReturnType<typeof inventoryHandlers>),');
  const { code, output } = await project.run('start');
  expect(code).toBe(1);
  for (const id of ['listInventory', 'getInventory', 'setInventory']) expect(output).toContain(`operation ${id} has no handler`);
}, 30_000);

test('an import across a boundary is named with its rule', async () => {
  await project.edit('packages/server/src/pipeline/match.ts', /^/, "import '../db/pets.ts';\n");
  await project.edit('src/handlers/pets.ts', /^/, "import './orders.ts';\nimport 'express';\n");
  const { code, output } = await project.run('boundaries');
  expect(code).not.toBe(0);
  expect(output).toMatch(/error http: src\/http\/match\.ts → src\/db\/pets\.ts/);
  expect(output).toMatch(/error nouns-apart: src\/handlers\/pets\.ts → src\/handlers\/orders\.ts/);
  expect(output).toMatch(/error express-at-the-edge: src\/handlers\/pets\.ts → /);
}, 30_000);

test('a migration that changes the schema is seen in the dump', async () => {
  await project.edit(
    'src/db/migrations/0001_pet_store.ts',
    'complete boolean NOT NULL DEFAULT false',
    'complete boolean NOT NULL DEFAULT true',
  );
  const { code, output } = await project.run('schema', '--check');
  expect(code).toBe(1);
  expect(output).toMatch(/src\/db\/schema\.sql:\d+ differs from what the migrations make/);
}, 30_000);

test('a column that no longer holds what the contract says is named with both places', async () => {
  await project.edit(
    'src/db/migrations/0001_pet_store.ts',
    'name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),\n      status',
    'name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),\n      status',
  );
  const { code, output } = await project.run('check-schema');
  expect(code).toBe(1);
  expect(output).toMatch(
    /spec\/petstore\.yaml:\d+:\d+ maxLength of Pet\.name is 100, and pets\.name at src\/db\/schema\.sql:\d+ \(src\/db\/migrations\/0001_pet_store\.ts:46\) has 50: .*new migration/,
  );
  expect(output).toMatch(/3 differences between spec\/petstore\.yaml and the database/);
}, 60_000);

test('a problem of the spec lint has location, reason and fix', async () => {
  await project.edit('spec/petstore.yaml', 'default: available', 'default: lost');
  const { code, output } = await project.run('lint:spec');
  expect(code).toBe(1);
  expect(output).toMatch(
    /spec\/petstore\.yaml:\d+:\d+ {2}the default must be equal to one of the allowed values: available, pending, sold \(valid-default\)\n +reason: .+\n +fix: +Change the default/,
  );
}, 30_000);

test('a promise that nobody waits for is a lint error', async () => {
  await project.edit('src/handlers/pets.ts', 'await deletePet', 'deletePet');
  const { code, output } = await project.run('lint:code', 'src/handlers/pets.ts');
  expect(code).not.toBe(0);
  expect(output).toMatch(/handlers\/pets\.ts[^]*no-floating-promises/);
}, 60_000);
