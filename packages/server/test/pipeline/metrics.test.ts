/** GET /metrics: how often it is rendered, at a port apart, and how the figures of several processes become one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { close, createServer, listen, type Metric } from '@specwright/server';
import { withApp, type LogLine } from 'specwright/testing';
import { formatMetrics } from '../../src/ops/scrape.ts';
import { optionsOf, serve } from '../support/serve.ts';

const YAML = `paths:
  /things:
    get:
      operationId: listThings
      responses: { '200': { description: ok } }
`;

let reads = 0;
const source = (): Metric[] => [{ name: 'reads_total', help: 'Reads.', type: 'counter', values: [{ value: ++reads }] }];
const app = withApp(() => serve(YAML, { metrics: true, parts: [{ metrics: source }] }));
const readsOf = async (url: string) => /^reads_total (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

test('is rendered at most once a second, however many ask', async () => {
  const first = await readsOf(app.url);
  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => readsOf(app.url))))).toEqual(new Set([first]));
  expect(reads).toBe(1);
});

test('a source that throws costs its metrics only', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const broken = (): never => {
    throw new Error('broken');
  };
  const own = await serve(YAML, { metrics: true, parts: [{ metrics: broken }, { metrics: source }] });
  expect(await readsOf(own.url)).toBeDefined();
  expect(own.log).toContainEqual(expect.objectContaining({ message: 'some metrics could not be read' }));
  // A source has a second.
  await sleep(1_200);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
  await own.close();
});

test('without options neither metrics nor documentation are served, and nothing is logged about them', async () => {
  const own = await serve(YAML);
  expect(own.log).toEqual([]);
  for (const path of ['/metrics', '/docs']) expect((await fetch(own.url + path)).status).toBe(404);
  await own.close();
});

test('has a series for what was used only', async () => {
  const own = await serve(YAML, { metrics: { maxAgeMs: 0 } });
  const scrape = async () => (await fetch(`${own.url}/metrics`)).text();
  expect(await scrape()).not.toContain('http_route');
  await fetch(`${own.url}/things`);
  expect(await scrape()).toMatch('http_server_requests_total{http_request_method="GET",http_route="/things",');
  await own.close();
});

test('with a port it is served there, not with the contract, until the server is closed', async () => {
  const log: LogLine[] = [];
  const server = createServer({ ...(await optionsOf(YAML, {}, log)), metricsPort: 0 });
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const apart = `http://127.0.0.1:${String(log.find(({ message }) => message === '/metrics is served')?.['port'])}`;
  const statuses = async (base: string, ...paths: string[]) => Promise.all(paths.map(async (path) => (await fetch(base + path)).status));
  expect(await statuses(url, '/metrics', '/livez')).toEqual([404, 200]);
  expect(await statuses(apart, '/metrics', '/metrics?x=1', '/livez', '/things')).toEqual([200, 200, 404, 404]);
  expect((await fetch(`${apart}/metrics`, { method: 'POST' })).status).toBe(405);
  const response = await fetch(`${apart}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toMatch(/^http_server_requests_total\{http_request_method="GET",http_response_status_code="404"\} 1$/m);
  await close(server, 1000);
  await expect(fetch(`${apart}/metrics`)).rejects.toThrow();
});

test('a port for metrics that is in use fails the start, and says which variable to change', async () => {
  const other = createHttpServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const server = createServer({ ...(await optionsOf(YAML)), metricsPort: port });
  await expect(listen(server, 0, '127.0.0.1')).rejects.toThrow(
    `port ${port} is in use: stop the process that listens there, or choose another with METRICS_PORT`,
  );
  await close(server, 1000);
  other.close();
});

test('labels and descriptions are escaped', () => {
  const metric: Metric = {
    name: 'a_total',
    help: 'A "b" \\ c.',
    type: 'counter',
    values: [{ labels: { reason: 'say "x"\n\\' }, value: 5 }],
  };
  expect(formatMetrics([metric])).toBe(
    ['# HELP a_total A "b" \\\\ c.', '# TYPE a_total counter', 'a_total{reason="say \\"x\\"\\n\\\\"} 5', ''].join('\n'),
  );
});
