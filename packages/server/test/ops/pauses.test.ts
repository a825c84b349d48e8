/** A pause of the process is noticed before anything else is done after it, and closes no connection on which a request has arrived. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterPause, checkPause, onPause } from '@specwright/contract/runtime';
import { createServer } from '@specwright/server';
import { listenOnFreePort } from 'specwright/testing';
import { optionsOf } from '../support/serve.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  jest.restoreAllMocks();
  for (const end of ends.splice(0)) end();
});

const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

function listen(): number[] {
  const pauses: number[] = [];
  ends.push(onPause((ms) => pauses.push(ms)));
  return pauses;
}

test('tells all listeners once, in the turn that follows, and what waits until what has arrived is read', async () => {
  const [first, second] = [listen(), listen()];
  block(1000);
  expect([checkPause(), checkPause()]).toEqual([true, true]);
  await afterPause();
  expect(checkPause()).toBe(false);
  await sleep(300);
  expect([first, second]).toEqual([[expect.closeTo(1000, -3)], [expect.closeTo(1000, -3)]]);
});

test('notices by itself what nobody asks for, and nothing shorter', async () => {
  const pauses = listen();
  block(300);
  await sleep(50);
  expect(pauses).toEqual([]);
  block(1000);
  await sleep(50);
  expect(pauses).toHaveLength(1);
});

test('notices the sleep of a machine whose monotonic clock stood still', () => {
  const pauses = listen();
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now + 600_000);
  checkPause();
  expect(pauses[0]).toBeGreaterThan(590_000);
});

test('answers a request that arrived on a kept connection during the pause', async () => {
  const server = createServer(await optionsOf('paths: {}\n'));
  server.keepAliveTimeout = 100;
  const { url, close } = await listenOnFreePort(server);
  ends.push(() => void close());
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').setNoDelay();
  const answers: string[] = [];
  socket.on('data', (chunk: Buffer) => answers.push(chunk.toString()));
  for (let request = 1; request <= 2; request++) {
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    // Longer than Node keeps an idle connection: from version 24 on a second more than is said.
    if (request === 2) block(1300);
    await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  }
  expect(answers.map((answer) => answer.slice(0, 15))).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  // One that is idle is closed.
  await once(socket, 'close');
});
