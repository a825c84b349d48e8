/** What a document sends: webhooks, `x-webhooks` and callbacks have names, a table, validated bodies and URLs from requests. */
import { expect, test } from '@jest/globals';
import {
  callbackUrl,
  listOutgoing,
  listUnsupported,
  outgoingTable,
  parseSource,
  unsupportedExpressions,
} from '@specwright/contract/document';
import { createOutgoing } from '../src/outgoing/outgoing-validators.ts';
import { createSchemaCompiler } from '../src/schema/model-of.ts';

const OK = "responses: { '200': { description: ok } }";
const sourceOf = (version: string, yaml: string) =>
  parseSource('api.yaml', `openapi: ${version}\ninfo: { title: T, version: '1' }\n${yaml}`);
const bodyOf = (schema: string) => `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`;
const namesOf = (version: string, yaml: string) => listOutgoing(sourceOf(version, yaml).document).map(({ name }) => name);

test.each([
  ['order.completed', 'orderCompleted'],
  ['order-completed', 'orderCompleted'],
  ['ORDER_COMPLETED', 'orderCompleted'],
  ['OrderCompleted', 'orderCompleted'],
  ['order/completed v2', 'orderCompletedV2'],
  ['2fa', 'send2fa'],
  ['***', 'send'],
  ['größe.geändert', 'größeGeändert'],
])('the webhook %s is %s', (key, name) => {
  expect(namesOf('3.1.0', `webhooks: { ${JSON.stringify(key)}: { post: { ${OK} } } }\n`)).toEqual([name]);
});

test('names are operationIds where there are any, and each is unique', () => {
  const callbacks = (id: string) =>
    `{ post: { operationId: ${id}, callbacks: { onDone: { '{$request.query.url}': { post: { ${OK} } } } }, ${OK} } }`;
  expect(
    namesOf(
      '3.2.0',
      `webhooks:\n  a.b: { post: { ${OK} }, put: { ${OK} } }\n  a-b: { post: { operationId: own, ${OK} } }\n  a_b: { post: { ${OK} } }\n  to-string: { post: { ${OK} } }\n` +
        `paths:\n  /x: ${callbacks('first')}\n  /y: ${callbacks('second')}\n`,
    ),
  ).toEqual(['aB', 'aBPost', 'own', 'aBPost2', 'toStringPost', 'onDone', 'secondOnDone']);
});

test('the table has what can be sent, references followed, in 3.0 too', () => {
  const { document } = sourceOf(
    '3.0.3',
    `x-webhooks:
  created: { post: { ${bodyOf("{ $ref: '#/components/schemas/A' }")}, responses: { 2XX: { description: ok }, default: { description: no } } } }
  text: { post: { requestBody: { content: { text/plain: {} } }, ${OK} } }
  read: { get: { ${OK} } }
paths:
  /a: { post: { operationId: a, callbacks: { done: { $ref: '#/components/callbacks/Done' } }, ${OK} } }
components:
  schemas: { A: { type: object } }
  callbacks: { Done: { '{$request.body#/url}': { put: { requestBody: { content: { application/vnd.a+json: {} } }, ${OK} } } } }
`,
  );
  expect(outgoingTable(document)).toEqual({
    created: { source: 'x-webhooks', method: 'POST', type: 'application/json', statuses: ['2XX', 'default'], callback: null },
    done: {
      source: 'callbacks',
      method: 'PUT',
      type: 'application/vnd.a+json',
      statuses: ['200'],
      callback: { operationId: 'a', expression: '{$request.body#/url}' },
    },
  });
});

test('a body is validated as the body of a response is, and loses what is not declared', () => {
  const pet =
    '{ type: object, required: [id], properties: { id: { type: integer, format: int64 }, secret: { type: string, writeOnly: true }, note: { type: string, nullable: true } } }';
  const { document } = sourceOf(
    '3.0.3',
    `x-webhooks: { sold: { post: { ${bodyOf(pet)}, ${OK} } }, ping: { post: { ${OK} } } }\npaths: {}\n`,
  );
  const [sold, ping] = createOutgoing(document, createSchemaCompiler(document, 'response', 'required'));
  expect(sold?.validate({ id: 7, note: null, secret: 'x', inner: true })).toEqual({ text: '{"id":7,"note":null}', problems: [] });
  expect(sold?.validate({ note: 5 }).problems).toEqual(['body/id is required', 'body/note must be string,null']);
  expect(sold?.validate(undefined).problems).toEqual(['body is required']);
  expect(ping?.validate(undefined)).toEqual({ text: '', problems: [] });
  expect(ping?.validate({}).problems).toEqual(['body is not declared']);
});

const INPUT = {
  path: { id: 7 },
  query: { url: 'https://example.com/q', list: ['a'] },
  headers: { 'X-Callback': 'https://example.com/h' },
  body: { url: 'https://example.com/b', nested: [{ 'a/b': 'https://example.com/n' }], none: null },
};

test.each([
  ['{$request.body#/url}', 'https://example.com/b'],
  ['$request.body#/url', 'https://example.com/b'],
  ['{$request.body#/nested/0/a~1b}', 'https://example.com/n'],
  ['{$request.query.url}', 'https://example.com/q'],
  ['{$request.header.x-callback}', 'https://example.com/h'],
  ['http://example.com/{$request.path.id}?u={$request.query.url}', 'http://example.com/7?u=https://example.com/q'],
  ['http://example.com/fixed', 'http://example.com/fixed'],
  ['{$request.body#/missing}', undefined],
  ['{$request.body#/none}', undefined],
  ['{$request.body#/constructor/name}', undefined],
  ['{$request.query.list}', undefined],
  ['{$request.query.toString}', undefined],
])('the URL of %s is %s', (expression, url) => {
  expect(unsupportedExpressions(expression)).toEqual([]);
  expect(callbackUrl(expression, INPUT)).toBe(url);
});

test.each(['{$response.body#/url}', '{$url}', '$statusCode', 'http://x/{$request.cookie.a}', '{$request.body.url}'])(
  'the expression %s is listed as unsupported',
  (expression) => {
    const source = sourceOf(
      '3.0.3',
      `paths: { /a: { post: { operationId: a, callbacks: { done: { ${JSON.stringify(expression)}: { post: { ${OK} } } } }, ${OK} } } }\n`,
    );
    expect(listUnsupported(source).map(({ feature }) => feature)).toEqual([
      expect.stringMatching(/^the expression \$.* of the callback done$/),
    ]);
  },
);

test('a callback of a callback is listed as not served', () => {
  const inner = `acknowledge: { '{$request.body#/url}': { post: { ${OK} } } }`;
  const outer = `done: { '{$request.body#/url}': { post: { callbacks: { ${inner} }, ${OK} } } }`;
  const source = sourceOf('3.0.3', `paths: { /a: { post: { operationId: a, callbacks: { ${outer} }, ${OK} } } }\n`);
  expect(listUnsupported(source)).toMatchObject([
    { feature: 'the callback acknowledge of done', behavior: 'what its receiver sends is not served: declare a path for it' },
  ]);
});
