/** Ten outages of each kind take none of the places in which a process delivers. */
import { afterEach, expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '@specwright/postgres';
import { scaleTimeout, until, withFixture } from 'specwright/testing';
import { startTcpProxy, type TcpProxy } from '../../../../test/support/tools/tcp-proxy.ts';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { withWebhooksDatabase } from './support/webhooks-database.ts';

const PLACES = 50;

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  await queue.clear();
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const terminate = () =>
  database.db.raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '% queue'`);

test.each<[string, (proxy: TcpProxy) => Promise<unknown>]>([
  ['are refused', (proxy) => proxy.refuse()],
  ['are cut', async (proxy) => proxy.cut()],
  ['are terminated', terminate],
  ['are silent', async (proxy) => proxy.silence()],
])(
  'connections that %s take no place',
  async (_kind, begin) => {
    const proxy = await startTcpProxy(database.url);
    const db = connect({ url: proxy.url, pool: 4, statementTimeoutMs: 1000 });
    cleanups.push(
      () => proxy.close(),
      () => db.destroy(),
    );
    let isHeld = false;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const receiver = await queue.startReceiver(async () => {
      await (isHeld ? released : sleep(20));
      return { status: 204 };
    });
    const accounts = await Promise.all(Array.from({ length: PLACES }, () => queue.accountWithWebhook(receiver.url)));
    const send = () => Promise.all(accounts.map((accountId) => queue.send(accountId)));
    const timeout = scaleTimeout(60_000);
    const worker = queue.startWorker({ db, timeout, lease: scaleTimeout(1500), concurrency: { first: PLACES, retries: 2 } });
    for (let i = 0; i < 10; i++) {
      await send();
      await sleep(50);
      await begin(proxy);
      await sleep(300);
      await proxy.restore();
      await sleep(500);
    }
    await until(async () => (await queue.countQueued()) === 0, 60_000);
    isHeld = true;
    await send();
    const underWay = () => worker.metrics().find(({ name }) => name === 'deliveries_under_way')?.values[0]?.value;
    await until(() => underWay() === PLACES, 20_000);
    release();
    await until(async () => (await queue.countQueued()) === 0, 20_000);
    expect(await database.db('webhook_deliveries').whereNot({ status: 'sent' }).count({ n: '*' })).toEqual([{ n: 0 }]);
  },
  scaleTimeout(180_000),
);
