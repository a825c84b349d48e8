/** Stopping a server that serves: every response says that its connection ends, and no kept connection is closed under its client. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Agent, get } from 'node:http';
import type { Socket } from 'node:net';
import { close } from '@specwright/server';
import { scaleTimeout, withDatabase } from 'specwright/testing';
import { startApp, type TestApp } from '../support/service/app.ts';

const database = withDatabase();
let app: TestApp;
let agent: Agent;
beforeEach(async () => {
  app = await startApp(database.db);
  agent = new Agent({ keepAlive: true });
});
afterEach(() => agent.destroy());

interface Answer {
  readonly status: number;
  readonly connection: string;
  readonly keepAlive: unknown;
  readonly socket: Socket;
}

const ask = (path: string) =>
  new Promise<Answer>((resolve, reject) => {
    get(app.url + path, { agent }, (response) => {
      const { statusCode: status = 0, headers, socket } = response;
      response
        .resume()
        .on('end', () => resolve({ status, connection: headers.connection ?? '', keepAlive: headers['keep-alive'], socket }));
    }).on('error', reject);
  });

test('connections are kept for longer than a load balancer keeps them', async () => {
  expect(await ask('/livez')).toMatchObject({ connection: 'keep-alive', keepAlive: 'timeout=72' });
  await app.close();
});

test('while it drains, kept and new connections are served and then closed; those that stay idle end with it', async () => {
  const opened = await Promise.all([ask('/livez'), ask('/livez')]);
  const began = performance.now();
  // Once: it grows while the machine is busy.
  const drainDelay = scaleTimeout(500);
  const closed = close(app.server, scaleTimeout(5000), drainDelay);
  const kept = await ask('/livez');
  expect(kept).toMatchObject({ status: 200, connection: 'close' });
  const idle = opened.map(({ socket }) => socket).filter((socket) => socket !== kept.socket);
  expect(idle.map(({ destroyed }) => destroyed)).toEqual([false]);
  const fresh = await fetch(`${app.url}/livez`);
  expect([fresh.status, fresh.headers.get('connection')]).toEqual([200, 'close']);
  expect(idle.map(({ destroyed }) => destroyed)).toEqual([false]);
  await closed;
  expect(performance.now() - began).toBeGreaterThanOrEqual(drainDelay);
  await expect(ask('/livez')).rejects.toThrow();
});
