/** The receiver of webhooks in a generated client: what it accepts, refuses and gives to its handlers. The library of the standard is the witness. */
import http from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { listenOnFreePort } from 'specwright/testing';
import { build } from 'esbuild';
import { Webhook } from 'standardwebhooks';
import { createFolder, strictProblems, writeClient } from './support/client.ts';

const OK = "responses: { '204': { description: ok } }";
const bodyOf = (schema: string) => `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`;
const SPEC = `openapi: 3.1.0
info: { title: Orders, version: 1.0.0 }
webhooks:
  order.completed: { post: { ${bodyOf("{ allOf: [{ $ref: '#/components/schemas/Event' }], type: object, required: [type, orderId], properties: { type: { const: order.completed }, orderId: { type: integer } } }")}, ${OK} } }
  order.deleted: { post: { ${bodyOf('{ type: object, required: [type], properties: { type: { enum: [order.deleted, order.purged] }, secret: { type: string, writeOnly: true } } }')}, ${OK} } }
  ping: { post: { ${OK} } }
  heartbeat: { post: { ${bodyOf('{ type: object, required: [beat], properties: { beat: { type: integer } } }')}, ${OK} } }
  pulse: { post: { ${bodyOf('{ type: object, required: [beat], properties: { beat: { type: string } } }')}, ${OK} } }
paths: { /a: { get: { operationId: a, ${OK} } } }
components: { schemas: { Event: { type: object, required: [at], properties: { at: { type: string } } } } }
`;

type Receiver = (request: Request, name?: string) => Promise<Response>;
interface Client {
  createWebhookReceiver(options: object): Receiver;
  nodeWebhookHandler(
    receiver: Receiver,
    name?: string,
  ): (request: http.IncomingMessage, response: http.ServerResponse, next?: (error: unknown) => void) => void;
}

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const OLD_SECRET = `whsec_${Buffer.from('fedcba9876543210fedcba9876543210').toString('base64')}`;

const { folder, remove } = createFolder();
afterAll(remove);
let client: Client;
beforeAll(async () => {
  await writeClient(folder, parseSource('test.yaml', SPEC));
  client = (await import(pathToFileURL(join(folder, 'index.js')).href)) as Client;
}, 60_000);

interface Attempt {
  readonly secret?: string;
  readonly at?: Date;
  readonly headers?: Record<string, string>;
}

/** The headers of a delivery as the library of the standard makes them. */
function signed(body: string, { secret = SECRET, at = new Date(), headers = {} }: Attempt = {}): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    ...headers,
  };
}

const request = (body: string, attempt?: Attempt) =>
  new Request('http://localhost/hook', { method: 'POST', body, headers: signed(body, attempt) });

const COMPLETED = '{"type":"order.completed","orderId":7,"at":"now","é":"🐕"}';

/** What the handlers of a receiver get. */
function receiver(options: object = {}) {
  const got: unknown[] = [];
  const handle = (payload: unknown, { name, id }: { name: string; id: string }) => void got.push([name, id, payload]);
  const handlers = { orderCompleted: handle, orderDeleted: handle, ping: handle, pulse: handle };
  return { got, receive: client.createWebhookReceiver({ secret: SECRET, handlers, ...options }) };
}

test('gives what the library has signed to the handler of its name', async () => {
  const { got, receive } = receiver();
  for (const body of [COMPLETED, '{"type":"order.purged"}', '']) expect((await receive(request(body))).status).toBe(204);
  expect(got).toEqual([
    ['orderCompleted', 'msg_1', JSON.parse(COMPLETED)],
    ['orderDeleted', 'msg_1', { type: 'order.purged' }],
    ['ping', 'msg_1', undefined],
  ]);
});

test.each<[string, string, Attempt, number]>([
  ['another secret', COMPLETED, { secret: OLD_SECRET }, 401],
  ['an attempt of six minutes ago', COMPLETED, { at: new Date(Date.now() - 360_000) }, 401],
  ['an attempt of the future', COMPLETED, { at: new Date(Date.now() + 360_000) }, 401],
  ['another id than was signed', COMPLETED, { headers: { 'webhook-id': 'msg_2' } }, 401],
  ['another timestamp than was signed', COMPLETED, { headers: { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 2) } }, 401],
  ['a signature of another version', COMPLETED, { headers: { 'webhook-signature': 'v1a,AAAA' } }, 401],
  ['a signature that is no base64', COMPLETED, { headers: { 'webhook-signature': 'v1,***' } }, 401],
  ['a timestamp that is no number', COMPLETED, { headers: { 'webhook-timestamp': '1e9' } }, 400],
  ['no JSON', 'no', {}, 400],
  ['JSON that ends early', '{"type":', {}, 400],
  ['what is of no webhook', '{"type":"order.created"}', {}, 400],
  ['a body that is too long', JSON.stringify({ type: 'order.deleted', padding: 'x'.repeat(2000) }), {}, 413],
])('refuses %s', async (_, body, attempt, status) => {
  const { got, receive } = receiver({ maxBytes: 1000 });
  expect((await receive(request(body, attempt))).status).toBe(status);
  expect(got).toEqual([]);
});

test('refuses a request without the headers of the standard, and a body that was changed', async () => {
  const { got, receive } = receiver();
  expect((await receive(new Request('http://localhost/', { method: 'POST', body: COMPLETED }))).status).toBe(400);
  const changed = new Request('http://localhost/', { method: 'POST', body: `${COMPLETED} `, headers: signed(COMPLETED) });
  expect((await receive(changed)).status).toBe(401);
  expect(got).toEqual([]);
});

test('accepts one of several signatures, and one of several secrets', async () => {
  const both = (body: string) => {
    const now = new Date();
    const signatures = [OLD_SECRET, SECRET].map((secret) => new Webhook(secret).sign('msg_1', now, body));
    return { at: now, headers: { 'webhook-signature': ['v2,AAAA', ...signatures].join(' ') } };
  };
  expect((await receiver().receive(request(COMPLETED, both(COMPLETED)))).status).toBe(204);
  const rotating = receiver({ secret: async () => [SECRET, OLD_SECRET] });
  for (const secret of [SECRET, OLD_SECRET]) expect((await rotating.receive(request(COMPLETED, { secret }))).status).toBe(204);
  expect(rotating.got).toHaveLength(2);
});

test('where payloads do not tell, the name does; what has no handler is accepted', async () => {
  const { got, receive } = receiver();
  await expect(receive(request('{"beat":1}'))).rejects.toThrow('the body may be of heartbeat, pulse: give the receiver the name');
  expect((await receive(request('{"beat":1}'), 'heartbeat')).status).toBe(204);
  expect((await receive(request('{"beat":"1"}'), 'pulse')).status).toBe(204);
  expect(got).toEqual([['pulse', 'msg_1', { beat: '1' }]]);
});

test('a handler that throws makes the receiver throw', async () => {
  const failing = client.createWebhookReceiver({ secret: SECRET, handlers: { orderCompleted: () => Promise.reject(new Error('no')) } });
  await expect(failing(request(COMPLETED))).rejects.toThrow('no');
});

test('listens in Node, and tells the next handler of what was thrown', async () => {
  const { got, receive } = receiver();
  const failing = client.nodeWebhookHandler(client.createWebhookReceiver({ secret: 'whsec_', handlers: {} }));
  const passed: unknown[] = [];
  const server = http.createServer((req, res) => {
    if (req.url === '/fails') failing(req, res);
    else if (req.url === '/next') failing(req, res, (error) => passed.push(error) && res.end());
    else client.nodeWebhookHandler(receive)(req, res);
  });
  const { url, close } = await listenOnFreePort(server);
  try {
    const post = async (path: string, body: string) =>
      (await fetch(`${url}${path}`, { method: 'POST', body, headers: signed(COMPLETED) })).status;
    expect([await post('/', COMPLETED), await post('/', '{}'), await post('/fails', COMPLETED), await post('/next', COMPLETED)]).toEqual([
      204, 401, 500, 200,
    ]);
    expect(got).toEqual([['orderCompleted', 'msg_1', JSON.parse(COMPLETED)]]);
    expect(passed).toEqual([expect.any(TypeError)]);
  } finally {
    await close();
  }
});

test('payloads are typed by their names, under the strictest settings', () => {
  const program = `import { createWebhookReceiver, nodeWebhookHandler, type WebhookPayloads } from './client.ts';
export const receiver = createWebhookReceiver({
  secret: ['a', 'b'],
  handlers: {
    orderCompleted: async ({ orderId }, { id, name, sentAt }) => {
      const number: number = orderId;
      const text: 'orderCompleted' = name;
      console.log(number, text, id, sentAt.getTime());
    },
    // @ts-expect-error writeOnly properties are not sent
    orderDeleted: ({ secret }) => console.log(secret),
    ping: (payload: undefined) => payload,
  },
});
// @ts-expect-error there is no such webhook
createWebhookReceiver({ secret: '', handlers: { orderCreated: () => undefined } });
// @ts-expect-error there is no such webhook
void receiver(new Request(''), 'orderCreated');
export const handler = nodeWebhookHandler(receiver, 'ping');
export const payload: WebhookPayloads['heartbeat'] = { beat: 1 };
`;
  writeFileSync(join(folder, 'source/program.ts'), program);
  expect(strictProblems(folder, ['source/program.ts'])).toEqual([]);
});

test('the receiver is bundled only where it is imported', async () => {
  const bundle = async (entry: string) => {
    const options = {
      stdin: { contents: entry, resolveDir: folder },
      bundle: true,
      write: false,
      format: 'esm',
      treeShaking: true,
    } as const;
    return (await build(options)).outputFiles[0]?.text ?? '';
  };
  const without = await bundle(`import { createClient } from './index.js'; console.log(createClient);`);
  const withReceiver = await bundle(`import { createWebhookReceiver } from './index.js'; console.log(createWebhookReceiver);`);
  expect(withReceiver).toContain('webhook-signature');
  expect(without).not.toMatch(/webhook|HMAC/i);
  expect(withReceiver).not.toContain('Idempotency-Key');
});
