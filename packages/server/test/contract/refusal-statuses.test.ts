/** A refusal has a status that the operation declares for it, and the body that the operation declares for that status. */
import { createServer } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import express from 'express';
import { listenOnFreePort, withApp } from 'specwright/testing';
import { createRequestHandler, FRAMEWORK_ERRORS, FrameworkError, type IdempotencyStore } from '@specwright/server';
import { optionsOf, serve } from '../support/serve.ts';

/** A response whose body says which it is. */
const body = (key: string) =>
  `{ description: no, content: { application/json: { schema: { type: object, required: [declaredAs, message], properties: { declaredAs: { type: string, enum: ['${key}'] }, message: { type: string } } } } } }`;

/** An operation for each list of statuses, whose error bodies say which is theirs. */
const operationOf = (keys: readonly string[]) => `
  /${keys.join('-') || 'none'}:
    post:
      operationId: op${keys.join('')}
      x-body-limit: 100
      parameters: [{ name: Idempotency-Key, in: header, schema: { type: string } }]
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [x], properties: { x: { type: integer } } } } } }
      responses:
        '201': { description: made }
${keys.map((key) => `        '${key}': ${body(key)}\n`).join('')}`;

const REUSED = 'header/Idempotency-Key was used for another request';
const idempotency: IdempotencyStore = {
  run: () => Promise.reject(new FrameworkError('idempotency_key_reused', REUSED)),
};

type Expected = readonly [status: number, key: string];
const CASES: readonly (readonly [keys: readonly string[], invalid: Expected, reused: Expected, tooLarge: Expected, type: Expected])[] = [
  [
    ['400', '413', '415', '422'],
    [400, '400'],
    [422, '422'],
    [413, '413'],
    [415, '415'],
  ],
  [['400'], [400, '400'], [400, '400'], [400, '400'], [400, '400']],
  [['422'], [422, '422'], [422, '422'], [422, '422'], [422, '422']],
  [
    ['409', '422'],
    [422, '422'],
    [422, '422'],
    [422, '422'],
    [422, '422'],
  ],
  [
    ['422', '4XX'],
    [422, '422'],
    [422, '422'],
    [413, '4XX'],
    [415, '4XX'],
  ],
  [
    ['4XX', 'default'],
    [400, '4XX'],
    [422, '4XX'],
    [413, '4XX'],
    [415, '4XX'],
  ],
  [
    ['400', 'default'],
    [400, '400'],
    [400, '400'],
    [413, 'default'],
    [415, 'default'],
  ],
  [['default'], [400, 'default'], [422, 'default'], [413, 'default'], [415, 'default']],
];
const YAML = `paths:${[...CASES.map(([keys]) => keys), [], ['404']].map(operationOf).join('')}`;

const VALID = { method: 'POST', body: '{"x":1}', headers: { 'Content-Type': 'application/json' } };
const REQUESTS = [
  { ...VALID, body: '{}' },
  { ...VALID, headers: { ...VALID.headers, 'Idempotency-Key': 'k' } },
  { ...VALID, body: JSON.stringify({ x: 1, y: 'y'.repeat(100) }) },
  { ...VALID, headers: { 'Content-Type': 'text/plain' } },
];

type Handler = (input: unknown, reply: (status: number) => unknown) => unknown;
const handlers: Record<string, Handler> = {};
for (const [, id = ''] of YAML.matchAll(/operationId: (\w+)/g)) handlers[id] = (_, reply) => reply(201);

/** The status of each request, and the response that its body is of. */
const answers = (url: string): Promise<(readonly [status: number, key: string | undefined])[]> =>
  Promise.all(
    REQUESTS.map(async (request) => {
      const response = await fetch(url, request);
      const { declaredAs } = (await response.json()) as { declaredAs?: string };
      return [response.status, declaredAs] as const;
    }),
  );

describe('a server', () => {
  const app = withApp(() => serve(YAML, { handlers, idempotency }));

  test.each(CASES)('refuses with what an operation of %j declares', async (keys, ...expected) => {
    expect(await answers(`${app.url}/${keys.join('-')}`)).toEqual(expected);
  });

  test('refuses with the usual status all the same where nothing is declared for it', async () => {
    for (const path of ['none', '404'])
      expect((await answers(`${app.url}/${path}`)).map(([status]) => status)).toEqual([400, 400, 413, 415]);
    const line = app.log.find(({ message }) => message.includes('breaks the contract'));
    expect(line?.message).toMatch(/the (400|413|415) response of op(404)? breaks the contract: response status \1 is not declared/);
  });

  test('logs nothing where the refusal is declared', async () => {
    const before = app.log.length;
    for (const [keys] of CASES) await answers(`${app.url}/${keys.join('-')}`);
    expect(app.log.slice(before).filter(({ message }) => message.includes('breaks the contract'))).toEqual([]);
  });
});

test('a handler that is mounted, or leaves errors to the application, refuses with the same statuses', async () => {
  const options = await optionsOf(YAML, { handlers, idempotency });
  const mounted = express().use('/own', createRequestHandler(options));
  mounted.use('/next', createRequestHandler({ ...options, errors: 'next' }));
  const answerError: express.ErrorRequestHandler = ({ status }: { status: number }, _request, response, next) =>
    response.headersSent ? next() : void response.status(status).json({});
  mounted.use(answerError);
  const { url, close } = await listenOnFreePort(createServer(mounted));
  try {
    for (const [keys, ...expected] of CASES) {
      expect(await answers(`${url}/own/${keys.join('-')}`)).toEqual(expected);
      expect((await answers(`${url}/next/${keys.join('-')}`)).map(([status]) => status)).toEqual(expected.map(([status]) => status));
    }
  } finally {
    await close();
  }
});

test('the statuses of a service come first', async () => {
  const statuses = { ...FRAMEWORK_ERRORS, invalid_request: 422, idempotency_key_reused: 400 };
  const { url, close } = await serve(YAML, { handlers, idempotency, errors: { statuses } });
  try {
    expect((await answers(`${url}/400-413-415-422`)).slice(0, 2)).toEqual([
      [422, '422'],
      [400, '400'],
    ]);
    expect((await answers(`${url}/none`)).slice(0, 2).map(([status]) => status)).toEqual([400, 400]);
    expect((await answers(`${url}/400`)).slice(0, 2)).toEqual([
      [400, '400'],
      [400, '400'],
    ]);
  } finally {
    await close();
  }
});

describe('Accept that nothing satisfies', () => {
  const responses = (more: string) =>
    `{ '200': { description: ok, content: { application/json: { schema: { type: object } }, text/csv: {} } }, ${more} }`;
  const app = withApp(() =>
    serve(
      `paths:
  /declared: { get: { operationId: declared, responses: ${responses(`'406': ${body('406')}`)} } }
  /other: { get: { operationId: other, responses: ${responses(`default: ${body('default')}`)} } }
  /image: { get: { operationId: image, responses: { '200': { description: ok, content: { image/*: {} } }, '406': ${body('406')} } } }
  /empty: { delete: { operationId: empty, responses: { '204': { description: ok }, '406': ${body('406')} } } }
`,
      {
        handlers: {
          declared: (_: unknown, reply: (...args: unknown[]) => unknown) => reply(200, { type: 'application/json', body: {} }),
          other: (_: unknown, reply: (...args: unknown[]) => unknown) => reply(200, { type: 'application/json', body: {} }),
          image: (_: unknown, reply: (...args: unknown[]) => unknown) => reply(200, { type: 'image/gif', body: Buffer.from('GIF') }),
          empty: (_: unknown, reply: (...args: unknown[]) => unknown) => reply(204),
        },
      },
    ),
  );
  const statusOf = async (path: string, accept: string, method = 'GET') =>
    (await fetch(app.url + path, { method, headers: { accept } })).status;

  test.each([
    ['application/json', 200],
    ['text/*;q=0.1', 200],
    ['*/*', 200],
    ['application/xml, TEXT/CSV', 200],
    ['application/json;q=0, */*', 200],
    ['', 200],
    ['application/xml', 406],
    ['image/*, application/vnd.a+json', 406],
    ['application/json;q=0', 406],
    ['application/json;q=0, text/csv;q=0, */*', 406],
  ])('%j is %i where 406 is declared', async (accept, status) => {
    expect(await statusOf('/declared', accept)).toBe(status);
  });

  test('is refused with the body that is declared, which names the types', async () => {
    const response = await fetch(`${app.url}/declared`, { headers: { accept: 'application/xml' } });
    expect(await response.json()).toEqual({ declaredAs: '406', message: 'header/Accept must accept application/json or text/csv' });
  });

  test('is disregarded where 406 is not declared, or a success has no body', async () => {
    expect([await statusOf('/other', 'application/xml'), await statusOf('/empty', 'application/xml', 'DELETE')]).toEqual([200, 204]);
  });

  test('a declared range is satisfied by each of its types', async () => {
    const accepts = ['image/gif', 'image/*', '*/*', 'text/html'];
    expect(await Promise.all(accepts.map((accept) => statusOf('/image', accept)))).toEqual([200, 200, 200, 406]);
  });
});
