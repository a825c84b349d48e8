/** Two servers are replaced one after the other, through a migration that only adds, under load: no request fails, without a retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@specwright/postgres';
import { createLoadClient, type LoadClient, type LoadResponse } from 'specwright/testing';
import { schema } from '../../src/db/migrations/index.ts';
import { openDatabase, openShop, startServer, type Server } from './support/pet-store.ts';
import type { Scenario, ScenarioContext } from './support/scenario.ts';

const REQUESTS = 10_000;
/** Longer than the balancer below takes to notice. */
const DRAIN_DELAY_MS = 1500;
const PROBE_INTERVAL_MS = 200;
const CLIENTS = 8;
/** How long connections are idle between two uses, in ms. */
const IDLE_MS = 700;

const KINDS = ['fresh', 'busy', 'idle'] as const;

interface Instance {
  server: Server;
  isReady: boolean;
  readonly clients: Readonly<Record<(typeof KINDS)[number], LoadClient>>;
}

export const scenario: Scenario = {
  summary: 'a rolling restart of two servers under load, and a migration that only adds',
  timeoutMs: 300_000,
  async run(context) {
    const { measure, progress, signal } = context;
    const database = await openDatabase(context);
    const { key, petId } = await openShop(database, 100_000_000);
    const headers = { Authorization: `Bearer ${key}` };
    const env = { WORKER: 'off', DRAIN_DELAY: String(DRAIN_DELAY_MS) };
    const instances: Instance[] = [];
    for (let i = 0; i < 2; i++) {
      const server = await startServer(context, database.url, env);
      const open = (connections: 'kept' | 'fresh') => createLoadClient(server.url, { headers, connections, timeoutMs: 20_000 });
      const clients = { fresh: open('fresh'), busy: open('kept'), idle: open('kept') };
      for (const client of Object.values(clients)) context.defer(() => client.close());
      instances.push({ server, isReady: true, clients });
    }
    const stopProbing = balance(instances);
    context.defer(stopProbing);

    let sent = 0;
    let turn = 0;
    let isOver = false;
    const failures: Record<string, number> = { fresh: 0, busy: 0, idle: 0 };
    const reasons = new Map<string, number>();
    const send = async (kind: (typeof KINDS)[number]) => {
      const ready = instances.filter(({ isReady }) => isReady);
      const instance = ready[turn++ % Math.max(1, ready.length)] ?? instances[0];
      if (instance === undefined) return;
      sent++;
      const isOrder = sent % 4 === 0;
      const answer: LoadResponse = isOrder
        ? await instance.clients[kind].send('POST', '/store/orders', { petId, quantity: 1 })
        : await instance.clients[kind].send('GET', `/store/pets/${petId}`);
      if (answer.status === (isOrder ? 201 : 200)) return;
      failures[kind] = (failures[kind] ?? 0) + 1;
      const reason = answer.error ?? `${answer.status} ${answer.body.slice(0, 100)}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    };
    const loops = KINDS.flatMap((kind) =>
      Array.from({ length: CLIENTS }, async () => {
        while (!isOver) {
          await send(kind);
          await sleep(kind === 'idle' ? IDLE_MS : 5);
        }
      }),
    );
    await sleep(1000);
    progress('migrates');
    const up = async (knex: { raw(sql: string): PromiseLike<unknown> }) => {
      await knex.raw(ADD);
    };
    const adds = { up, compatible: true };
    await migrate(database.db, { ...schema, migrations: [...schema.migrations, { name: '9999_adds', migration: adds }] });
    let restarts = 0;
    while ((sent < REQUESTS || restarts < 4) && !signal.aborted) {
      const instance = instances[restarts % 2] as Instance;
      progress(`restart ${restarts + 1}, ${sent} requests`);
      await restart(context, instance, database.url, env);
      restarts++;
    }
    isOver = true;
    await Promise.all(loops);
    stopProbing();
    measure({ measured: 'requests', value: sent, min: REQUESTS });
    measure({ measured: 'restarts', value: restarts, min: 4 });
    for (const kind of KINDS) measure({ measured: `failed on ${kind} connections`, value: failures[kind] ?? NaN, max: 0 });
    for (const [reason, count] of reasons) measure({ measured: reason, value: count, max: 0 });
  },
};

// One table: a migration that locks two of them in another order than requests do is a deadlock.
const ADD = `ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT '';
  CREATE TABLE nicknames (account_id bigint NOT NULL, nickname text NOT NULL, PRIMARY KEY (account_id, nickname))`;

/** Asks each instance whether it is ready, as a load balancer does. @returns what ends it. */
function balance(instances: readonly Instance[]): () => void {
  const timer = setInterval(() => {
    for (const instance of instances) {
      fetch(`${instance.server.url}/readyz`, { headers: { Connection: 'close' } }).then(
        ({ status }) => (instance.isReady = status === 200),
        () => (instance.isReady = false),
      );
    }
  }, PROBE_INTERVAL_MS);
  return () => clearInterval(timer);
}

async function restart(context: ScenarioContext, instance: Instance, databaseUrl: string, env: Record<string, string>): Promise<void> {
  const { port } = new URL(instance.server.url);
  instance.server.process.child.kill('SIGTERM');
  await instance.server.process.exited;
  instance.server = await startServer(context, databaseUrl, { ...env, PORT: port });
  while (!instance.isReady) await sleep(50);
  await sleep(500);
}
