/** From the spec to tests that pass, with no other file written by hand than the handler and the calls that try it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { check, resolveConfig } from 'prettier';
import { addToSpec, PHOTOS } from '../../support/projects/new-operation.ts';
import { scaleTimeout } from 'specwright/testing';
import { withProject } from '../../support/projects/with-project.ts';

const project = withProject();

const TOYS = { id: 'toys/add', path: '/toys', tag: 'Messages' };
const CHANGED = ['src/handlers/messages.ts', 'src/handlers/pets.ts', 'test/contract/scenarios.ts'];

test(
  'two operations become stubs and tests that hold against every gate, and the tests fail until they are written',
  async () => {
    await addToSpec(project, PHOTOS, TOYS);
    const added = await project.command('add-operation');
    expect(added).toMatchObject({ code: 0 });
    expect(added.output).toMatch(
      /^src\/handlers\/pets\.ts:\d+:3 addPetPhoto \(POST \/pets\/\{petId\}\/photos\) answers 501: implement it there$/m,
    );
    // Its tag is that of the messages.
    expect(added.output).toMatch(/^src\/handlers\/messages\.ts:\d+:5 toys\/add \(POST \/toys\) answers 501: implement it there$/m);
    expect(added.output).toMatch(/^test\/contract\/scenarios\.ts:\d+:3 the test of addPetPhoto fails until its calls are written there$/m);
    expect(await project.npx('eslint', '-c', '.config/eslint.js', ...CHANGED)).toEqual({ code: 0, output: expect.any(String) });
    expect(await project.run('boundaries')).toEqual({ code: 0, output: expect.any(String) });
    expect(await project.command('generate', '--check')).toMatchObject({ code: 0 });
    expect(await project.typecheck()).toMatchObject({ code: 0 });
    for (const file of CHANGED) {
      const options = await resolveConfig(file);
      expect([file, await check(await readFile(join(project.folder, file), 'utf8'), { ...options, filepath: file })]).toEqual([file, true]);
    }
    const { output: lint } = await project.command('lint');
    expect(lint.match(/\(([\w-]+)\)$/gm)).toEqual(['(operation-id-identifier)']);
    // There is nothing left to add.
    expect((await project.command('add-operation')).output).toBe(
      'every operation of the spec has a handler, and every handler an operation\n',
    );

    const walk = ['test/contract/walk.test.ts', '-t', 'addPetPhoto'];
    const unwritten = await project.run('test', ...walk);
    expect(unwritten.code).not.toBe(0);
    expect(unwritten.output).toContain('test/contract/scenarios.ts has no scenario that makes addPetPhoto answer 201');

    await project.edit(
      'src/handlers/pets.ts',
      "addPetPhoto: async () => notImplemented('addPetPhoto'),",
      `addPetPhoto: async ({ path, body }, reply, { db, caller }) => {
    const { record } = await getPet(db, caller.accountId, path.petId);
    return reply(201, { body: { id: record.id, ...body } });
  },`,
    );
    await project.edit(
      'test/contract/scenarios.ts',
      "unwritten('addPetPhoto', 201)",
      'async (world) => [{ path: { petId: await world.pet() } }]',
    );
    expect(await project.run('test', ...walk)).toMatchObject({ code: 0 });
  },
  scaleTimeout(240_000),
);

test(
  'an operation that is taken out is reported with its handler and its tests, and nothing is deleted',
  async () => {
    const files = ['src/handlers/accounts.ts', 'test/contract/scenarios.ts'];
    const before = await Promise.all(files.map((file) => readFile(join(project.folder, file), 'utf8')));
    await project.edit('spec/petstore.yaml', /\n {2}\/account:\n[^]*?(?=\n {2}\/)/, '');
    const { code, output } = await project.command('add-operation');
    expect(code).toBe(0);
    expect(output).toMatch(/^src\/handlers\/accounts\.ts:\d+:3 the spec has no operation getAccount: this handler is obsolete/m);
    expect(output).toMatch(/^test\/contract\/scenarios\.ts:\d+:3 the spec has no operation getAccount: this test is obsolete; /m);
    expect(output).toMatch(/^test\/contract\/walk\.test\.ts:\d+:\d+ |^test\/contract\/defects\.ts:\d+:\d+ /m);
    expect(await Promise.all(files.map((file) => readFile(join(project.folder, file), 'utf8')))).toEqual(before);
  },
  scaleTimeout(120_000),
);

test(
  'a spec that cannot be served gets no stubs',
  async () => {
    await addToSpec(project, PHOTOS);
    await project.edit('spec/petstore.yaml', 'operationId: addPetPhoto', 'operationID: addPetPhoto');
    const { code, output } = await project.command('add-operation');
    expect([code, output]).toEqual([1, expect.stringMatching(/spec\/petstore\.yaml:\d+:\d+ /)]);
    expect(await readFile(join(project.folder, 'src/handlers/pets.ts'), 'utf8')).not.toContain('notImplemented');
  },
  scaleTimeout(120_000),
);
