/** The development loop, as a person goes through it: what is on the screen leads from a line in the spec to a handler. */
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { DONE, startDev, type DevLoop } from '../../support/projects/dev.ts';
import { addToSpec, PHOTOS } from '../../support/projects/new-operation.ts';
import { withProject } from '../../support/projects/with-project.ts';

const SPEC = 'spec/petstore.yaml';
const MINUTES = scaleTimeout(240_000);

const project = withProject();

async function start(
  ...args: string[]
): Promise<{ dev: DevLoop; url: string; call: (path: string, init?: RequestInit) => Promise<Response> }> {
  const dev = startDev(project, args, { LOG_LEVEL: 'silent' });
  const first = await dev.after(async () => undefined, DONE);
  expect(first).toMatch(/^spec +ok[^]*^types +ok[^]*^tests +ok[^]*^lint +ok[^]*^server +http/m);
  // PORT is 0: each server has another.
  const url = () => [...dev.output().matchAll(/listens on (http\S+)/g)].at(-1)?.[1]?.replace('localhost', '127.0.0.1') ?? '';
  const key = (await readFile(join(project.folder, '.data/demo-key'), 'utf8')).trim();
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return { dev, url: url(), call: (path, init = {}) => fetch(url() + path, { headers, ...init }) };
}

test(
  'a new operation: the screen names what is missing, add-operation writes it, it answers 501, then what its handler says; a broken spec is named with its line, nothing else is checked, and the last good server runs until it is fixed',
  async () => {
    const { dev, call } = await start();
    const missing = await dev.after(() => addToSpec(project, PHOTOS), DONE);
    expect(missing).toMatch(/^spec +ok; wrote generated\/openapi\.ts, generated\/operations\.ts/m);
    expect(missing).toMatch(
      /^handlers +1 missing.*`npx specwright add-operation`.*\n  spec\/petstore\.yaml:\d+:5 addPetPhoto \(POST \/pets\/\{petId\}\/photos\) has no handler$/m,
    );
    expect(missing).toMatch(/^types +\d+ error.*\n  src\/handlers\/index\.ts:\d+:\d+ .*addPetPhoto/m);
    expect(missing).toMatch(/^tests +\d+ errors?.*\n  test\/contract\/scenarios\.ts:\d+:\d+ .*addPetPhoto/m);
    expect(missing).toMatch(/^server +http:\S+ serves what was saved at .*, until the spec, the handlers and the types are good$/m);
    // The last good one goes on.
    expect((await call('/pets')).status).toBe(200);

    const stubbed = await dev.after(
      async () => expect((await project.specwright('add-operation')).code).toBe(0),
      /^lint[^]*^walk[^]*^next /m,
    );
    expect(stubbed).toMatch(/^types +ok[^]*^tests +ok[^]*^lint +ok/m);
    // Its row of tests is still to be written.
    expect(stubbed).toMatch(/^walk +\d+ of \d+ failed .*; fix (test\/contract\/scenarios\.ts:\d+:\d+)\n {2}\1 addPetPhoto answers 201/m);
    const post = { method: 'POST', body: JSON.stringify({ name: 'Rex in the snow' }) };
    const refused = await call('/pets/1/photos', post);
    expect(refused.status).toBe(501);
    expect(await refused.json()).toMatchObject({ code: 'not_implemented', status: 501 });
    expect((await call('/pets/0/photos', post)).status).toBe(400);

    const written = await dev.after(
      () =>
        project.edit(
          'src/handlers/pets.ts',
          "addPetPhoto: async () => notImplemented('addPetPhoto'),",
          'addPetPhoto: async ({ path, body }, reply) => reply(201, { body: { id: path.petId, name: body.name } }),',
        ),
      /^lint[^]*^server [^]*^next .*\n/m,
    );
    expect(written).toMatch(/^types +ok/m);
    const answer = await call('/pets/1/photos', post);
    expect([answer.status, await answer.json()]).toEqual([201, { id: 1, name: 'Rex in the snow' }]);

    const good = await readFile(join(project.folder, SPEC));
    const broken = await dev.after(() => project.edit(SPEC, '      summary: List categories', '       summary: List categories'), DONE);
    expect(broken).toMatch(/^spec +\d+ problems?, and nothing else is checked yet; fix .*\n  spec\/petstore\.yaml:\d+:\d+ /m);
    expect(broken).not.toMatch(/^(types|lint)/m);
    expect(broken).toMatch(/^server +http:\S+ serves what was saved at .*, until the spec, the handlers and the types are good$/m);
    expect((await call('/pets')).status).toBe(200);

    // As many editors save: a new file in the place of the old one.
    const beside = join(project.folder, '.petstore.yaml.new');
    const property = String(good).replace(
      '      required: [petId, quantity, status]\n',
      '      required: [petId, quantity, status, shelf]\n',
    );
    const shelf = property.replace(
      /(status, shelf\]\n {6}properties:\n)/,
      '$1        shelf:\n          type: string\n          maxLength: 9\n',
    );
    await writeFile(beside, shelf);
    const fixed = await dev.after(() => rename(beside, join(project.folder, SPEC)), DONE);
    expect(fixed).toMatch(/^spec +ok; wrote generated[^]*^types +\d+ errors?.*\n  src\/handlers\/inventory\.ts:\d+:\d+ .*\n[^]*shelf/m);
    expect((await call('/pets')).status).toBe(200);

    const restored = await dev.after(() => writeFile(join(project.folder, SPEC), good), DONE);
    expect(restored).toMatch(/^types +ok[^]*^server +http:\S+ serves what was saved at \S+$/m);
    expect((await call('/pets')).status).toBe(200);
    expect(await dev.interrupt()).toBe(0);
  },
  MINUTES,
);

test(
  'a server that cannot start is shown, and the next save starts another; the handler of a renamed operation moves, that of a removed one is named without what follows',
  async () => {
    const { dev, call } = await start('--stubs');
    const crashed = await dev.after(() => project.edit('src/handlers/pets.ts', /$/, "throw new Error('not today');\n"), DONE);
    expect(crashed).toMatch(/not today[^]*^server +none runs: the one of \S+ ended with 1: Error: not today; /m);
    await dev.after(() => project.edit('src/handlers/pets.ts', "throw new Error('not today');\n", ''), /^lint[^]*^server +http/m);
    expect((await call('/pets')).status).toBe(200);

    await dev.after(() => addToSpec(project, PHOTOS), /^handlers +1 stub written[^]*^server +http/m);
    expect((await call('/pets/1/photos', { method: 'POST', body: '{"name":"Rex"}' })).status).toBe(501);

    const renamed = await dev.after(
      () => project.edit(SPEC, /operationId: addPetPhoto/, 'operationId: createPetPhoto'),
      /^handlers +1 renamed[^]*^walk[^]*^next /m,
    );
    expect(renamed).toMatch(/src\/handlers\/pets\.ts:\d+:3 renamed addPetPhoto to createPetPhoto\n/);
    expect(renamed).toMatch(/test\/contract\/scenarios\.ts:\d+:3 renamed addPetPhoto to createPetPhoto\n/);
    const answer = await call('/pets/1/photos', { method: 'POST', body: '{"name":"Rex"}' });
    expect([answer.status, await answer.json()]).toEqual([
      501,
      expect.objectContaining({ message: 'createPetPhoto is not implemented yet' }),
    ]);

    const removed = await dev.after(() => project.edit(SPEC, /\n {2}\/account:\n[^]*?(?=\n {2}\/)/, ''), DONE);
    expect(removed).toMatch(/^handlers +1 without an operation; fix (src\/handlers\/accounts\.ts:\d+:3)\n[^]*^next +fix \1\n/m);
    expect(removed).not.toMatch(/implicitly has an 'any' type/);
    // PostgreSQL is stopped however impatient one is.
    expect(await dev.interrupt(2)).toBe(0);
    expect(existsSync(join(project.folder, '.data/postgres/postmaster.pid'))).toBe(false);
  },
  MINUTES,
);
