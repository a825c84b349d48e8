/** The first handler of a new project: which one is chosen, how it is called, and which credentials its README begins with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { chooseFirstHandler, firstAuthenticator } from '../../src/new/first-handler.ts';
import { fillFirstSteps } from '../../src/new/first-steps.ts';
import { TEMPLATE } from '../../src/new/template.ts';
import { operationsOf } from '../../src/stubs/find-handlers.ts';

const json = (schema: object) => ({ 200: { description: 'OK', content: { 'application/json': { schema } } } });
const NAME = { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 30 } } };

function choose(paths: object, { schemes = {}, exemptions = {}, accounts = false, tokens = [] as string[] } = {}) {
  const document = { openapi: '3.0.3', info: { title: 'T', version: '1' }, paths, components: { securitySchemes: schemes } };
  const source = parseSource('spec.json', JSON.stringify(document));
  const handlers = operationsOf(source).map((operation, i) => ({ operation, location: `src/handlers/a.ts:${i + 1}:5` }));
  return chooseFirstHandler({ source, handlers, exemptions, accounts, tokens });
}

test('it is the shortest GET whose response can be made; long strings are shortened where the contract allows it', async () => {
  const first = await choose({
    '/a': { post: { operationId: 'create', responses: { 201: { description: 'Made' } } } },
    '/b': { get: { operationId: 'readLong', responses: json(NAME) } },
    '/c': {
      get: {
        operationId: 'read-short',
        responses: json({ type: 'object', required: ['n'], properties: { n: { type: 'string', maxLength: 3 } } }),
      },
    },
    '/d': { get: { operationId: 'deprecated', deprecated: true, responses: { 204: { description: 'None' } } } },
  });
  expect(first).toMatchObject({
    location: 'src/handlers/a.ts:3:5',
    stub: "'read-short': async () => notImplemented('read-short'),",
    handler: expect.stringMatching(/^'read-short': async \(_input, reply\) => reply\(200, \{ body: \{ n: '.*' \} \}\),$/),
    scenario: "'read-short': { 200: async () => [{}] },",
    curl: 'curl -i http://localhost:3000/c',
  });
});

test.each<[scheme: object, plain: string, accounts: string, line: string]>([
  [
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    "-H 'X-Key: first-key'",
    `-H 'X-Key: '"$KEY"`,
    "key: apiKey(async (key) => (key === 'first-key' ? { id: 'first' } : undefined)),",
  ],
  [
    { type: 'apiKey', in: 'query', name: 'k' },
    "'http://localhost:3000/a?k=first-key'",
    `'http://localhost:3000/a?k='"$KEY"`,
    "key: apiKey(async (key) => (key === 'first-key' ? { id: 'first' } : undefined)),",
  ],
  [
    { type: 'apiKey', in: 'cookie', name: 'k' },
    "-b 'k=first-key'",
    `-b 'k='"$KEY"`,
    "key: apiKey(async (key) => (key === 'first-key' ? { id: 'first' } : undefined)),",
  ],
  [
    { type: 'http', scheme: 'basic' },
    '-u first:first-key',
    `-u "$KEY"':'`,
    "key: basic(async (name, password) => (name === 'first' && password === 'first-key' ? { id: 'first' } : undefined)),",
  ],
  [
    { type: 'oauth2', flows: {} },
    "-H 'Authorization: Bearer first-key'",
    `-H 'Authorization: Bearer '"$KEY"`,
    "key: bearer(async (key) => (key === 'first-key' ? { id: 'first' } : undefined)),",
  ],
])('credentials of %j', async (scheme, plain, accounts, line) => {
  const paths = { '/a': { get: { operationId: 'a', security: [{ key: [] }], responses: { 204: { description: 'None' } } } } };
  const schemes = { key: scheme };
  expect((await choose(paths, { schemes }))?.curl).toContain(plain);
  expect((await choose(paths, { schemes, accounts: true }))?.curl).toContain(accounts);
  const { document } = parseSource('s.json', JSON.stringify({ openapi: '3.0.3', paths, components: { securitySchemes: schemes } }));
  expect(firstAuthenticator(document, 'key').line).toBe(line);
});

test('two schemes in one place are one header of the example', async () => {
  const security = [{ code: [], implicit: [] }];
  const paths = { '/a': { get: { operationId: 'a', security, responses: { 204: { description: 'None' } } } } };
  const schemes = { code: { type: 'oauth2', flows: {} }, implicit: { type: 'oauth2', flows: {} } };
  expect((await choose(paths, { schemes }))?.curl).toBe("curl -i -H 'Authorization: Bearer first-key' http://localhost:3000/a");
});

test('one that tests cannot call, that needs unusual characters or credentials of an unknown kind, or has no JSON is not chosen', async () => {
  const none = { responses: { 204: { description: 'None' } } };
  const paths = {
    '/exempt': { get: { operationId: 'exempt', ...none } },
    '/tick`': { get: { operationId: 'tick', ...none } },
    '/digest': { get: { operationId: 'digest', security: [{ digest: [] }], ...none } },
    '/xml': { get: { operationId: 'xml', responses: { 200: { description: 'OK', content: { 'application/xml': {} } } } } },
  };
  const schemes = { digest: { type: 'http', scheme: 'digest' } };
  expect(await choose(paths, { schemes, exemptions: { exempt: 'no value' } })).toBeUndefined();
});

test.each<[schemes: Record<string, object>, says: string]>([
  [{ key: { type: 'apiKey', in: 'header', name: 'X-Key' } }, "replace `'sample'` by `'first-key'`."],
  [{ login: { type: 'http', scheme: 'basic' } }, "replace `'name:password'` by `'first:first-key'`."],
  [
    { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, login: { type: 'http', scheme: 'basic' } },
    "replace `'sample'` by `'first-key'`, and `'name:password'` by `'first:first-key'`.",
  ],
])('the README names the credentials of the tests of %j', async (schemes, says) => {
  const security = [Object.fromEntries(Object.keys(schemes).map((name) => [name, []]))];
  const paths = { '/a': { get: { operationId: 'a', security, responses: { 204: { description: 'None' } } } } };
  const first = await choose(paths, { schemes });
  const { document } = parseSource('s.json', JSON.stringify({ openapi: '3.0.3', paths, components: { securitySchemes: schemes } }));
  const template = readFileSync(join(TEMPLATE, 'README.md'), 'utf8');
  const readme = fillFirstSteps(template, { document, first, handlers: [], schemes: Object.keys(schemes), tokens: [], accounts: false });
  expect(readme).toContain(`In \`test/support/credentials.ts\`, ${says}`);
});

test('the README names an operation and a file of the project, where no response could be made for a first handler', () => {
  const template = readFileSync(join(TEMPLATE, 'README.md'), 'utf8');
  const { document } = parseSource('s.json', JSON.stringify({ openapi: '3.0.3', paths: {} }));
  const options = { document, first: undefined, schemes: [], tokens: [], accounts: false };
  const operation = { id: 'watch-it', method: 'get', path: '/events', summary: '', statuses: ['101', '404'] };
  const handlers = [{ operation, location: 'src/handlers/events.ts:7:3' }] as unknown as Parameters<typeof fillFirstSteps>[1]['handlers'];
  const readme = fillFirstSteps(template, { ...options, handlers });
  expect(readme).toContain('In `src/handlers/events.ts`, line 7, is');
  expect(readme).toContain("'watch-it': async () => notImplemented('watch-it'),");
  expect(readme).toContain("  'watch-it': { 101: async () => [{}] },");
  for (const text of [readme, fillFirstSteps(template, { ...options, handlers: [] })])
    expect(text).not.toMatch(/getThing|things\.ts|\/things/);
});

const TOKEN_SCHEME = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
const KEY_SCHEME = { type: 'apiKey', in: 'header', name: 'X-Key' };

test.each<[schemes: Record<string, object>, says: string[], not: string]>([
  [{ token: TOKEN_SCHEME }, ['TOKEN_ISSUER=https://login.example.com/'], 'apiKey'],
  [
    { token: TOKEN_SCHEME, key: KEY_SCHEME },
    [
      'TOKEN_ISSUER=https://login.example.com/',
      "import { apiKey, unimplementedScheme } from '@specwright/server';",
      "    key: apiKey(async (key) => (key === 'first-key' ? { id: 'first', scopes: [] } : undefined)),",
    ],
    'token: bearer',
  ],
])('the README says how access tokens are accepted: %j', async (schemes, says, not) => {
  const paths = {
    '/a': {
      get: {
        operationId: 'a',
        security: Object.keys(schemes).map((name) => ({ [name]: [] })),
        responses: { 204: { description: 'None' } },
      },
    },
  };
  const first = await choose(paths, { schemes, tokens: ['token'] });
  expect(first?.curl).toContain(`-H 'Authorization: Bearer '"$TOKEN"`);
  const { document } = parseSource('s.json', JSON.stringify({ openapi: '3.0.3', paths, components: { securitySchemes: schemes } }));
  const template = readFileSync(join(TEMPLATE, 'README.md'), 'utf8');
  const readme = fillFirstSteps(template, {
    document,
    first,
    handlers: [],
    schemes: Object.keys(schemes),
    tokens: ['token'],
    accounts: false,
  });
  for (const text of says) expect(readme).toContain(text);
  expect(readme).not.toContain(not);
});

test('the first authenticator of a scheme with roles (OpenAPI 3.1) gives its caller all of them', () => {
  const paths = { '/a': { get: { operationId: 'a', security: [{ key: ['admin'] }], responses: { 204: { description: 'None' } } } } };
  const text = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths,
    components: { securitySchemes: { key: KEY_SCHEME } },
  });
  const { document } = parseSource('s.json', text);
  expect(firstAuthenticator(document, 'key').line).toContain(`{ id: 'first', scopes: ["admin"] }`);
});
