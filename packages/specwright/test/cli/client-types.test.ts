/** The types of generated clients: they compile under the strictest settings, and say what the contract says. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import ts from 'typescript';
import { parseSource } from '@specwright/contract/document';
import { bundleSpec } from '../../src/bundle/bundle-spec.ts';
import { createFolder, sourceOf, strictProblems, writeClient } from './support/client.ts';

const { folder, remove } = createFolder();
afterAll(remove);

const THINGS = `paths:
  /things/{id}:
    get:
      operationId: things.read
      parameters:
        - { name: id, in: path, required: true, schema: { type: integer } }
        - { name: tags, in: query, explode: false, schema: { type: array, items: { type: string } } }
        - { name: authorization, in: header, required: true, schema: { type: string } }
      responses:
        '200':
          description: ok
          headers: { Count: { required: true, schema: { type: integer } }, ETag: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } }, text/csv: { schema: { type: string } } }
        '404': { description: none, content: { application/json: { schema: { type: object, required: [code], properties: { code: { type: string } } } } } }
        4XX: { description: other, content: { application/json: { schema: { type: object, required: [text], properties: { text: { type: string } } } } } }
        default: { description: else }
    put:
      operationId: replace
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } }, text/csv: { schema: { type: string } } } }
      responses: { '204': { description: done }, default: { description: else } }
components:
  schemas:
    Thing:
      type: object
      required: [id, name, secret]
      properties:
        id: { type: integer, readOnly: true }
        name: { type: string }
        secret: { type: string, writeOnly: true }
`;

const USE = `import { createClient, orThrow, type ReplaceBody, type Thing, type ThingWritable, type ThingsReadReply } from 'CLIENT';
const client = createClient({ baseUrl: 'http://localhost' });
export async function use(): Promise<void> {
  const reply = await client['things.read']({ path: { id: 1 }, query: { tags: ['a'] } });
  if (reply.status === 200) {
    const count: number = reply.headers.Count;
    const etag: string | undefined = reply.headers.ETag;
    // @ts-expect-error it may be absent
    const always: string = reply.headers.ETag;
    // @ts-expect-error it is not declared
    reply.headers.Location;
    if (reply.contentType === 'text/csv') reply.body.split(',');
    else {
      const id: number = reply.body.id;
      // @ts-expect-error it is writeOnly
      reply.body.secret;
      void id;
    }
    void [count, etag, always];
  } else if (reply.status === 404) reply.body.code.trim();
  else if (reply.status === 409) reply.body.text.trim();
  else if (reply.status === 500) {
    const nothing: undefined = reply.body;
    const failed: false = reply.ok;
    void [nothing, failed];
  }
  if (!reply.ok) {
    // @ts-expect-error a success
    reply.status === 200;
  }
  const { contentType } = await orThrow(client['things.read']({ path: { id: 1 } }));
  void contentType;
  // @ts-expect-error no path
  await client['things.read']({});
  // @ts-expect-error no such parameter
  await client['things.read']({ path: { id: 1 }, query: { tag: ['a'] } });
  await client.replace({ path: { id: 1 }, body: { name: 'a', secret: 'b' } });
  await client.replace({ path: { id: 1 }, contentType: 'text/csv', body: 'a' });
  // @ts-expect-error id is readOnly
  await client.replace({ path: { id: 1 }, body: { id: 1, name: 'a', secret: 'b' } });
  // @ts-expect-error no body
  await client.replace({ path: { id: 1 } });
  const replaced = await client.replace({ path: { id: 1 }, body: { name: 'a', secret: 'b' } });
  if (replaced.ok) {
    const status: 204 = replaced.status;
    void status;
  }
  const thing: Thing = { id: 1, name: 'a' };
  const body: ReplaceBody = { name: 'a', secret: 'b' } satisfies ThingWritable;
  const same: ThingsReadReply = reply;
  void [thing, body, same];
}
`;

/** Of this service, and of others: in two files, without operationIds, with XML. */
const FILES = ['spec/petstore.yaml', 'test/gates/foreign/library.yaml', 'test/gates/foreign/bookings.yaml'];

test('packages and modules compile without other types than those of JavaScript and browsers, and narrow replies by status', async () => {
  const roots: string[] = [];
  const files = FILES.map((file) => parseSource(file, bundleSpec(file).text));
  for (const [i, source] of [sourceOf(THINGS), ...files].entries()) {
    const at = join(folder, String(i));
    mkdirSync(at);
    await writeClient(at, source);
    roots.push(join(at, 'index.d.ts'), join(at, 'source/client.ts'));
  }
  for (const [name, client] of [
    ['of-package', './0/index.js'],
    ['of-module', './0/source/client.ts'],
  ]) {
    writeFileSync(join(folder, `${name}.ts`), USE.replace('CLIENT', client ?? ''));
    roots.push(join(folder, `${name}.ts`));
  }
  expect(strictProblems(folder, roots)).toEqual([]);
});

test('types of a contract that are called like those of the module have other names', async () => {
  const at = join(folder, 'names');
  mkdirSync(at);
  await writeClient(at, sourceOf(THINGS));
  const words = new Set(readFileSync(join(at, 'source/client.ts'), 'utf8').match(/\b[A-Z]\w*/g));
  const schemas = [...words, 'error', 'things.v1', '2D'].map(
    (name) => `    ${name}: { type: object, properties: { own: { type: string, readOnly: true } } }\n`,
  );
  const { document } = sourceOf(`${THINGS}${schemas.filter((line) => !line.includes(' Thing:')).join('')}`);
  await writeClient(at, parseSource('names.yaml', JSON.stringify(document)));
  writeFileSync(
    join(at, 'source/use.ts'),
    `import type { ErrorSchema, PromiseSchema, ThingsV1, _2D } from './client.ts';
export const own: (ErrorSchema | PromiseSchema | ThingsV1 | _2D)['own'][] = ['text'];
`,
  );
  expect(strictProblems(at, ['source/client.ts', 'source/use.ts'])).toEqual([]);
});

/** What an editor shows of a text beside the client of the pet store: at each name, and its errors. */
function editorTexts(text: string, names: readonly string[]): { hovers: string[]; errors: string[] } {
  const file = resolve('generated/unsaved.ts');
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => true,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => ts.ScriptSnapshot.fromString(name === file ? text : (ts.sys.readFile(name) ?? '')),
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCompilationSettings: () => ({
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      noEmit: true,
      types: [],
    }),
  });
  const hovers = names.map((name) => ts.displayPartsToString(service.getQuickInfoAtPosition(file, text.indexOf(name))?.displayParts));
  const errors = service.getSemanticDiagnostics(file).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  return { hovers, errors };
}

test('hovers and errors show the names of the contract, not the shapes behind them', () => {
  const { hovers, errors } = editorTexts(
    `import { createClient, orThrow } from './client.ts';
const client = createClient({ baseUrl: '' });
const reply = await client.listPets();
const page = await orThrow(client.listPets());
const pets = page.body;
const [pet] = pets;
if (reply.status === 400) var problem = reply.body;
const text: string = page.body;
const one: string = pet;
client.createPet({ body: {} });
client.createPet({ body: 1 });
client.updatePet({ path: { petId: 1 }, body: { status: 'lost' } });
reply.body.length;
`,
    ['reply =', 'page =', 'pets =', 'pet]', 'problem =', 'listPets()', 'createPet(', 'body: {}'],
  );
  expect(hovers).toEqual([
    'const reply: ListPetsReply',
    'const page: ListPets200',
    'const pets: Pets',
    'const pet: Pet',
    'var problem: ErrorSchema',
    '(method) Client.listPets(input?: ListPetsInput, call?: CallOptions): Promise<ListPetsReply>',
    '(method) Client.createPet(input: CreatePetInput, call?: CallOptions): Promise<CreatePetReply>',
    '(property) body: NewPet',
  ]);
  expect(errors).toEqual([
    "Type 'Pets' is not assignable to type 'string'.",
    "Type 'Pet' is not assignable to type 'string'.",
    "Type '{}' is missing the following properties from type 'NewPet': name, categoryId",
    "Type 'number' is not assignable to type 'NewPet'.",
    `Type '"lost"' is not assignable to type 'PetStatus | undefined'.`,
    "Property 'length' does not exist on type 'Pets | ErrorSchema'.\n  Property 'length' does not exist on type 'ErrorSchema'.",
  ]);
});
