/** The server is killed while a request with an `Idempotency-Key` is under way: its retry, to the next server, is done once. */
import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { setPlan } from '@specwright/accounts';
import { createClient, killProcesses, scaleTimeout, withDatabase, withFixture, type JsonResponse } from 'specwright/testing';
import { AMPLE_QUOTA } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { startProcess } from '../support/service/process.ts';
import { openShop, readStock } from '../support/service/shop.ts';

const ROUNDS = 8;
const ORDERS = 10;
/** How much later the server is killed than in the round before, in ms: a server of which that is the first order needs 150 to 250 for it. */
const DELAY_STEP_MS = 60;

const database = withDatabase();
const processes = withFixture(
  () => ({ start: () => startProcess({ env: { DATABASE_URL: database.url, LOG_LEVEL: 'warn', WORKER: 'off' } }) }),
  () => killProcesses(),
);

test('each order is stored once, and each sign-up gets a key that works', async () => {
  const shop = await openShop(database.db, 1000);
  await setPlan(database.db, shop.accountId, 'enterprise', AMPLE_QUOTA);
  const orders = Array.from({ length: ORDERS }, (_, i) => ({ key: randomUUID(), body: { petId: shop.petIds[0], quantity: i + 1 } }));
  const signUp = { key: randomUUID(), body: { email: 'killed@example.com' } };
  let replays = 0;
  for (let round = 1; round <= ROUNDS; round++) {
    const isLast = round === ROUNDS;
    // So many sign-ups of one address in a minute are too many.
    await database.db('rate_limit_counters').delete();
    const server = processes.start();
    const url = await server.url();
    const call = clientWithKey(url, shop.key);
    const sent = [
      ...orders.map(({ key, body }) => call<{ quantity: number }>('POST', '/store/orders', body, { 'Idempotency-Key': key })),
      createClient(url)<{ apiKey: string }>('POST', '/accounts', signUp.body, { 'Idempotency-Key': signUp.key }),
    ];
    // Later in each round: before, in and after the transactions.
    if (!isLast) await sleep(scaleTimeout(DELAY_STEP_MS) * round);
    if (!isLast) server.child.kill('SIGKILL');
    const settled = await Promise.allSettled<JsonResponse>(sent);
    const answers = settled.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    for (const { status } of answers) expect([201, 409, 503]).toContain(status);
    if (!isLast) {
      await server.exited;
      continue;
    }
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: ORDERS + 1 }, () => 201));
    replays = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === 'true').length;
    const { apiKey } = answers.at(-1)?.body as { apiKey: string };
    expect((await clientWithKey(url, apiKey)('GET', '/account')).status).toBe(200);
  }
  const stored = await database.db('orders').where({ account_id: shop.accountId }).orderBy('quantity').pluck<number[]>('quantity');
  expect(stored).toEqual(orders.map(({ body }) => body.quantity));
  expect(await readStock(database.db, shop.accountId)).toMatchObject([{ reserved: 55, stock: 945 }]);
  // Some were done by a server that did not live to say so.
  expect(replays).toBeGreaterThan(0);
});
