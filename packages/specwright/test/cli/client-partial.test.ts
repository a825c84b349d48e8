/** Clients of some operations: their types, and what a bundle has of them. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { parseSource } from '@specwright/contract/document';
import { bundleSpec } from '../../src/bundle/bundle-spec.ts';
import { createFolder, loadClient, sourceOf, strictProblems, writeClient } from './support/client.ts';

const LIST =
  'application/json: { schema: { type: array, items: { type: object, required: [id], properties: { id: { type: integer } } } } }';
const PAGED = `parameters: [{ name: limit, in: query, schema: { type: integer } }]
      responses: { '200': { description: ok, headers: { Link: { schema: { type: string } } }, content:`;
const THINGS = `paths:
  /things:
    get:
      operationId: things.list
      ${PAGED} { ${LIST} } } }
    delete: { operationId: delete, responses: { '204': { description: ok } } }
  /wrapped:
    get:
      operationId: wrapped
      ${PAGED} { application/json: { schema: { type: object, properties: { data: { type: array, items: {} } } } } } } }
    put: { operationId: items, responses: { '204': { description: ok } } }
`;

const USE = `import { createClient, createPartialClient, delete_, items, items_, paginate, thingsList, wrapped } from './source/client.ts';
const client = createPartialClient({ baseUrl: 'http://localhost' }, { 'things.list': thingsList, delete: delete_, items: items_ });
export async function use(): Promise<void> {
  for await (const thing of items(client, 'things.list', { query: { limit: 1 } })) {
    const id: number = thing.id;
    // @ts-expect-error no such property
    thing.name;
    void id;
  }
  for await (const { id } of items(createClient({ baseUrl: 'http://localhost' }), 'things.list')) id.toFixed();
  const { status }: { status: 204 } = await client.delete({}, { timeoutMs: 5 });
  const { operation }: { operation: string } = await client.items();
  void [status, operation];
  // @ts-expect-error it is not among those that were given
  await client.wrapped();
  // @ts-expect-error it is not among those that were given
  paginate(client, 'wrapped');
  // @ts-expect-error its pages are no lists
  items(createClient({ baseUrl: 'http://localhost' }), 'wrapped');
  // @ts-expect-error another operation
  createPartialClient({ baseUrl: 'http://localhost' }, { delete: wrapped });
}
`;

const things = createFolder();
const petStore = createFolder();
beforeAll(async () => {
  await writeClient(things.folder, sourceOf(THINGS));
  await writeClient(petStore.folder, parseSource('spec/petstore.yaml', bundleSpec('spec/petstore.yaml').text));
});
afterAll(() => [things, petStore].forEach(({ remove }) => remove()));

test('a partial client has the methods of its operations, typed, under names that can be imported', () => {
  writeFileSync(join(things.folder, 'use.ts'), USE);
  expect(strictProblems(things.folder, [join(things.folder, 'use.ts')])).toEqual([]);
});

test('a partial client sends its operations, and names one that it does not have', async () => {
  const loaded = await loadClient(things.folder);
  const { thingsList } = loaded as unknown as { thingsList: object };
  const urls: string[] = [];
  const fetch = (url: string) => {
    urls.push(url);
    return Promise.resolve(Response.json([{ id: 1 }]));
  };
  const client = loaded.createPartialClient({ baseUrl: 'http://api.example', fetch }, { 'things.list': thingsList });
  expect(await client['things.list']?.()).toMatchObject({ operation: 'things.list', body: [{ id: 1 }] });
  expect([Object.keys(client), urls]).toEqual([['things.list'], ['http://api.example/things']]);
  expect(() => loaded.paginate(client, 'wrapped')).toThrow('the client has no operation wrapped');
  expect(() => loaded.paginate({}, 'wrapped')).toThrow('not a client of createClient or createPartialClient');
});

/** What a bundler makes of a page's module, minified. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: petStore.folder },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

test('five operations of the pet store are less than 5.6 KB in a bundle, which has no others', async () => {
  const five = 'listPets, createPet, getPet, updatePet, deletePet';
  const text = await bundle(`import { createPartialClient, orThrow, ${five} } from './index.js';
export const client = createPartialClient({ baseUrl: '/' }, { ${five} });
export { orThrow };`);
  expect(text).toContain('listPets');
  for (const other of ['listCategories', 'createPhoto', 'multipart/form-data; boundary', 'XMLHttpRequest', 'webhook-signature'])
    expect(text).not.toContain(other);
  expect(gzipSync(text).length).toBeLessThan(5734);
});

test('a client is no thenable and no JSON of its own, whatever the operations are called', async () => {
  const { folder, remove } = createFolder();
  const names = ['then', 'catch', 'toJSON', '__proto__', 'toString', 'constructor'];
  const operations = names.map((name) => `  /${name}: { get: { operationId: ${name}, responses: { '204': { description: ok } } } }\n`);
  await writeClient(folder, sourceOf(`paths:\n${operations.join('')}`));
  const client = (await loadClient(folder)).createClient({
    baseUrl: 'http://localhost',
    fetch: () => {
      throw new Error('a request was sent');
    },
  });
  expect(await (client as unknown)).toBe(client);
  expect(JSON.stringify(client)).toBe('{}');
  expect(Object.hasOwn(client, 'toString')).toBe(false);
  expect(Object.keys(client).sort()).toEqual(['getCatch', 'getConstructor', 'getProto', 'getThen', 'getToJSON', 'getToString']);
  remove();
});
