/** Streams of a server that stops: those that are open end, with a head if they have none yet, and new ones are refused. */
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { close, createServer, HandlerResponse, listen, type Context } from '@specwright/server';
import { createTestLog, scaleTimeout, until, type LogLine } from 'specwright/testing';
import { loadContractOf, serve } from '../support/serve.ts';

const ITEM = '{ x-item-schema: { type: object } }';
const operation = (id: string, method: string, content: string) =>
  `  /${id}: { ${method}: { operationId: ${id}, responses: { '200': { description: ok, content: { ${content} } } } } }\n`;
const YAML = `paths:
${operation('events', 'get', `text/event-stream: ${ITEM}`)}${operation('lines', 'get', `application/jsonl: ${ITEM}`)}${operation('either', 'get', `application/jsonl: ${ITEM}, application/json: { schema: { type: object } }`)}${operation('ask', 'post', `text/event-stream: ${ITEM}, application/json: { schema: { type: object } }`)}${operation('json', 'get', 'application/json: { schema: { type: object } }')}`;

const lines: LogLine[] = [];
let calls = 0;
let answer: (context: Context<never, never, unknown>) => object | Promise<object>;
const handler = async (_input: unknown, _reply: unknown, context: Context<never, never, unknown>) => {
  calls++;
  return HandlerResponse.reply(200, await answer(context));
};
const handlers = { events: handler, lines: handler, either: handler, ask: handler, json: handler };

async function start() {
  const server = createServer({ contract: await loadContractOf(YAML), handlers, security: {}, log: createTestLog(lines) });
  return { server, url: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}` };
}
beforeEach(() => {
  lines.length = calls = 0;
});

const JSON_BODY = () => ({ type: 'application/json', body: {} });
const silent = (type: string) => () => ({
  type,
  items: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) },
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly isWhole: boolean;
}
const ask = (url: string, method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', () => undefined);
      response.on('close', () => resolve({ status: response.statusCode, headers: response.headers, text, isWhole: response.complete }));
    });
    sent.on('error', reject).end();
  });

test.each([
  ['events', 'text/event-stream', /^retry: [1-5]\d{3}\n\n$/],
  ['lines', 'application/jsonl', /^$/],
])('%s without a first item get their head and end when the server stops, at once', async (path, type, text) => {
  const { server, url } = await start();
  answer = silent(type);
  const asked = ask(`${url}/${path}`);
  await until(() => calls === 1);
  const began = performance.now();
  await close(server, scaleTimeout(4000));
  expect(performance.now() - began).toBeLessThan(scaleTimeout(400));
  expect(await asked).toMatchObject({ status: 200, isWhole: true, text: expect.stringMatching(text), headers: { 'content-type': type } });
});

test('a stream whose handler answers only after the server has stopped gets its head and end', async () => {
  const { server, url } = await start();
  let isStopped = false;
  answer = async () => {
    await until(() => isStopped);
    return silent('text/event-stream')();
  };
  const asked = ask(`${url}/events`);
  await until(() => calls === 1);
  const closed = close(server, scaleTimeout(4000));
  isStopped = true;
  expect(await asked).toMatchObject({ status: 200, isWhole: true, text: expect.stringMatching(/^retry: /) });
  await closed;
});

test('during the drain new streams are refused with 503 and Retry-After, and other requests are served', async () => {
  const { server, url } = await start();
  answer = silent('text/event-stream');
  const began = performance.now();
  const drain = scaleTimeout(300);
  const closed = close(server, scaleTimeout(6000), drain);
  for (const path of ['events', 'lines']) {
    const refused = await ask(`${url}/${path}`);
    expect([refused.status, Number(refused.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
  // One with effects is not called to find out.
  expect((await ask(`${url}/ask`, 'POST')).status).toBe(503);
  expect(calls).toBe(0);
  answer = JSON_BODY;
  expect((await ask(`${url}/json`)).status).toBe(200);
  expect((await ask(`${url}/either`)).status).toBe(200);
  let isClosed = 0;
  answer = () => ({
    type: 'application/jsonl',
    items: { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: {} }), return: () => ({ done: true, value: isClosed++ }) }) },
  });
  expect((await ask(`${url}/either`)).status).toBe(503);
  expect(isClosed).toBe(1);
  await closed;
  expect(performance.now() - began).toBeLessThan(drain + scaleTimeout(500));
});

test('an iterable whose return() throws ends neither the process nor the stop, and is logged once', async () => {
  const closing = (isAsync: boolean) => {
    const iterator = {
      next: () => ({ done: false, value: {} }),
      return: () => {
        throw new Error('cannot be closed');
      },
    };
    return () => ({ type: 'application/jsonl', items: { [isAsync ? Symbol.asyncIterator : Symbol.iterator]: () => iterator } });
  };
  const { url, close: end, log } = await serve(YAML, { handlers });
  for (const isAsync of [false, true]) {
    answer = closing(isAsync);
    const before = log.length;
    const sent = request(`${url}/lines`, { agent: false }, (response) => void response.pause().on('error', () => undefined));
    await new Promise((resolve) =>
      sent
        .on('response', resolve)
        .on('error', () => undefined)
        .end(),
    );
    sent.destroy();
    const errors = () => log.slice(before).filter(({ level }) => level === 'error');
    await until(() => errors().length > 0);
    await sleep(50);
    expect(errors()).toMatchObject([{ message: 'the stream of the response could not be closed' }]);
    answer = JSON_BODY;
    expect((await ask(`${url}/json`)).status).toBe(200);
  }
  await end();
});

test.each(['FIN', 'RST'])('a subscriber that leaves by %s while it is behind is no error in the log', async (by) => {
  const { url, close: end, log } = await serve(YAML, { handlers });
  let made = 0;
  let isClosed = false;
  answer = ({ signal }) => ({
    type: 'application/jsonl',
    items: (async function* () {
      try {
        for (;;) {
          signal.throwIfAborted();
          made++;
          yield { text: 'x'.repeat(10_000) };
        }
      } finally {
        isClosed = true;
      }
    })(),
  });
  const sent = request(`${url}/lines`, { agent: false }, (response) => void response.pause().on('error', () => undefined));
  sent.on('error', () => undefined).end();
  let last = -1;
  await until(() => made > 0);
  while (last !== made) {
    last = made;
    await sleep(100);
  }
  if (by === 'FIN') sent.socket?.end();
  else sent.socket?.resetAndDestroy();
  await until(() => isClosed && log.some(({ message }) => message === 'the client went away'));
  await sleep(20);
  sent.destroy();
  expect(log.filter(({ level }) => level !== 'info')).toEqual([]);
  await end();
});

test('a subscriber that leaves while an item is on its way is no error in the log', async () => {
  const { server, url, close: end, log } = await serve(YAML, { handlers });
  let isClosed = false;
  const left = new Promise<void>((resolve) => server.on('connection', (socket) => void socket.once('end', resolve)));
  // More than a connection buffers, so that the client is behind: after its side has ended, and before the connection is closed.
  answer = () => ({
    type: 'application/jsonl',
    items: (async function* () {
      try {
        yield {};
        await left;
        yield { text: 'x'.repeat(1_000_000) };
      } finally {
        isClosed = true;
      }
    })(),
  });
  const sent = request(`${url}/lines`, { agent: false });
  await new Promise((resolve) =>
    sent
      .on('response', resolve)
      .on('error', () => undefined)
      .end(),
  );
  sent.socket?.end();
  await until(() => isClosed && log.some(({ message }) => message === 'the client went away'));
  await sleep(20);
  sent.destroy();
  expect(log.filter(({ level }) => level !== 'info')).toEqual([]);
  await end();
});
