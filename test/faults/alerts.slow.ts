/** Each alert fires for the fault that it is for, by the metrics that a server then has, and none fires without one. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createKey, openCallerCache, openCounterStore, type CallerCache } from '@specwright/accounts';
import { connect, databaseMetrics } from '@specwright/postgres';
import { createMemoryStore, type CounterStore } from '@specwright/server/limits';
import { createTestLog, removeFolder, scaleTimeout, until, withApp, withDatabase, withFixture } from 'specwright/testing';
import { queueMetrics, setWebhook } from '@specwright/accounts/webhooks';
import { parse, stringify } from 'yaml';
import { createMessage, getMessage } from '../../src/db/messages.ts';
import { createHandlers } from '../../src/handlers/index.ts';
import { createSecurity } from '../../src/security.ts';
import { createMessageWorker } from '../../src/worker.ts';
import { newAccount, startApp } from '../support/service/app.ts';
import { sender } from '../support/service/sender.ts';

const ALERTS = resolve('.deploy/observability/alerts.yaml');
const TIMEOUT_MS = scaleTimeout(60_000);
/** How often Prometheus is said to scrape, in s, and for how long a fault lasts, in scrapes. */
const INTERVAL_S = 15;
const SCRAPES = 100;

interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert?: string }[] }[];
}
const names = (parse(readFileSync(ALERTS, 'utf8')) as Alerts).groups.flatMap(({ rules }) => rules.flatMap(({ alert }) => alert ?? []));

const promtool = process.env['PROMTOOL'] ?? 'promtool';
const hasPromtool = spawnSync(promtool, ['--version']).status === 0;
if (!hasPromtool)
  process.stderr.write('SKIPPED: test/faults/alerts.slow.ts, because promtool is not installed (Debian: prometheus), or set PROMTOOL\n');

/** The series of a scrape with their values, and the names of those that are no counters. */
function read(text: string) {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
  const gauges = new Set([...text.matchAll(/^# TYPE (\S+) gauge$/gm)].map(([, name = '']) => name));
  return { series, gauges };
}

/** What expressions give, as promtool writes it, if what happened between two scrapes happens between any two. */
function evaluate(before: string, after: string, folder: string, expressions: readonly string[]): string {
  const [old, { series, gauges }] = [read(before), read(after)];
  const input = [...series]
    .filter(([, value]) => !Number.isNaN(value))
    .map(([name, value]) => {
      const first = old.series.get(name) ?? 0;
      const labels = /^([^{]+)(?:\{(.*)\})?$/.exec(name) ?? [];
      const isGauge = gauges.has(labels[1] ?? '');
      const instance = /\binstance=/.test(labels[2] ?? '') ? [] : ['instance="one"'];
      const all = [labels[2], 'job="petstore"', ...instance].filter(Boolean).join(',');
      return {
        series: `${labels[1]}{${all}}`,
        // A series that was not there before begins with the fault.
        values: isGauge ? `${value}x${SCRAPES}` : `${old.series.has(name) ? first : '_'} ${value}+${Math.max(0, value - first)}x${SCRAPES}`,
      };
    });
  const up = after === '' ? [] : [{ series: 'up{job="petstore",instance="one"}', values: `1x${SCRAPES}` }];
  const file = join(folder, 'test.yaml');
  writeFileSync(
    file,
    stringify({
      rule_files: [ALERTS],
      evaluation_interval: `${INTERVAL_S}s`,
      tests: [
        {
          interval: `${INTERVAL_S}s`,
          input_series: [...input, ...up],
          // Expected to give nothing, so that promtool says what they give.
          promql_expr_test: expressions.map((expr) => ({
            expr,
            eval_time: `${(SCRAPES - 2) * INTERVAL_S}s`,
            exp_samples: [],
          })),
        },
      ],
    }),
  );
  const { stdout, stderr } = spawnSync(promtool, ['test', 'rules', file], { encoding: 'utf8' });
  const output = `${stdout}${stderr}`;
  if (!/SUCCESS|exp: nil/.test(output)) throw new Error(output);
  return output;
}

function firingAlerts(before: string, after: string, folder: string): string[] {
  const expressions = names.map((name) => `count(ALERTS{alertname="${name}",alertstate="firing"})`);
  const output = evaluate(before, after, folder, expressions);
  return names.filter((name) => output.includes(`alertname=\\"${name}\\"`));
}

(hasPromtool ? describe : describe.skip)('the alerts', () => {
  const database = withDatabase({ pool: 4 });
  const store = withApp(() => openCounterStore({ url: database.url }));
  const callers = withApp(() => openCallerCache(database.db));
  /** What a request of `listCategories` does. */
  let handle: (() => Promise<void>) | undefined;
  let reason: string | undefined;
  let isStoreLost = false;
  let listening: Pick<CallerCache, 'metrics'> = callers;
  const lossy = (): CounterStore => {
    const memory = createMemoryStore();
    return { ...memory, take: (asked) => (isStoreLost ? Promise.reject(new Error('no store')) : memory.take(asked)) };
  };
  // Without a resolver no name has an address, and what has failed once is given up.
  const resolveHost = () => Promise.reject(new Error('no resolver'));
  const bounds = { timeout: 1000, stopTimeout: 1000, retentionDays: 30, giveUpAfter: 1 };
  const worker = withFixture(
    async () => {
      const created = createMessageWorker({ db: database.db, log: createTestLog(), ...bounds, resolveHost });
      return { start: () => created.start(), metrics: () => created.metrics(), stop: () => created.stop() };
    },
    (created) => created.stop(),
  );
  const failDelivery = async () => {
    const { accountId } = await newAccount(database.db);
    await setWebhook(database.db, accountId, { url: 'https://receiver.example/' }, new Date());
    const { record } = await createMessage(database.db, accountId, { message: 'x' }, sender, {});
    worker.start();
    await until(async () => (await getMessage(database.db, accountId, record.id)).record.status === 'failed', 15_000);
  };
  const app = withApp(() => {
    const handlers = createHandlers({ sender });
    return startApp(database.db, {
      metrics: { maxAgeMs: 0 },
      rateLimit: { store: lossy() },
      security: createSecurity((key, limit) => callers.find(key, limit)),
      readiness: { reason: () => reason, check: async () => reason },
      handlers: {
        ...handlers,
        listCategories: async (...args) => {
          await handle?.();
          return handlers.listCategories(...args);
        },
      },
      parts: [
        { metrics: databaseMetrics(database.db) },
        { metrics: store.metrics },
        { metrics: () => listening.metrics() },
        { metrics: () => queueMetrics(database.db) },
        { metrics: () => worker.metrics() },
      ],
    });
  });
  let folder: string;
  let key: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'alerts-'));
    ({ key } = await newAccount(database.db, 'enterprise'));
    await until(async () => /^api_key_cache_receiving_changes 1$/m.test(await scrape()));
  });
  afterAll(() => removeFolder(folder));
  beforeEach(() => {
    handle = undefined;
  });

  const scrape = async () => (await fetch(`${app.url}/metrics`)).text();
  const get = (withKey = key) =>
    fetch(`${app.url}/categories`, { headers: { Authorization: `Bearer ${withKey}` } }).then(async (response) => {
      await response.text();
      return response.status;
    });
  const times = (count: number, call: () => Promise<unknown>) => Promise.all(Array.from({ length: count }, call));
  const addDeliveries = async (lane: string, count: number) => {
    const { accountId } = await newAccount(database.db);
    await database.db.raw(
      `INSERT INTO webhook_deliveries (account_id, id, name, body, created_at, lane, due_at)
         SELECT ?, 'msg_' || i, 'noted', '{}', now(), ?, now() - interval '2 minutes' FROM generate_series(1, ?) AS i`,
      [accountId, lane, count],
    );
  };
  const removeDeliveries = () => database.db('webhook_deliveries').delete();

  /** What happens between two scrapes; it may change what the second one says, and end what it began. */
  interface Made {
    readonly text?: (after: string) => string;
    readonly end?: () => unknown;
  }
  type Fault = () => Promise<Made> | Promise<void>;
  const failForAWhile = async () => {
    reason = 'the database lacks migrations';
    await get();
    reason = undefined;
  };
  const answerLate = async () => {
    handle = () => sleep(1100);
    await times(3, get);
  };
  const faults: Readonly<Record<string, Fault>> = {
    NoServer: async () => ({ text: () => '' }),
    Defects: async () => {
      handle = () => Promise.reject(new Error('a defect'));
      await get();
    },
    ErrorsBurnFast: failForAWhile,
    ErrorsBurn: failForAWhile,
    SlowBurnFast: answerLate,
    SlowBurn: answerLate,
    ClientsGiveUp: async () => {
      handle = () => sleep(200);
      const sent = request(`${app.url}/categories`, { headers: { Authorization: `Bearer ${key}` } });
      sent.on('error', () => undefined).end();
      await until(async () => /^http_server_admission_running 1$/m.test(await scrape()));
      // As clients that go away do, unless they only close their half: then they get their answer.
      sent.socket?.resetAndDestroy();
      await until(async () => /"client_gone"\} [1-9]/.test(await scrape()));
      handle = undefined;
    },
    Overloaded: async () => {
      handle = () => sleep(1000);
      await times(900, () => get().catch(() => undefined));
    },
    PoolExhausted: async () => {
      // A transaction has a connection from its first statement on.
      const held = Array.from({ length: 12 }, async () => {
        const trx = await database.db.transaction();
        await trx.raw('SELECT 1');
        return trx;
      });
      await sleep(100);
      return { end: async () => Promise.all(held.map(async (trx) => (await trx).rollback())) };
    },
    EventLoopBlocked: async () => {
      await scrape();
      for (let i = 0; i < 3; i++) {
        for (const end = Date.now() + 300; Date.now() < end;);
        await sleep(20);
      }
    },
    LimitsAreNotExact: async () => {
      isStoreLost = true;
      await get();
      isStoreLost = false;
    },
    KeysAreNotCached: async () => {
      const deaf = openCallerCache(connect({ url: 'postgres://nobody@127.0.0.1:1/nothing' }));
      listening = deaf;
      return {
        end: () => {
          listening = callers;
          void deaf.close().catch(() => undefined);
        },
      };
    },
    ManyRefusals: async () => {
      const limited = await newAccount(database.db, 'enterprise', { minute: 1, day: 100 });
      for (let i = 0; i < 5; i++) await get(limited.key);
    },
    // Of one address: the 61st and all after it are 429.
    ManyUnknownKeys: async () => {
      for (let i = 0; i < 20; i++) await times(20, () => get(createKey()));
    },
    MessagesWait: async () => {
      await addDeliveries('first', 1);
      return { end: removeDeliveries };
    },
    ReceiversFail: async () => {
      await addDeliveries('retries', 1100);
      return { end: removeDeliveries };
    },
    DeliveriesFailHere: failDelivery,
    DeliveriesGivenUp: failDelivery,
    // Too dear to have: the figures are changed.
    DeliveriesHang: async () => ({ text: (after) => after.replace(/^(deliveries_under_way_age_seconds) .*$/m, '$1 90') }),
    QueueRestarts: async () => ({ text: (after) => after.replace(/^(messages_queue_restarts_total) .*$/m, '$1 4') }),
    ServerDown: async () => ({ text: (after) => `${after}\n# TYPE up gauge\nup{instance="two"} 0\n` }),
    NotificationsFull: async () => ({ text: (after) => `${after}\ndb_client_notify_queue_full_total 4\n` }),
    LeasesFreed: async () => ({ text: (after) => after.replace(/^(messages_queue_freed_total) .*$/m, '$1 4') }),
    LogLinesDropped: async () => ({ text: (after) => after.replace(/^(log_lines_dropped_total) .*$/m, '$1 4') }),
    Memory: async () => ({ text: (after) => after.replace(/^(process_resident_memory_bytes) .*$/m, '$1 800000000') }),
    Files: async () => ({
      text: (after) => after.replace(/^(process_open_fds) .*$/m, '$1 900').replace(/^(process_max_fds) .*$/m, '$1 1024'),
    }),
  };

  test('each has a fault here, and none fires while requests are served', async () => {
    expect(Object.keys(faults).sort()).toEqual([...names].sort());
    expect(await get()).toBe(200);
    const before = await scrape();
    await times(10, get);
    // The process is that of all tests, whose memory is no service's.
    expect(firingAlerts(before, await scrape(), folder).filter((name) => name !== 'Memory')).toEqual([]);
  });

  test.each(Object.entries(faults))(
    '%s',
    async (name, cause) => {
      const before = await scrape();
      const { text = (given: string) => given, end } = (await cause()) ?? {};
      const after = await scrape();
      await end?.();
      expect(firingAlerts(before, text(after), folder)).toContain(name);
    },
    TIMEOUT_MS,
  );

  test('the query of the runbook names the slow route', async () => {
    const [, query = ''] = /`(topk\([^`]*)`/.exec(readFileSync('docs/how-to/operating.md', 'utf8')) ?? [];
    await fetch(`${app.url}/account`, { headers: { Authorization: `Bearer ${key}` } });
    const before = await scrape();
    handle = () => sleep(600);
    await get();
    await fetch(`${app.url}/account`, { headers: { Authorization: `Bearer ${key}` } });
    const given = evaluate(before, await scrape(), folder, [query]);
    const values = new Map([...given.matchAll(/\{http_route="([^"]+)"\} ([^\s,]+)/g)].map(([, route, value]) => [route, Number(value)]));
    expect([...values.keys()].sort()).toEqual(['/account', '/categories']);
    expect(values.get('/categories')).toBeGreaterThan(0.25);
    expect(values.get('/account')).toBeLessThan(0.25);
  });
});
