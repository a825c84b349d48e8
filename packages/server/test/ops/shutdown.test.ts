/** Closing a server waits for requests under way, up to a timeout, and not for idle connections; before, it may go on serving. */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, createServer, get, type Server, type ServerResponse } from 'node:http';
import { close, listen } from '@specwright/server';
import { scaleTimeout } from 'specwright/testing';

const agent = new Agent({ keepAlive: true });
afterEach(() => agent.destroy());

async function start(): Promise<{ server: Server; ask: () => Promise<ServerResponse>; answers: Promise<string | number>[] }> {
  const answers: Promise<string | number>[] = [];
  const server = createServer();
  const port = await listen(server, 0, '127.0.0.1');
  const ask = async () => {
    const request = get({ port, host: '127.0.0.1', agent });
    answers.push(
      new Promise((resolve) => {
        request.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)));
        request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
      }),
    );
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    return response;
  };
  return { server, ask, answers };
}

test('answers requests under way, and closes idle connections before their keep-alive timeout', async () => {
  const { server, ask, answers } = await start();
  (await ask()).end();
  await answers[0];
  const pending = await ask();
  const began = performance.now();
  const closed = close(server, 10_000);
  pending.end('late');
  await closed;
  expect(await Promise.all(answers)).toEqual([200, 200]);
  expect(performance.now() - began).toBeLessThan(scaleTimeout(1000));
});

test('closes the connection of a request that does not end in time', async () => {
  const { server, ask, answers } = await start();
  await ask();
  const began = performance.now();
  await close(server, 100);
  expect(performance.now() - began).toBeGreaterThan(90);
  expect(await Promise.all(answers)).toEqual(['ECONNRESET']);
});

test('each response of a server closes its connection during the drain delay', async () => {
  const { server, ask, answers } = await start();
  (await ask()).end();
  await answers[0];
  const closed = close(server, 10_000, scaleTimeout(300));
  const last = await ask();
  const { socket } = last;
  last.end();
  expect(last.getHeader('Connection') ?? last.shouldKeepAlive).toBe(false);
  await once(socket as NonNullable<typeof socket>, 'close');
  await closed;
});
