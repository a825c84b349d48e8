/** Each gate fails on a project with one problem, and reports its location. */
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { withProject } from '../support/projects/with-project.ts';

const project = withProject();

test(
  'a property added to the spec makes generated/ stale; it, and what the contract does not declare, are compile errors of the handlers',
  async () => {
    await project.edit(
      'spec/petstore.yaml',
      '      required: [petId, quantity, status]\n      properties:\n',
      '      required: [petId, quantity, status, shelf]\n      properties:\n        shelf:\n          type: string\n          maxLength: 9\n',
    );
    const drift = await project.command('generate', '--check');
    expect(drift).toMatchObject({
      code: 1,
      output: expect.stringMatching(/generated\/openapi\.ts differs from what spec\/petstore\.yaml gives[^]*shelf[^]*npm run generate/),
    });
    expect(await project.run('start')).toMatchObject({
      code: 1,
      output: expect.stringContaining('generated/ was made from another version of this file: run `npm run generate`'),
    });
    expect((await project.command('generate')).code).toBe(0);

    await project.edit(
      'src/handlers/pets.ts',
      'recordResponse(await replacePet(db, caller.accountId, path.petId, body, precondition(headers)))',
      "{ headers: { ETag: '1' }, body: { id: 1, name: body.name } }",
    );
    await project.edit('src/handlers/categories.ts', 'return reply(204);', 'return reply(202 as 202);');
    await project.edit(
      'src/handlers/orders.ts',
      'createdResponse(`/store/orders/${order.record.id}`, order)',
      "{ headers: { ETag: '1' }, body: order.record }",
    );
    await project.edit('src/handlers/inventory.ts', /getInventory: async[^]*?\n\n/, '');
    const { code, output } = await project.typecheck();
    expect(code).not.toBe(0);
    expect(output).toMatch(/src\/handlers\/inventory\.ts\(\d+,\d+\): error .*\n(?: .*\n)*? .*'shelf' is missing/);
    expect(output).toMatch(/src\/db\/inventory\.ts\(\d+,\d+\): error .*\n? .*'shelf' is missing/);
    expect(output).toMatch(/src\/handlers\/pets\.ts\(\d+,\d+\): error .*categoryId/);
    expect(output).toMatch(/src\/handlers\/categories\.ts\(\d+,\d+\): error/);
    expect(output).toMatch(/src\/handlers\/orders\.ts\(\d+,\d+\): error .*Location/);
    expect(output).toMatch(/src\/handlers\/index\.ts\(\d+,\d+\): error .*getInventory/);
  },
  scaleTimeout(120_000),
);

test(
  'generate and the server refuse a broken spec, with the line of every problem',
  async () => {
    await project.edit('spec/petstore.yaml', 'operationId: listPets', 'operationID: listPets');
    await project.edit('spec/petstore.yaml', 'x-stability: beta', 'x-stability: alpha');
    await project.edit('spec/petstore.yaml', "$ref: '#/components/schemas/Categories'", "$ref: '#/components/schemas/Category2'");
    for (const { code, output } of [await project.command('generate'), await project.run('start')]) {
      expect(code).toBe(1);
      expect(output).toMatch(/spec\/petstore\.yaml:\d+:\d+ Property `operationID` is not expected here/);
      expect(output).toMatch(/spec\/petstore\.yaml:\d+:\d+ Can't resolve \$ref/);
    }
  },
  scaleTimeout(120_000),
);

test(
  'the server refuses to start without a handler',
  async () => {
    await project.edit('src/handlers/index.ts', '...inventoryHandlers,', '...({} as typeof inventoryHandlers),');
    const { code, output } = await project.run('start');
    expect(code).toBe(1);
    for (const id of ['listInventory', 'getInventory', 'setInventory']) expect(output).toContain(`operation ${id} has no handler`);
  },
  scaleTimeout(120_000),
);

test(
  'an import across a boundary is reported with its rule',
  async () => {
    await project.edit('packages/server/src/pipeline/match/match.ts', /^/, "import '../../../../../src/db/pets.ts';\n");
    await project.edit('src/handlers/pets.ts', /^/, "import './orders.ts';\nimport 'express';\n");
    await project.edit('packages/server/src/command/arguments.ts', /^/, "import type { Command } from './command.ts';\n");
    await project.edit('packages/server/src/command/command.ts', /^/, "import type { plural } from './arguments.ts';\n");
    const { code, output } = await project.run('boundaries');
    expect(code).not.toBe(0);
    expect(output).toMatch(/error server-not-the-service: packages\/server\/src\/pipeline\/match\/match\.ts → src\/db\/pets\.ts/);
    expect(output).toMatch(/error nouns-apart: src\/handlers\/pets\.ts → src\/handlers\/orders\.ts/);
    expect(output).toMatch(/error express-in-server: src\/handlers\/pets\.ts → /);
    expect(output).toMatch(/error no-cycles: packages\/server\/src\/command\/(arguments|command)\.ts → /);
  },
  scaleTimeout(120_000),
);

test(
  'an export and a type that nobody imports are reported',
  async () => {
    await project.edit(
      'packages/server/src/command/arguments.ts',
      /^/,
      'export const neverImported = 1;\nexport type NeverImported = 1;\n',
    );
    await project.edit('src/db/pets.ts', /^/, 'export const neverRead = 1;\n');
    const { code, output } = await project.npx('knip', '--config', '.config/knip.json', '--no-config-hints');
    expect(code).not.toBe(0);
    expect(output).toMatch(/neverImported +packages\/server\/src\/command\/arguments\.ts:1:14/);
    expect(output).toMatch(/NeverImported +type +packages\/server\/src\/command\/arguments\.ts:2:13/);
    expect(output).toMatch(/neverRead +src\/db\/pets\.ts:1:14/);
  },
  scaleTimeout(120_000),
);

test(
  'a migration that changes the schema makes the dump stale',
  async () => {
    await project.edit(
      'src/db/migrations/0001_pet_store.ts',
      'complete boolean NOT NULL DEFAULT false',
      'complete boolean NOT NULL DEFAULT true',
    );
    const { code, output } = await project.command('schema', '--check');
    expect(code).toBe(1);
    expect(output).toMatch(/generated\/schema\.sql:\d+ differs from what the migrations make/);
  },
  scaleTimeout(120_000),
);

test(
  'a column that differs from the contract is reported with both locations',
  async () => {
    await project.edit(
      'src/db/migrations/0001_pet_store.ts',
      'name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100),\n      status',
      'name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 50),\n      status',
    );
    const { code, output } = await project.command('check-schema');
    expect(code).toBe(1);
    expect(output).toMatch(
      /spec\/petstore\.yaml:\d+:\d+ maxLength of NewPet\.name is 100, and pets\.name at generated\/schema\.sql:\d+ \(src\/db\/migrations\/0001_pet_store\.ts:25\) has 50: .*new migration/,
    );
    expect(output).toMatch(/2 differences between spec\/petstore\.yaml and the database/);
  },
  scaleTimeout(120_000),
);

test(
  'a problem of the spec lint has location, reason and fix',
  async () => {
    await project.edit('spec/petstore.yaml', 'default: available', 'default: lost');
    const { code, output } = await project.command('lint');
    expect(code).toBe(1);
    expect(output).toMatch(
      /spec\/petstore\.yaml:\d+:\d+ {2}the default must be equal to one of the allowed values: available, pending, sold \(valid-default\)\n +reason: .+\n +fix: +Change the default/,
    );
  },
  scaleTimeout(120_000),
);
