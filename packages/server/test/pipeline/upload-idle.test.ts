/** A client that sends nothing while a stream waits for it, and what the stream tells the server of its waiting. */
import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { listenOnFreePort, until, withApp } from 'specwright/testing';
import { Deadlines } from '@specwright/contract/runtime';
import { BodyBudget } from '../../src/pipeline/body/body-budget.ts';
import { type IdleUpload, UploadStream } from '../../src/pipeline/body/upload-stream.ts';
import { headOf, rawClient } from '../support/raw-client.ts';

const budget = new BodyBudget(1, 1);
const IDLE_MS = 200;
const idle = new Deadlines<IdleUpload>(IDLE_MS, (upload) => upload.expire());
const uploads: { stream: UploadStream; events: string[]; request: IncomingMessage }[] = [];
const app = withApp(() =>
  listenOnFreePort(
    createServer((request) => {
      const events: string[] = [];
      const stream = new UploadStream({
        request,
        maxBytes: 1000,
        lengthProblem: () => undefined,
        decoder: undefined,
        digest: undefined,
        beginWaiting: () => events.push('wait'),
        endWaiting: () => events.push('go on'),
        idle,
        lease: budget.open(0),
        arriving: budget.arriving,
      });
      uploads.push({ stream, events, request });
    }),
  ),
);

async function begin(head: string) {
  const client = await rawClient(app.url);
  client.write(head);
  const count = uploads.length;
  await until(() => uploads.length > count);
  return { client, ...(uploads.at(-1) as (typeof uploads)[number]) };
}

test('a client that sends nothing is cut off with 408', async () => {
  const { stream, events } = await begin(headOf('/', { 'Content-Length': 10 }));
  const began = performance.now();
  await expect(stream.toArray()).rejects.toMatchObject({ code: 'request_timeout' });
  expect(performance.now() - began).toBeGreaterThanOrEqual(IDLE_MS - 1);
  expect([events, stream.lease.isRefused]).toEqual([['wait', 'go on'], true]);
});

test('a client that sends some bytes now and then is not', async () => {
  const { client, stream } = await begin(headOf('/', { 'Content-Length': 4 }));
  const reading = stream.toArray();
  const began = performance.now();
  for (let sent = 0; sent < 4; sent++) {
    await until(() => performance.now() - began > (sent + 1) * 0.6 * IDLE_MS);
    client.write('x');
  }
  expect(Buffer.concat(await reading).toString()).toBe('xxxx');
});

test('nobody waits for a client whose bytes the handler does not read', async () => {
  const { stream, events, client } = await begin(`${headOf('/', { 'Content-Length': 4 })}ab`);
  expect(events).toEqual([]);
  expect(String((await stream[Symbol.asyncIterator]().next()).value)).toBe('ab');
  client.write('cd');
  await until(() => stream.readableLength === 2);
  expect(events.length % 2).toBe(0);
});

test('nobody waits for a client that has sent all, though the end was not read yet', async () => {
  const { stream, events, request } = await begin(`${headOf('/', { 'Content-Length': 4 })}abcd`);
  expect([request.complete, request.readableEnded]).toEqual([true, false]);
  expect(Buffer.concat(await stream.toArray()).toString()).toBe('abcd');
  expect(events).toEqual([]);
});

test('once the request was answered the stream fails, and nobody waits for its client', async () => {
  const { stream, events } = await begin(headOf('/', { 'Content-Length': 4 }));
  const reading = expect(stream.toArray()).rejects.toThrow('the request was answered before its body was read');
  await until(() => events.includes('wait'));
  stream.discard();
  await reading;
  expect(events).toEqual(['wait', 'go on']);
  expect(stream.lease.isRefused).toBe(false);
});
