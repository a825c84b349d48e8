/** The table of the counters is locked: what a Free key gets through then, on one server and on two. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient } from '../support/tools/load-client.ts';
import { newAccount } from '../../test/support/service/app.ts';
import { openDatabase, startServer } from './support/pet-store.ts';
import type { Scenario, ScenarioContext } from './support/scenario.ts';

const LIMIT = 60;
const REQUESTS = 300;
const CLIENTS = 50;
/** After each request of a client: all of them take several of the intervals at which a server asks whether the counters are back. */
const PAUSE_MS = 500;
/** Requests before the lock. */
const BEFORE = 20;

export const scenario: Scenario = {
  summary: 'the counters are locked while a Free key sends 300 requests',
  timeoutMs: 120_000,
  async run(context) {
    for (const instances of [1, 2]) await measure(context, instances);
  },
};

async function measure(context: ScenarioContext, instances: number): Promise<void> {
  const database = await openDatabase(context);
  const { accountId, key } = await newAccount(database.db);
  const env = { INSTANCES: String(instances), LOG_LEVEL: 'info', LOG_REQUESTS: 'off', WORKER: 'off' };
  const servers = await Promise.all(Array.from({ length: instances }, () => startServer(context, database.url, env)));
  const clients = servers.map(({ url }) => createLoadClient(url, { headers: { Authorization: `Bearer ${key}` } }));
  context.defer(() => clients.forEach((client) => client.close()));
  let sent = 0;
  const get = (path = '/categories') => clients[sent++ % instances]?.send('GET', path) ?? Promise.reject(new Error('no server'));
  const label = instances === 1 ? 'one server' : `${instances} servers`;

  for (let i = 0; i < BEFORE; i++) await get();
  const lock = await database.db.transaction();
  context.defer(() => lock.rollback());
  await lock.raw('LOCK TABLE rate_limit_counters IN EXCLUSIVE MODE');
  context.progress(`${label}: locked`);
  let [admitted, refused, left] = [BEFORE, 0, REQUESTS];
  let slowest = 0;
  const client = async () => {
    while (left-- > 0) {
      const { status, ms } = await get();
      if (status === 200) admitted++;
      if (status === 429) refused++;
      slowest = Math.max(slowest, ms);
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const { status: whileLocked } = await get('/rate-limit');
  await lock.rollback();
  const unlockedAt = performance.now();
  await Promise.all(servers.map(({ process }) => process.waitForOutput(/answers again/)));
  const backAfter = performance.now() - unlockedAt;
  const { status: afterwards } = await get();
  const row = await database
    .db('rate_limit_counters')
    .where({ bucket: `account:${accountId}` })
    .first<{ used: number }>({ used: 'day_used' });

  context.measure({
    measured: `${label}: admitted of ${BEFORE + REQUESTS}, of which ${LIMIT} are allowed`,
    value: admitted,
    min: LIMIT,
    max: LIMIT,
  });
  context.measure({ measured: `${label}: refused with 429`, value: refused, min: REQUESTS + BEFORE - LIMIT });
  context.measure({ measured: `${label}: slowest answer`, value: slowest, unit: 'ms', max: 2000 });
  context.measure({ measured: `${label}: GET /rate-limit meanwhile`, value: whileLocked, min: 503, max: 503 });
  context.measure({ measured: `${label}: counted by the store afterwards`, value: row.used, min: LIMIT, max: LIMIT });
  context.measure({ measured: `${label}: the next request`, value: afterwards, min: 429, max: 429 });
  context.measure({ measured: `${label}: back after the lock`, value: backAfter, unit: 'ms', max: 2000 });
}
