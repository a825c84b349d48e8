/** The parts of a server: the order of their start and close, each once, and what one that fails leaves to the others. */
import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { close, createRequestHandler, createServer, listen, type Readiness, type ServerPart } from '@specwright/server';
import type { LogLine } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const YAML = `paths:
  /things: { get: { operationId: getThing, responses: { '200': { description: ok } } } }
`;

let calls: string[];
let lines: LogLine[];
beforeEach(() => {
  calls = [];
  lines = [];
});

/** A part that tells what is done with it, each in a turn of the event loop. */
function part(name: string, failing?: 'start' | 'stop' | 'close'): ServerPart {
  const step = (kind: 'start' | 'stop' | 'close') => async () => {
    calls.push(`${kind} ${name}`);
    await new Promise((resolve) => setImmediate(resolve));
    if (kind === failing) throw new Error(`${name} does not ${kind}`);
    calls.push(`${name} ${kind} done`);
  };
  return { start: step('start'), stop: step('stop'), close: step('close') };
}

const serverOf = async (parts: readonly ServerPart[], readiness?: Readiness) =>
  createServer(await optionsOf(YAML, { parts, ...(readiness && { readiness }) }, lines));
const listening = async (parts: readonly ServerPart[], readiness?: Readiness) => {
  const server = await serverOf(parts, readiness);
  await listen(server, 0, '127.0.0.1');
  return server;
};
const turns = async () => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
};

test('they are started one after the other, stopped at once, and closed in the reverse order', async () => {
  const server = await listening([part('a'), {}, part('b')]);
  await turns();
  await close(server, 1000);
  expect(calls).toEqual([
    ...['start a', 'a start done', 'start b', 'b start done'],
    ...['stop a', 'stop b', 'a stop done', 'b stop done'],
    ...['close b', 'b close done', 'close a', 'a close done'],
  ]);
});

test('each is stopped and closed once, however often and in whichever way the server is closed', async () => {
  const server = await listening([part('a')]);
  await turns();
  const closed = once(server, 'close');
  server.close();
  await closed;
  await Promise.all([close(server, 1000), close(server, 1000)]);
  expect(calls.filter((call) => call.endsWith('done'))).toEqual(['a start done', 'a stop done', 'a close done']);
});

test('what was never started is closed: a server that does not listen', async () => {
  await close(await serverOf([part('a')]), 1000);
  expect(calls).toEqual(['stop a', 'a stop done', 'close a', 'a close done']);
});

test('they are closed after the last request', async () => {
  const gate = new EventEmitter();
  const handlers = {
    getThing: async (_: unknown, reply: (status: number) => object) => {
      gate.emit('begun');
      await once(gate, 'opened');
      calls.push('answered');
      return reply(200);
    },
  };
  const server = createServer(await optionsOf(YAML, { parts: [part('a')], handlers }, lines));
  const port = await listen(server, 0, '127.0.0.1');
  const begun = once(gate, 'begun');
  const response = fetch(`http://127.0.0.1:${port}/things`);
  await begun;
  const closed = close(server, 5000);
  await turns();
  expect(calls).toContain('a stop done');
  gate.emit('opened');
  expect((await response).status).toBe(200);
  await closed;
  expect(calls.slice(-3)).toEqual(['answered', 'close a', 'a close done']);
});

describe('one that fails', () => {
  test.each(['stop', 'close'] as const)('to %s keeps no other from closing; it is logged, and thrown', async (kind) => {
    const server = await listening([part('a'), part('b', kind), part('c')]);
    await turns();
    await expect(close(server, 1000)).rejects.toMatchObject({ errors: [new Error(`b does not ${kind}`)] });
    expect(calls.filter((call) => call.endsWith(' close done'))).toEqual(
      kind === 'stop' ? ['c close done', 'b close done', 'a close done'] : ['c close done', 'a close done'],
    );
    const done = kind === 'stop' ? 'stopped' : 'closed';
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', message: `a part of the server could not be ${done}` }));
  });

  test('to start is an error of the server; those behind it are not started, and all are closed', async () => {
    const server = await serverOf([part('a'), part('b', 'start'), part('c')]);
    const failed = once(server, 'error');
    await listen(server, 0, '127.0.0.1');
    expect(await failed).toEqual([new Error('b does not start')]);
    await close(server, 1000);
    expect(calls.filter((call) => call.startsWith('start '))).toEqual(['start a', 'start b']);
    expect(calls.filter((call) => call.endsWith(' close done'))).toEqual(['c close done', 'b close done', 'a close done']);
  });
});

test('a stop aborts a start under way and waits for it; what it throws then is no error', async () => {
  const slow: ServerPart = {
    start: async (signal) => {
      calls.push('start slow');
      await once(signal, 'abort');
      calls.push('aborted');
      throw signal.reason;
    },
    close: () => void calls.push('close slow'),
  };
  const server = await listening([slow, part('b')]);
  server.on('error', () => calls.push('error'));
  await turns();
  await close(server, 1000);
  expect(calls).toEqual(['start slow', 'aborted', 'stop b', 'b stop done', 'close b', 'b close done', 'close slow']);
});

test('they are started when the server becomes ready for the first time', async () => {
  const listeners: (() => void)[] = [];
  const readiness: Readiness = { reason: () => 'no', check: async () => 'no', onReady: (listener) => void listeners.push(listener) };
  const server = await listening([part('a')], { ...readiness, stop: () => void calls.push('readiness stopped') });
  await turns();
  expect(calls).toEqual([]);
  for (let times = 0; times < 2; times++) for (const listener of listeners) listener();
  await turns();
  expect(calls).toEqual(['start a', 'a start done']);
  await close(server, 1000);
  expect(calls.filter((call) => call === 'readiness stopped')).toHaveLength(1);
});

test('the server is not ready as soon as it begins to stop, also while a part is being started', async () => {
  const readiness: Readiness = {
    reason: () => undefined,
    check: async () => undefined,
    onReady: (listener) => listener(),
    stop: () => void calls.push('readiness stopped'),
  };
  const server = await listening(
    [{ start: (signal) => once(signal, 'abort').then(turns), stop: () => void calls.push('stop') }],
    readiness,
  );
  const closed = close(server, 1000);
  expect(calls).toEqual(['readiness stopped']);
  await closed;
  expect(calls).toEqual(['readiness stopped', 'stop']);
});

test('those of a handler in another application are started at once, and closed with it', async () => {
  const handler = createRequestHandler(await optionsOf(YAML, { parts: [part('a'), part('b', 'start')] }, lines));
  await turns();
  await handler.close();
  expect(calls.filter((call) => call.endsWith('done'))).toEqual(expect.arrayContaining(['a start done', 'b close done', 'a close done']));
  expect(lines).toContainEqual(expect.objectContaining({ level: 'error', message: 'a part of the server could not be started' }));
});
