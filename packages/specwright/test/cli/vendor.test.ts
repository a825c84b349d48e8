/** `specwright vendor` copies what references name by URL, once, and refers to the copies; the rest of each text stays. */
import { type RequestListener, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readDocument } from '@specwright/contract/document';
import { runProgram } from '../../src/program.ts';
import { fileOf } from '../../src/vendor/digests.ts';
import { assertFetchable } from '../../src/vendor/fetch-document.ts';

let root: string;
let output: string;
let url: string;
let folder: string;
let requests: string[];
let documents: Record<string, string | RequestListener>;
const cwd = process.cwd();
const server = createServer((request, response) => {
  const path = request.url ?? '';
  requests.push(path);
  const document = documents[path];
  if (typeof document === 'function') document(request, response);
  else response.writeHead(document === undefined ? 404 : 200).end(document);
});

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vendor-')));
  [output, requests, documents] = ['', [], {}];
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}`;
  folder = `spec/vendor/127.0.0.1_${port}`;
  write('package.json', '{ "name": "shop" }');
  for (const method of ['log', 'error'] as const)
    jest.spyOn(console, method).mockImplementation((line: string) => void (output += `${line}\n`));
  process.chdir(root);
});
afterEach(async () => {
  jest.restoreAllMocks();
  process.chdir(cwd);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true });
});

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const read = (path: string) => readFileSync(join(root, path), 'utf8');

async function vendor(...args: string[]) {
  output = '';
  requests = [];
  const code = await runProgram(['vendor', ...args]);
  return { code, output, requests };
}

const specWith = (schema: string, more = '') => `openapi: 3.0.3
info: { title: Shop, version: 1.0.0 } # ours
paths:
  /pets:
    get:
      operationId: listPets
      responses:
        '200':
          description: ok
          content: { application/json: { schema: ${schema} } } # of another team
${more}`;

const PET = `# theirs
definitions:
  Pet:
    type: object
    properties: { owner: { $ref: '../common/owner.json#/Owner' }, self: { $ref: '#/definitions/Pet' }, other: { $ref: pet.yaml#/definitions/Pet } }
  Unused: { $ref: unused.yaml }
`;

function serveTwo(): void {
  documents['/v1/pet.yaml'] = PET;
  documents['/common/owner.json'] = '{ "Owner": { "type": "string", "maxLength": 7 } }';
}

test('fetches each document once, and only references change: in parts, copies and quotes of each kind', async () => {
  serveTwo();
  const spec = specWith(
    '{ $ref: "parts/list.yaml" }',
    `components:\n  schemas:\n    A: { $ref: ${url}/v1/pet.yaml#/definitions/Pet }\n    B: { example: { $ref: '${url}/v1/pet.yaml' }, type: object }\n    C: { type: array, items: { $ref: '${url}/common/owner.json#/Owner' } }\n`,
  );
  const list = `type: array # of pets\nitems:\n  $ref: &u "${url}/v1/pet.yaml#/definitions/Pet"  # by URL\nx-source: *u\n`;
  write('spec/openapi.yaml', spec);
  write('spec/parts/list.yaml', list);

  expect(await vendor()).toMatchObject({ code: 0, requests: ['/v1/pet.yaml', '/common/owner.json'] });
  expect(output).toContain(`${folder}/v1/pet.yaml: fetched from ${url}/v1/pet.yaml\n`);
  const copies = folder.replace('spec/', './');
  expect(read('spec/openapi.yaml')).toBe(
    spec
      .replace(`${url}/v1/pet.yaml#/d`, `${copies}/v1/pet.yaml#/d`)
      .replace(`'${url}/common/owner.json#/Owner'`, `'${copies}/common/owner.json#/Owner'`),
  );
  expect(read('spec/parts/list.yaml')).toBe(list.replace(url, folder.replace('spec/', '../')));
  expect(read(`${folder}/v1/pet.yaml`)).toBe(
    PET.replace('pet.yaml#', './pet.yaml#').replace('$ref: unused.yaml', `$ref: ${url}/v1/unused.yaml`),
  );
  expect(JSON.parse(read('spec/vendor/digests.json'))).toEqual({
    [`${url}/common/owner.json`]: expect.objectContaining({ file: `${folder.slice(12)}/common/owner.json` }),
    [`${url}/v1/pet.yaml`]: {
      file: `${folder.slice(12)}/v1/pet.yaml`,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    },
  });
  const { document } = readDocument('spec/openapi.yaml');
  expect(JSON.stringify(document.components?.['schemas'])).toContain('"maxLength":7');

  expect(await vendor()).toMatchObject({ code: 0, requests: [], output: '2 copies in spec/vendor: nothing to fetch\n' });
  // A part that nothing referred to before is fetched when something does.
  documents['/v1/unused.yaml'] = 'type: integer';
  write('spec/parts/list.yaml', `type: array\nitems: { $ref: ${url}/v1/pet.yaml#/definitions/Unused }\n`);
  expect(await vendor()).toMatchObject({ code: 0, requests: ['/v1/unused.yaml'] });
  expect(await vendor()).toMatchObject({ code: 0, requests: [] });
});

test('refuses a copy that was edited or removed, until --update fetches it again and says what changed', async () => {
  serveTwo();
  write('spec/openapi.yaml', specWith(`{ $ref: '${url}/v1/pet.yaml#/definitions/Pet' }`));
  await vendor();
  const copy = read(`${folder}/v1/pet.yaml`);
  write(`${folder}/v1/pet.yaml`, copy.replace('# theirs', '# mine'));
  expect(await vendor()).toMatchObject({ code: 1, requests: [], output: expect.stringContaining(`${folder}/v1/pet.yaml was edited`) });
  rmSync(join(root, folder, 'common/owner.json'));
  expect((await vendor()).output).toContain(`${folder}/common/owner.json is missing`);

  documents['/v1/pet.yaml'] = PET.replace('type: object', 'type: object\n    required: [owner]');
  expect(await vendor('--update')).toMatchObject({ code: 0, requests: ['/common/owner.json', '/v1/pet.yaml'] });
  expect(output).toContain(`${folder}/v1/pet.yaml: changed\n`);
  expect(await vendor('--update')).toMatchObject({ code: 0, output: expect.stringContaining(`${folder}/v1/pet.yaml: unchanged\n`) });
  expect(await vendor()).toMatchObject({ code: 0, requests: [] });
});

test.each<[what: string, documents: () => typeof documents, problem: RegExp]>([
  ['no answer', () => ({}), /a\.yaml cannot be fetched: it is answered with 404/],
  ['a page', () => ({ '/a.yaml': '<!DOCTYPE html>' }), /a\.yaml is no document of YAML or JSON/],
  ['a syntax error', () => ({ '/a.yaml': 'a: [1' }), /a\.yaml:1/],
  ['a part that is missing', () => ({ '/a.yaml': 'B: {}' }), /openapi\.yaml:10:\d+ \$ref \S+a\.yaml#\/A leads to nothing/],
  ['over 10 MB', () => ({ '/a.yaml': `A: {} #${' '.repeat(10 * 1024 * 1024)}` }), /a\.yaml cannot be fetched: .* more than 10485760 bytes/],
  [
    'over 50 documents',
    () => ({
      '/a.yaml': 'A: { $ref: 1.yaml }',
      ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`/${i}.yaml`, `properties: { a: { $ref: ${i + 1}.yaml } }`])),
    }),
    /more than 50 documents/,
  ],
  [
    'a redirect to http of another machine',
    () => ({ '/a.yaml': (_, response) => void response.writeHead(302, { location: 'http://203.0.113.1/a.yaml' }).end() }),
    /only https is fetched, and http of this machine, not http:\/\/203\.0\.113\.1/,
  ],
  [
    'a reference to http of another machine',
    () => ({ '/a.yaml': 'A: { $ref: http://203.0.113.1/b.yaml }' }),
    /a\.yaml:1 \$ref .* only https/,
  ],
  ['a reference to a file', () => ({ '/a.yaml': 'A: { $ref: file:///etc/passwd }' }), /is a URL: write the path/],
])('writes nothing for %s', async (_, answers, problem) => {
  documents = answers();
  const spec = specWith(`{ $ref: '${url}/a.yaml#/A' }`);
  write('spec/openapi.yaml', spec);
  expect(await vendor()).toMatchObject({ code: 1, output: expect.stringMatching(problem) });
  expect(read('spec/openapi.yaml')).toBe(spec);
  expect(existsSync(join(root, 'spec/vendor'))).toBe(false);
});

test('a relative reference is one from where a redirect leads, and copies of all documents of a project have one folder', async () => {
  documents['/latest'] = (_, response) => void response.writeHead(307, { location: '/v2/pet.json?a=1' }).end();
  documents['/v2/pet.json?a=1'] = '{ "Pet": { "$ref": "owner.json?b=2#/Owner" } }';
  documents['/v2/owner.json?b=2'] = '{ "Owner": { "type": "string" } }';
  write('package.json', '{ "name": "shop", "specwright": { "specs": { "v1": {}, "v2": {} } } }');
  for (const version of ['v1', 'v2']) write(`spec/${version}.yaml`, specWith(`{ $ref: ${url}/latest#/Pet }`));
  expect(await vendor()).toMatchObject({ code: 0, requests: ['/latest', '/v2/pet.json?a=1', '/v2/owner.json?b=2'] });
  expect(await vendor('--update')).toMatchObject({ code: 0 });
  for (const version of ['v1', 'v2']) expect(readDocument(`spec/${version}.yaml`).files).toHaveLength(3);
});

test('copies a document without a project around it, not through a link, and not over a file of somebody', async () => {
  documents['/a.yaml'] = 'A: { type: string }';
  rmSync(join(root, 'package.json'));
  write('their.yaml', specWith(`{ $ref: ${url}/a.yaml#/A }`));
  mkdirSync(join(root, 'home'));
  symlinkSync(tmpdir(), join(root, 'vendor'));
  expect(await vendor('--spec', 'their.yaml')).toMatchObject({ code: 1, output: expect.stringContaining('symbolic link') });
  rmSync(join(root, 'vendor'));
  write(`${folder.slice(5)}/a.yaml`, 'mine');
  expect(await vendor('--spec', 'their.yaml')).toMatchObject({ code: 1, output: expect.stringMatching(/a\.yaml exists/) });
  rmSync(join(root, 'vendor'), { recursive: true });
  expect(await vendor('--spec', 'their.yaml')).toMatchObject({ code: 0 });
  expect(readDocument('their.yaml').files).toHaveLength(2);
  // Names of files are those of the URLs.
  write('vendor/digests.json', read('vendor/digests.json').replace(/"file": ".*"/, '"file": "../their.yaml"'));
  expect(await vendor('--spec', 'their.yaml', '--update')).toMatchObject({
    code: 1,
    output: expect.stringContaining('has the file ../their.yaml'),
  });
});

test('names of copies are unlike for unlike URLs', () => {
  const names = ['/api', '/api.yaml', '/api/', '/api/index', '/api.yaml?v=2', '/a%20b.yaml', '/a_b.yaml', '//api.yaml'].map((path) =>
    fileOf(new URL(`https://example.com${path}`)),
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names[1]).toBe('example.com/api.yaml');
  for (const name of names) expect(name).toMatch(/^example\.com\/[\w./]+\.yaml$/);
});

test('a document of another server does not lead to a server of this machine', () => {
  const local = new URL('http://localhost:3000/a.yaml');
  expect(() => assertFetchable(local)).not.toThrow();
  expect(() => assertFetchable(local, new URL('https://example.com/b.yaml'))).toThrow('only https');
});
