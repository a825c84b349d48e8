/** Two servers are replaced one after the other, through a migration that only adds, under load: no request fails, without a retry. */
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '@specwright/postgres';
import type { LoadResponse } from '../support/tools/load-client.ts';
import { schema } from '../../src/db/migrations/index.ts';
import { CONNECTIONS, openFleet, type Connections } from './support/fleet.ts';
import { openDatabase, openShop } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const REQUESTS = 10_000;
const SERVERS = 2;
const CLIENTS = 8;
/** How long connections are idle between two uses, in ms. */
const IDLE_MS = 700;

export const scenario: Scenario = {
  summary: 'a rolling restart of two servers under load, and a migration that only adds',
  timeoutMs: 300_000,
  async run(context) {
    const { measure, progress, signal } = context;
    const database = await openDatabase(context);
    const { key, petId } = await openShop(database, 100_000_000);
    const fleet = await openFleet(context, database.url, {
      count: SERVERS,
      headers: { Authorization: `Bearer ${key}` },
      env: { WORKER: 'off' },
    });

    let sent = 0;
    let isOver = false;
    const failures: Record<Connections, number> = { fresh: 0, busy: 0, idle: 0 };
    const reasons = new Map<string, number>();
    const send = async (kind: Connections) => {
      sent++;
      const isOrder = sent % 4 === 0;
      const answer: LoadResponse = isOrder
        ? await fleet.pick(kind).send('POST', '/store/orders', { petId, quantity: 1 })
        : await fleet.pick(kind).send('GET', `/store/pets/${petId}`);
      if (answer.status === (isOrder ? 201 : 200)) return;
      failures[kind]++;
      const reason = answer.error ?? `${answer.status} ${answer.body.slice(0, 100)}`;
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    };
    const loops = CONNECTIONS.flatMap((kind) =>
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
      progress(`restart ${restarts + 1}, ${sent} requests`);
      await fleet.replace(restarts % SERVERS, context.checkout);
      restarts++;
    }
    isOver = true;
    await Promise.all(loops);
    measure({ measured: 'requests', value: sent, min: REQUESTS });
    measure({ measured: 'restarts', value: restarts, min: 4 });
    for (const kind of CONNECTIONS) measure({ measured: `failed on ${kind} connections`, value: failures[kind], max: 0 });
    for (const [reason, count] of reasons) measure({ measured: reason, value: count, max: 0 });
  },
};

// One table: a migration that locks two of them in another order than requests do is a deadlock.
const ADD = `ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT '';
  CREATE TABLE nicknames (account_id bigint NOT NULL, nickname text NOT NULL, PRIMARY KEY (account_id, nickname))`;
