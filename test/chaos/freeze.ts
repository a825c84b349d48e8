/** The server's process is stopped and goes on later, as functions and laptops do it: the first requests after that find nothing broken. */
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey, revokeKey } from '@specwright/accounts';
import { until, type TestDatabase } from 'specwright/testing';
import type { LoadClient, LoadResponse } from '../support/tools/load-client.ts';
import type { TcpProxy } from '../support/tools/tcp-proxy.ts';
import { openShopBehindProxy, type Server, type Shop } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';
import { countMissed, countResets, readIds, subscribe, type Subscriber } from './support/subscriber.ts';

const ROUNDS = 24;
/** The last one is ten minutes on the clock of the wall, as on a machine that sleeps. */
const FREEZES_MS = [1500, 3000, 6000];
const SLEEP_MS = 600_000;
/** Longer than a kept connection may be idle. */
const LONG_FREEZE_MS = 90_000;
/** Longer than it takes until what was lost is opened again. */
const RECOVERY_TIMEOUT_MS = 8000;
/** How long the database is watched after a freeze, and how many transactions a server without requests has in that time. */
const WATCH_MS = 4000;

/** What becomes of the connections to the database meanwhile: networks forget them only after a while. */
type Loss = 'silent' | 'terminated' | 'none';
const lossOf = (ms: number, round: number): Loss => (round % 2 === 0 ? 'terminated' : ms > 5000 ? 'silent' : 'none');

/** Loaded into the server: a stop of more than five seconds moves `Date.now()` on, while the monotonic clock stands still. */
const CLOCK = `const now = Date.now; let last = now(), offset = 0;
  Date.now = () => { const t = now(); if (t - last > 5000 && t - last < 60000) offset += ${SLEEP_MS}; last = t; return t + offset; };`;
const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(CLOCK)}`;

interface Frozen {
  readonly database: TestDatabase;
  readonly proxy: TcpProxy;
  readonly shop: Shop;
  readonly server: Server;
  readonly client: LoadClient;
}

interface Counts {
  requests: number;
  failed: number;
  revokedAccepted: number;
  slowestMs: number;
  recoveryMs: number;
  reasons: string[];
}

/** Freezes the server, breaks what it has open, lets it go on, and sends its first requests before it has done anything else. */
async function freeze({ database: { db }, proxy, shop, server, client }: Frozen, loss: Loss, ms: number, counts: Counts): Promise<void> {
  const { accountId, petId } = shop;
  const { record, apiKey } = await issueKey(db, accountId, { name: 'short-lived' }, new Date());
  const asRevoked = { Authorization: `Bearer ${apiKey}` };
  await client.send('GET', `/store/pets/${petId}`, undefined, asRevoked);
  server.process.child.kill('SIGSTOP');
  const frozenAt = performance.now();
  if (loss === 'silent') {
    proxy.silence();
    await proxy.restore();
  }
  if (loss === 'terminated')
    await db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^(petstore|specwright rate limits)'`);
  await revokeKey(db, accountId, record.id, new Date());
  await sleep(Math.max(0, ms - (performance.now() - frozenAt)));
  // They wait in the socket when the process goes on.
  const first = Promise.all([
    client.send('GET', `/store/pets/${petId}`),
    client.send('POST', '/store/orders', { petId, quantity: 1 }),
    client.send('GET', `/store/pets/${petId}`, undefined, asRevoked),
  ]);
  await sleep(20);
  server.process.child.kill('SIGCONT');
  const [read, write, revoked] = await first;
  count(counts, read, 200);
  count(counts, write, 201);
  count(counts, revoked, 401);
  if (revoked.status === 200) counts.revokedAccepted++;
}

function count(counts: Counts, { status, ms, body, error }: LoadResponse, expected: number): void {
  counts.requests++;
  counts.slowestMs = Math.max(counts.slowestMs, ms);
  if (status === expected) return;
  counts.failed++;
  counts.reasons.push(`${status} ${error ?? body}`);
}

/** Until keys are cached again and a stream has the newest event. */
async function recover(server: Server, stream: Subscriber, { db }: TestDatabase, shop: Shop): Promise<number> {
  const began = performance.now();
  const isRecovered = async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    if (!/^api_key_cache_receiving_changes 1$/m.test(metrics)) return false;
    const { rows } = await db.raw<{ rows: { last: number }[] }>('SELECT last_id AS last FROM event_log_last_ids WHERE account_id = ?', [
      shop.accountId,
    ]);
    return stream.lastId === rows[0]?.last;
  };
  await until(isRecovered, RECOVERY_TIMEOUT_MS).catch(() => undefined);
  return performance.now() - began;
}

const readTransactions = async ({ db }: TestDatabase): Promise<number> => {
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    'SELECT (xact_commit + xact_rollback)::int AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.count ?? NaN;
};

async function watchTransactions(database: TestDatabase): Promise<number> {
  const before = await readTransactions(database);
  await sleep(WATCH_MS);
  return (await readTransactions(database)) - before;
}

export const scenario: Scenario = {
  summary: 'SIGSTOP and SIGCONT of the server, while its connections go silent, are terminated or stay',
  timeoutMs: 900_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, signal, rounds } = context;
    const env = { METRICS: 'on', LOG_REQUESTS: 'errors', NODE_OPTIONS };
    const { database, shop, proxy, server, client } = await openShopBehindProxy(context, env, 15_000);
    const stream = subscribe(() => server.url, shop.key);
    context.defer(() => stream.close());
    await until(() => stream.received.length > 0, 20_000);
    const frozen = { database, proxy, shop, server, client };
    const transactions = await watchTransactions(database);
    for (const [name, times, msOf] of [
      ['seconds', rounds, (n: number) => FREEZES_MS[n % FREEZES_MS.length] ?? 0],
      ['minutes', 1, () => LONG_FREEZE_MS],
    ] as const) {
      const counts: Counts = { requests: 0, failed: 0, revokedAccepted: 0, slowestMs: 0, recoveryMs: 0, reasons: [] };
      for (let round = 0; round < times && !signal.aborted; round++) {
        const loss = lossOf(msOf(round), Math.floor(round / FREEZES_MS.length) + (name === 'minutes' ? 1 : 0));
        progress(`${name}: round ${round + 1} of ${times}, ${loss}, ${counts.failed} failed`);
        await freeze(frozen, loss, msOf(round), counts);
        counts.recoveryMs = Math.max(counts.recoveryMs, await recover(server, stream, database, shop));
      }
      const of = `${times} of ${name}:`;
      for (const reason of new Set(counts.reasons)) console.error(`${of} ${reason}`);
      measure({ measured: `${of} first requests`, value: counts.requests, min: 3 * times });
      measure({ measured: `${of} failed`, value: counts.failed, max: 0 });
      measure({ measured: `${of} revoked keys accepted`, value: counts.revokedAccepted, max: 0 });
      measure({ measured: `${of} slowest first answer`, value: counts.slowestMs, unit: 'ms', max: 1000 });
      measure({ measured: `${of} changes and events received again after`, value: counts.recoveryMs, unit: 'ms', max: 5000 });
      measure({ measured: `${of} transactions afterwards`, value: await watchTransactions(database), max: 2 * transactions + 20 });
    }
    measure({
      measured: 'events lost, doubled or out of order',
      value: countMissed(stream, await readIds(database, shop.accountId)),
      max: 0,
    });
    measure({ measured: 'resets of the stream', value: countResets(stream.received), max: 0 });
    measure({ measured: 'connections of the stream', value: stream.connections, max: 1 });
  },
};
