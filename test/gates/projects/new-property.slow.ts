/** A property more, as a new user adds it: the loop and the compiler lead to its column and its store, and it comes back over HTTP. */
import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { DONE, startDev } from '../../support/projects/dev.ts';
import { withProject } from '../../support/projects/with-project.ts';

const SPEC = 'spec/petstore.yaml';
const MIGRATIONS = 'src/db/migrations';
/** The number that follows those of the service. */
const NUMBERS = readdirSync(MIGRATIONS).flatMap((name) => /^\d{4}/.exec(name)?.[0] ?? []);
const ADDED = `${String(Number(NUMBERS.sort().at(-1)) + 1).padStart(4, '0')}_pets_nickname`;

const project = withProject();

/** Adds `nickname`, which is optional, to the pets of the spec: in one save. */
async function addNickname(): Promise<void> {
  const path = join(project.folder, SPEC);
  const text = await readFile(path, 'utf8');
  const property = (more: string) =>
    `        nickname:\n          description: What it is called at home.\n          type: string\n${more}          minLength: 1\n          maxLength: 40\n          pattern: ^\\S+$\n          example: Bello\n`;
  const changed = Object.entries({ NewPet: '', PetPatch: '          nullable: true\n', Pet: '' }).reduce(
    (before, [schema, more]) =>
      before.replace(new RegExp(`^    ${schema}:\\n[^]*?^      properties:\\n`, 'm'), (all) => all + property(more)),
    text,
  );
  expect(changed.match(/^ {8}nickname:/gm)).toHaveLength(3);
  await writeFile(path, changed);
}

test(
  'the loop offers the migration, the compiler names the store, and the value comes back; an edited migration and an unregistered one are told',
  async () => {
    const dev = startDev(project, [], { LOG_LEVEL: 'silent' });
    const first = await dev.after(async () => undefined, DONE);
    expect(first).toMatch(/^spec +ok[^]*^database +ok$[^]*^types +ok/m);
    const call = async (path: string, init: RequestInit = {}) => {
      const url = [...dev.output().matchAll(/listens on http:\/\/localhost(\S+)/g)].at(-1)?.[1] ?? '';
      const key = (await readFile(join(project.folder, '.data/demo-key'), 'utf8')).trim();
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const response = await fetch(`http://127.0.0.1${url}${path}`, { headers, ...init });
      return { status: response.status, body: await response.json() };
    };

    const added = await dev.after(addNickname, DONE);
    expect(added).toMatch(/^database +does not hold what the contract has; run `npx specwright add-migration`/m);
    expect(added).toMatch(/^ {2}spec\/petstore\.yaml:\d+:9 property NewPet\.nickname is not in .*, no column holds it/m);
    expect(added.indexOf('\ndatabase ')).toBeLessThan(added.indexOf('\ntypes '));
    expect(added).toMatch(/^types +\d+ errors?[^]*^ {2}src\/db\/pets\.ts:\d+:\d+ [^]*'nickname' is missing/m);
    expect(added).toMatch(/^next +run `npx specwright add-migration`/m);

    const migrated = await dev.after(
      async () => expect(await project.specwright('add-migration')).toMatchObject({ code: 0, output: expect.stringContaining('wrote ') }),
      /^database +ok[^]*^types[^]*^next .*\n/m,
    );
    expect(migrated).toMatch(/^next +fix src\/db\/pets\.ts:\d+:\d+$/m);
    expect(await readFile(join(project.folder, MIGRATIONS, `${ADDED}.ts`), 'utf8')).toContain(
      'ADD COLUMN nickname text CHECK (char_length(nickname) BETWEEN 1 AND 40)',
    );

    await dev.after(
      () => project.edit('src/db/pets.ts', "const WRITABLE = { name: 'name',", "const WRITABLE = { name: 'name', nickname: 'nickname',"),
      /^types +ok[^]*^server +http[^]*^next .*\n/m,
    );
    const created = await call('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1,"nickname":"Bello"}' });
    expect(created).toMatchObject({ status: 201, body: { nickname: 'Bello' } });
    const { id } = created.body as { id: number };
    expect(await call(`/store/pets/${id}`)).toMatchObject({ status: 200, body: { nickname: 'Bello' } });

    const index = ';\n    CREATE INDEX pets_by_nickname ON pets (account_id, nickname);';
    const edited = await dev.after(() => project.edit(`${MIGRATIONS}/${ADDED}.ts`, /;(?=\n {2}`)/, index), DONE);
    expect(edited).toMatch(
      new RegExp(`^ {2}edited after it had run in the database: ${ADDED}: undo the edit, or .*\`npx specwright db reset --yes\``, 'm'),
    );
    expect(edited).toMatch(/^next +undo the edit, or/m);
    expect((await call('/pets')).status).toBe(200);
    const url = await project.specwright('db', 'url');
    expect(url).toMatchObject({ code: 0, output: expect.stringMatching(/^postgres:\/\/\S+\/petstore\?/) });

    await dev.after(
      async () => expect(await project.specwright('db', 'reset', '--yes')).toMatchObject({ code: 0 }),
      /^database +ok[^]*listens on[^]*^next .*\n/m,
    );
    expect((await call(`/store/pets/${id}`)).status).toBe(404);
    expect(await call('/pets', { method: 'POST', body: '{"name":"Rex","categoryId":1,"nickname":"Bello"}' })).toMatchObject({
      status: 201,
    });

    const up = `import type { Knex } from 'knex';\nexport const up = (knex: Knex) => knex.raw('SELECT 1');\n`;
    const unregistered = await dev.after(() => writeFile(join(project.folder, MIGRATIONS, '0009_later.ts'), up), DONE);
    expect(unregistered).toMatch(
      /0009_later\.ts:1:1 this migration is not registered: list it last in src\/db\/migrations\/index\.ts:\d+:1/,
    );
    expect(await dev.interrupt()).toBe(0);
    expect(await project.specwright('db', 'url')).toMatchObject({
      code: 1,
      output: expect.stringContaining('does not run: start it with'),
    });
  },
  scaleTimeout(240_000),
);
