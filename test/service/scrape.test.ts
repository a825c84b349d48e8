/** A scrape of `GET /metrics`: what it costs once everything was used, what it has before, and whether Prometheus can work with it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { expect, test } from '@jest/globals';
import { databaseMetrics, notificationMetrics } from '@specwright/postgres';
import { openCallerCache, openCounterStore } from '@specwright/accounts';
import { createTestLog, withApp, withDatabase } from 'specwright/testing';
import { createWorker, queueMetrics } from '@specwright/accounts/webhooks';
import { parse } from 'yaml';
import { spec } from '../contract/spec.ts';
import { startApp } from '../support/service/app.ts';

const MAX_BYTES = 100 * 1024;
const MAX_CPU_MS = 15;
const SCRAPES = 10;
/** A name that prom-client gives, and Prometheus advises against. */
const OF_PROM_CLIENT = ['nodejs_version_info'];

const database = withDatabase();
const store = withApp(() => openCounterStore({ url: database.url }));
const callers = withApp(() => openCallerCache(database.db));
const app = withApp(() =>
  startApp(database.db, {
    metrics: { maxAgeMs: 0 },
    parts: [
      { metrics: databaseMetrics(database.db) },
      { metrics: notificationMetrics },
      { metrics: store.metrics },
      { metrics: callers.metrics },
      { metrics: () => queueMetrics(database.db) },
      { metrics: createWorker({ db: database.db, log: createTestLog(), timeout: 1000, stopTimeout: 1000, retentionDays: 30 }).metrics },
    ],
    use: [
      (req, res, next) => {
        const status = req.get('X-Status');
        if (status === undefined) next();
        else res.status(Number(status)).end();
      },
    ],
  }),
);

const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  new Promise<string>((resolve, reject) => {
    const sent = request(app.url + path, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts).toString()));
    });
    sent.on('error', reject).end();
  });
const scrape = () => call('GET', '/metrics');

interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
/** Metrics with their matchers: `name{label="value"}`, as expressions write them. */
const SELECTOR = /\b((?:http_server|db_client|rate_limit|api_key|messages_queue|deliveries)_\w+)(?:\{([^}]*)\})?(?=\[|\)(?! \())/g;

test('has each series that an alert asks for before it is used, so that rate() sees the first', async () => {
  const series = (await scrape()).split('\n');
  const { groups } = parse(readFileSync('.deploy/observability/alerts.yaml', 'utf8')) as Alerts;
  const asked = groups
    .flatMap(({ rules }) =>
      rules.flatMap(({ expr }) => [...expr.matchAll(SELECTOR)].map(([, name = '', matchers = '']) => ({ name, matchers }))),
    )
    // Those of routes: without requests there is nothing to be in proportion to.
    .filter(({ matchers }) => !matchers.includes('http_route!'))
    .flatMap(({ name, matchers }) => {
      const [, label, values = ''] = /^(\w+)=~?"(.*)"$/.exec(matchers) ?? [];
      return label === undefined ? [{ name, label: '' }] : values.split('|').map((value) => ({ name, label: `${label}="${value}"` }));
    });
  expect(asked.length).toBeGreaterThan(10);
  const missing = asked.filter(
    ({ name, label }) => !series.some((line) => /^[{ ]/.test(line.slice(name.length)) && line.startsWith(name) && line.includes(label)),
  );
  expect(missing).toEqual([]);
});

test('is at most 100 KiB and takes a few ms of CPU after each operation has answered with each of its statuses', async () => {
  for (const { method, path, statuses } of spec.operations)
    for (const status of statuses.filter((key) => /^\d+$/.test(key)))
      await call(method, path.replaceAll(/\{[^}]*\}/g, '1'), { 'X-Status': status });
  const text = await scrape();
  expect(text.length).toBeLessThan(MAX_BYTES);
  // With the client's part of it. The lowest, because other processes make each instruction slower: 4 to 5 ms on a quiet machine.
  const costs: number[] = [];
  for (let batch = 0; batch < 8 && !(Math.min(...costs) < MAX_CPU_MS); batch++) {
    const before = process.cpuUsage();
    for (let i = 0; i < SCRAPES; i++) await scrape();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / SCRAPES / 1000);
  }
  expect(Math.min(...costs)).toBeLessThan(MAX_CPU_MS);
});

test('has names that Prometheus recommends, and each metric once', async () => {
  const text = await scrape();
  const metrics = [...text.matchAll(/^# HELP (\S+) (.+)\n# TYPE \1 (\w+)$/gm)].map(([, name = '', help = '', type = '']) => ({
    name,
    help,
    type,
  }));
  expect(metrics.length).toBe(text.match(/^# TYPE /gm)?.length);
  expect(new Set(metrics.map(({ name }) => name)).size).toBe(metrics.length);
  const wrong = metrics.filter(
    ({ name, help, type }) =>
      help.trim() === '' ||
      (type === 'counter') !== name.endsWith('_total') ||
      /_(count|sum|bucket|info|gauge|histogram|milliseconds|ms|minutes|kilobytes|mb)$|[A-Z:]/.test(name) ||
      name.includes(`_${type}`),
  );
  expect(wrong.map(({ name }) => name).filter((name) => !OF_PROM_CLIENT.includes(name))).toEqual([]);
});

const promtool = process.env['PROMTOOL'] ?? 'promtool';
const hasPromtool = spawnSync(promtool, ['--version']).status === 0;
if (!hasPromtool)
  process.stderr.write('SKIPPED: `promtool check metrics`, because promtool is not installed (Debian: prometheus), or set PROMTOOL\n');

(hasPromtool ? test : test.skip)('promtool finds nothing but what prom-client does', async () => {
  const { stdout, stderr } = spawnSync(promtool, ['check', 'metrics'], { input: await scrape(), encoding: 'utf8' });
  const problems = `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
  expect(problems.filter((line) => !OF_PROM_CLIENT.some((name) => line.startsWith(`${name} `)))).toEqual([]);
});

(hasPromtool ? test : test.skip)('promtool accepts the alerts', () => {
  const { status, stderr } = spawnSync(promtool, ['check', 'rules', '.deploy/observability/alerts.yaml'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
});
