/** Streams and uploads end with what allowed their caller to begin them: revoked, expired, without a scope, banned. */
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { bearer, HandlerResponse, type PlanTable } from '@specwright/server';
import { createMemoryStore } from '@specwright/server/limits';
import { scaleTimeout, until, withApp } from 'specwright/testing';
import { serve } from '../support/serve.ts';

const SCHEMA = 'x-item-schema: { type: object }';
const YAML = `x-rate-limit-plans:
  plans: { Free: { minute: 1000, day: 1000 } }
  address: { minute: 10, day: 1000 }
security: [{ key: [] }]
paths:
  /events: { get: { operationId: events, responses: { '200': { description: ok, content: { text/event-stream: { ${SCHEMA} } } } } } }
  /seldom: { get: { operationId: seldom, security: [{ seldom: [] }], responses: { '200': { description: ok, content: { text/event-stream: { ${SCHEMA} } } } } } }
  /lines: { get: { operationId: lines, responses: { '200': { description: ok, content: { application/jsonl: { ${SCHEMA} } } } } } }
  /file: { get: { operationId: file, responses: { '200': { description: ok, content: { application/octet-stream: {} } } } } }
  /upload:
    post:
      operationId: upload
      requestBody: { content: { application/octet-stream: { x-stream: true, schema: { type: string, format: binary } } } }
      responses:
        '200': { description: ok }
        '401': { description: no, content: { application/json: { schema: { type: object } } } }
        '429': { description: no, content: { application/json: { schema: { type: object } } } }
components:
  securitySchemes: { key: { type: http, scheme: bearer }, seldom: { type: http, scheme: bearer } }
`;
const RECHECK_MS = scaleTimeout(50);

/** How a token is found: whose it is; `undefined` once it is revoked. */
let find: (token: string) => Promise<{ id: string } | undefined>;
let lookUps: number;
let closed: number;
let banned: boolean;
beforeEach(() => {
  find = async (token) => ({ id: token });
  [lookUps, closed, banned] = [0, 0, false];
});
const counted = async (token: string, _: unknown, limit: { lookUp: <T>(run: () => Promise<T>) => Promise<T> }) => {
  lookUps++;
  return await limit.lookUp(async () => await find(token));
};

async function* endless(): AsyncGenerator<object> {
  try {
    for (let n = 0; ; n++) {
      yield { n };
      await sleep(20);
    }
  } finally {
    closed++;
  }
}
const items = (type: string) => () => HandlerResponse.reply(200, { type, items: endless() });
function file() {
  const stream = new PassThrough().on('close', () => closed++);
  stream.write('begun');
  return HandlerResponse.reply(200, { stream });
}
async function upload({ body }: { body: Readable }) {
  await body.toArray();
  return HandlerResponse.reply(200, {});
}
const memory = createMemoryStore();
const app = withApp(() =>
  serve(YAML, {
    handlers: { events: items('text/event-stream'), seldom: items('text/event-stream'), lines: items('application/jsonl'), file, upload },
    security: { key: bearer(counted as never, 'token', { recheckMs: RECHECK_MS }), seldom: bearer(counted as never) },
    rateLimit: {
      subject: (caller: unknown, { plans }: PlanTable) => ({
        bucket: (caller as { id: string }).id,
        quota: plans['Free'] as never,
        key: { accountId: 1, keyId: 1 },
      }),
      store: {
        take: (taken: never) => memory.take(taken),
        charge: (charges: never) => memory.charge(charges),
        recordRefusal: (...refusal: [never, never]) => memory.recordRefusal(...refusal),
        bans: async () => ({ changes: 0, now: Date.now(), bans: banned ? [{ accountId: 1, keyId: 1, until: Date.now() + 60_000 }] : [] }),
      },
    },
  }),
);

const opened: { destroy: () => void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy();
});
/** @returns the response, once something of it has come, and whether it is whole when it ends. */
async function open(path: string, token = 'a'): Promise<{ response: IncomingMessage; isWhole: () => Promise<boolean> }> {
  const sent = request(app.url + path, { headers: { authorization: `Bearer ${token}` }, agent: false });
  opened.push(sent.on('error', () => undefined).end());
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  let hasEnded = false;
  response.on('error', () => undefined).on('close', () => (hasEnded = true));
  await once(response.resume(), 'data');
  const isWhole = async () => {
    await until(() => hasEnded);
    return response.complete;
  };
  return { response, isWhole };
}
/** @returns the answer to an upload that has begun, which comes before all of it was sent. */
async function beginUpload(): Promise<{ answer: Promise<{ status: number | undefined; text: string }> }> {
  const sent = request(`${app.url}/upload`, {
    method: 'POST',
    headers: { authorization: 'Bearer a', 'content-type': 'application/octet-stream' },
    agent: false,
  });
  opened.push(sent.on('error', () => undefined));
  sent.write('begun');
  const answer = once(sent, 'response').then(async ([response]) => {
    let text = '';
    for await (const chunk of response as IncomingMessage) text += String(chunk);
    return { status: (response as IncomingMessage).statusCode, text };
  });
  await until(() => lookUps > 1);
  return { answer };
}

test.each([
  ['events, which end', '/events', true],
  ['items that must not look whole, which are cut off', '/lines', false],
  ['a download, which is cut off', '/file', false],
])('revoked during %s', async (_, path, whole) => {
  const { isWhole } = await open(path);
  const other = await open('/events', 'b');
  await until(() => lookUps > 4);
  find = async (token) => (token === 'a' ? undefined : { id: token });
  expect(await isWhole()).toBe(whole);
  await until(() => closed >= 1);
  await sleep(2 * RECHECK_MS);
  expect(other.response.complete).toBe(false);
});

test('revoked during an upload: the handler gets no more of it, and the client an answer', async () => {
  const { answer } = await beginUpload();
  find = async () => undefined;
  const { status, text } = await answer;
  expect([status, JSON.parse(text)]).toEqual([401, { code: 'unauthorized', message: 'the token is not valid', status: 401 }]);
});

test.each([
  ['a failure', new Error('the database is away')],
  ['one that has a code of ours', Object.assign(new Error('the cache is away'), { code: 'unauthorized' })],
])('while callers cannot be looked up, what they have begun goes on: %s', async (_, error) => {
  const { response, isWhole } = await open('/events');
  find = () => Promise.reject(error);
  const before = lookUps;
  await until(() => lookUps > before + 3);
  expect(response.complete).toBe(false);
  find = async () => undefined;
  expect(await isWhole()).toBe(true);
});

test('looking up again is not charged to the address, and ends with the stream', async () => {
  const { response } = await open('/events');
  await until(() => lookUps > 15);
  expect(response.complete).toBe(false);
  response.destroy();
  await until(() => closed >= 1);
  await sleep(RECHECK_MS);
  const after = lookUps;
  await sleep(4 * RECHECK_MS);
  expect(lookUps).toBe(after);
});

test('an authenticator that says nothing of it is asked again after 30 s', async () => {
  await open('/seldom');
  await sleep(4 * RECHECK_MS);
  expect(lookUps).toBe(1);
});

test('a key that is banned ends its streams and uploads', async () => {
  const { isWhole } = await open('/events');
  const { answer } = await beginUpload();
  banned = true;
  expect(await isWhole()).toBe(true);
  expect((await answer).status).toBe(429);
});
