/** The TCP proxy and the load client: what breaks is seen by the client, and what was sent is sent once. */
import http from 'node:http';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { listenOnFreePort, type ListeningServer, until } from 'specwright/testing';
import { createLoadClient, percentile } from './load-client.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let requests: number;
let app: ListeningServer;
let proxy: TcpProxy;
beforeEach(async () => {
  requests = 0;
  app = await listenOnFreePort(
    http.createServer((req, res) => {
      requests++;
      req.resume().on('end', () => res.end(req.url));
    }),
  );
  proxy = await startTcpProxy(app.url);
});
afterEach(async () => {
  await proxy.close();
  await app.close();
});

test('what passes is unchanged, on a kept connection or fresh ones', async () => {
  const kept = createLoadClient(proxy.url);
  expect(await kept.send('GET', '/a')).toMatchObject({ status: 200, body: '/a' });
  expect(await kept.send('POST', '/b', { x: 1 })).toMatchObject({ status: 200, body: '/b' });
  expect(proxy.connections).toBe(1);
  const fresh = createLoadClient(proxy.url, { connections: 'fresh' });
  await fresh.send('GET', '/c');
  await fresh.send('GET', '/d');
  fresh.close();
  kept.close();
  expect(requests).toBe(4);
});

test('a silent connection stays silent after the network returns, and a new one passes', async () => {
  const client = createLoadClient(proxy.url, { timeoutMs: 200 });
  await client.send('GET', '/');
  proxy.silence();
  expect(await client.send('GET', '/silent')).toMatchObject({ status: 0, error: 'timeout' });
  const before = proxy.connections;
  const waiting = client.send('GET', '/new');
  await until(() => proxy.connections > before);
  await proxy.restore();
  expect(await waiting).toMatchObject({ error: 'timeout' });
  expect(await client.send('GET', '/')).toMatchObject({ status: 200 });
  expect(requests).toBe(2);
  client.close();
});

test('with keep, what was sent into the silence arrives once', async () => {
  const client = createLoadClient(proxy.url);
  await client.send('GET', '/');
  proxy.silence();
  const waiting = client.send('GET', '/late');
  await proxy.restore({ keep: true });
  expect(await waiting).toMatchObject({ status: 200, body: '/late' });
  expect(requests).toBe(2);
  client.close();
});

test('a cut is a reset that is not sent again; a refusal lasts until it is restored', async () => {
  const client = createLoadClient(proxy.url);
  await client.send('GET', '/');
  proxy.silence();
  const cut = client.send('GET', '/cut');
  await new Promise((resolve) => setTimeout(resolve, 50));
  proxy.cut();
  expect(await cut).toMatchObject({ status: 0, error: 'ECONNRESET' });
  await proxy.refuse();
  expect(await client.send('GET', '/refused')).toMatchObject({ status: 0, error: 'ECONNREFUSED' });
  await proxy.restore();
  expect(await client.send('GET', '/')).toMatchObject({ status: 200 });
  expect(requests).toBe(2);
  client.close();
});

test('percentiles are values that occurred', () => {
  expect([0, 0.5, 0.99, 1].map((share) => percentile([3, 1, 2, 4], share))).toEqual([1, 2, 4, 4]);
  expect(percentile([], 0.5)).toBeNaN();
});
