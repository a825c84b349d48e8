/** One answer in five is lost, and clients retry with an `Idempotency-Key`: everything is done once, and every API key arrives. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestDatabase } from 'specwright/testing';
import { createLoadClient, type LoadClient, type LoadResponse } from '../support/tools/load-client.ts';
import { readStock } from '../../test/support/service/shop.ts';
import { startLossyProxy, type LossyProxy } from './support/lossy-proxy.ts';
import { openDatabase, openShop, startServer, type Shop } from './support/pet-store.ts';
import type { Scenario, ScenarioContext } from './support/scenario.ts';

const LOST_SHARE = 0.2;
const ORDERS = 300;
const SIGN_UPS = 40;
const ROTATIONS = 20;
const KILLS = 5;
const CLIENTS = 20;
const STOCK = 1_000_000;
const RETRY_DELAY_MS = 50;

/** What a client that retries sees: the first answer that reaches it and does not ask for another try. */
type Send = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<LoadResponse>;

const isFinal = ({ status, body }: LoadResponse) =>
  status > 0 && status < 500 && status !== 429 && !body.includes('idempotency_key_in_use');

const retrying =
  (client: LoadClient, signal: AbortSignal): Send =>
  async (method, path, body, headers = {}) => {
    const all = { ...headers, 'Idempotency-Key': randomUUID() };
    for (;;) {
      const response = await client.send(method, path, body, all);
      if (isFinal(response)) return response;
      signal.throwIfAborted();
      await sleep(RETRY_DELAY_MS);
    }
  };

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
const read = <T>({ body }: LoadResponse): Partial<T> => JSON.parse(body) as Partial<T>;

/** Runs `work` for each number up to `count`, some at a time. */
async function forEach<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, worker));
  return results;
}

async function countOrders({ db }: TestDatabase, { accountId }: Shop): Promise<number> {
  const [row] = await db('orders').where({ account_id: accountId }).count<{ count: number }[]>({ count: '*' });
  return Number(row?.count);
}

/** Places orders of one unit. */
async function placeOrders(
  context: ScenarioContext,
  send: Send,
  database: TestDatabase,
  name: string,
  work?: Promise<void>,
): Promise<void> {
  const shop = await openShop(database, STOCK);
  const order = async () => read<{ id: number }>(await send('POST', '/store/orders', { petId: shop.petId }, bearer(shop.key))).id;
  const [ids] = await Promise.all([forEach(ORDERS, order), work]);
  const [stock] = await readStock(database.db, shop.accountId);
  context.measure({ measured: `orders stored of ${ORDERS}, ${name}`, value: await countOrders(database, shop), min: ORDERS, max: ORDERS });
  context.measure({ measured: `ids acknowledged, ${name}`, value: new Set(ids).size, min: ORDERS, max: ORDERS });
  context.measure({ measured: `units reserved, ${name}`, value: stock?.reserved ?? NaN, min: ORDERS, max: ORDERS });
}

/** How many keys call the API. */
async function countWorking(direct: LoadClient, keys: readonly (string | undefined)[]): Promise<number> {
  const answers = await Promise.all(keys.map((key) => direct.send('GET', '/account', undefined, bearer(key ?? ''))));
  return answers.filter(({ status }) => status === 200).length;
}

async function signUp({ measure }: ScenarioContext, send: Send, direct: LoadClient): Promise<void> {
  const keys = await forEach(SIGN_UPS, async (index) => {
    // Each from an address of its own, whose limits are not what is measured here.
    const address = { 'X-Forwarded-For': `198.51.100.${index + 1}` };
    return read<{ apiKey: string }>(await send('POST', '/accounts', { email: `lost-${index}@example.com` }, address)).apiKey;
  });
  measure({ measured: `sign-ups of ${SIGN_UPS} without a key that works`, value: SIGN_UPS - (await countWorking(direct, keys)), max: 0 });
}

async function rotate({ measure }: ScenarioContext, send: Send, direct: LoadClient, database: TestDatabase): Promise<void> {
  const { accountId, key } = await openShop(database);
  const made = await forEach(ROTATIONS, async (index) => {
    const { id } = read<{ id: number }>(await send('POST', '/account/keys', { name: `Till ${index}` }, bearer(key)));
    return read<{ apiKey: string }>(await send('POST', `/account/keys/${id}/rotation`, { gracePeriod: 0 }, bearer(key))).apiKey;
  });
  measure({ measured: `rotations of ${ROTATIONS} whose key is lost`, value: ROTATIONS - (await countWorking(direct, made)), max: 0 });
  const valid = await database.db('api_keys').where({ account_id: accountId, revoked_at: null }).select('id');
  // The account's first key, which is not rotated.
  measure({ measured: 'valid keys that nobody has', value: valid.length - 1 - ROTATIONS, max: 0 });
}

/** Kills the server and starts it again, several times. */
async function killServers(
  context: ScenarioContext,
  databaseUrl: string,
  proxy: LossyProxy,
  server: { kill: () => Promise<void> },
): Promise<void> {
  let current = server;
  for (let kill = 1; kill <= KILLS; kill++) {
    await sleep(100 + Math.random() * 200);
    await current.kill();
    context.progress(`kill ${kill} of ${KILLS}`);
    current = await start(context, databaseUrl, proxy);
  }
}

async function start(
  context: ScenarioContext,
  databaseUrl: string,
  proxy?: LossyProxy,
): Promise<{ url: string; kill: () => Promise<void> }> {
  const { url, process } = await startServer(context, databaseUrl, { WORKER: 'off', TRUST_PROXY: 'X-Forwarded-For' });
  proxy?.forwardTo(url);
  return {
    url,
    kill: async () => {
      process.child.kill('SIGKILL');
      await process.exited;
    },
  };
}

export const scenario: Scenario = {
  summary: 'One answer in five is lost, and clients retry with an Idempotency-Key',
  timeoutMs: 180_000,
  async run(context) {
    const database = await openDatabase(context);
    const server = await start(context, database.url);
    const proxy = await startLossyProxy(server.url, LOST_SHARE);
    context.defer(() => proxy.close());
    const [client, direct] = [createLoadClient(proxy.url), createLoadClient(server.url)];
    const send = retrying(client, context.signal);

    context.progress('orders');
    await placeOrders(context, send, database, 'answers lost');
    context.progress('sign-ups');
    await signUp(context, send, direct);
    context.progress('rotations');
    await rotate(context, send, direct, database);
    await placeOrders(context, send, database, `${KILLS} kills`, killServers(context, database.url, proxy, server));
    context.measure({ measured: 'answers that were lost', value: proxy.lost, min: 1 });
    client.close();
    direct.close();
  },
};
