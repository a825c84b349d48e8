/** After kill -9 of the server, and after outages of the database, every accepted message is sent, under its own id. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import {
  createDatabase,
  killProcesses,
  scaleTimeout,
  startReceiver,
  until,
  withDatabase,
  type JsonResponse,
  type Receiver,
  type TestProcess,
} from 'specwright/testing';
import { startTcpProxy, type TcpProxy } from '../support/tools/tcp-proxy.ts';
import { clientWithKey } from '../support/service/client.ts';
import { setWebhook } from '@specwright/accounts/webhooks';
import { createMessage } from '../../src/db/messages.ts';
import { newAccount } from '../support/service/app.ts';
import { startProcess } from '../support/service/process.ts';
import { sender } from '../support/service/sender.ts';

const MESSAGES = 50;

const database = withDatabase();
let receiver: Receiver;
let proxy: TcpProxy | undefined;
afterEach(async () => {
  await killProcesses();
  await receiver.close();
  await proxy?.close();
  proxy = undefined;
});

const start = (env: Record<string, string> = {}): TestProcess =>
  startProcess({ env: { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true', WEBHOOK_TIMEOUT: '1000', ...env } });

interface Sent {
  readonly id: string;
  readonly status: string;
}

async function statuses(accountId: number): Promise<Record<string, number>> {
  const { rows } = await database.db.raw<{ rows: { status: string; n: number }[] }>(
    'SELECT status, count(*) AS n FROM messages WHERE account_id = ? GROUP BY status',
    [accountId],
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

test(
  'every accepted message is sent after the restart, under its own id',
  async () => {
    // Slow enough that the process dies with a delivery under way and most of the messages waiting.
    receiver = await startReceiver((_, count) => (count === 10 ? undefined : { status: 204 }));
    const { accountId, key } = await newAccount(database.db, 'enterprise');
    const first = start();
    const call = clientWithKey(await first.url(), key);
    const hook = await call<{ secret: string }>('PUT', '/account/webhook', { url: receiver.url });
    expect(hook.status).toBe(200);
    // On a busy machine some are refused at first, and told when to try again.
    const send = async (message: string): Promise<JsonResponse<Sent>> => {
      const answer = await call<Sent>('POST', '/messages', { message });
      if (answer.status !== 503) return answer;
      await sleep(Number(answer.headers.get('Retry-After')) * 1000);
      return send(message);
    };
    const answers = await Promise.all(Array.from({ length: MESSAGES }, (_, i) => send(`message ${i}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: MESSAGES }, () => 202));
    await until(() => receiver.received.length === 10, 10_000);
    first.child.kill('SIGKILL');
    await first.exited;
    const left = (await statuses(accountId))['queued'] ?? 0;
    expect(left).toBeGreaterThanOrEqual(MESSAGES - 10);

    const second = start();
    await second.url();
    await until(async () => (await statuses(accountId))['sent'] === MESSAGES, 18_000);
    const ids = answers.map(({ body }) => body.id).sort();
    const arrived = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect([...new Set(arrived)].sort()).toEqual(ids);
    // The one that was under way arrived twice, and no other.
    expect(arrived).toHaveLength(MESSAGES + 1);
    for (const { output } of [first, second]) expect(output.stdout + output.stderr).not.toContain(hook.body.secret);

    second.child.kill('SIGTERM');
    expect(await second.exited).toEqual({ code: 0, signal: null });
  },
  scaleTimeout(120_000),
);

test(
  'after ten outages of the database all messages are sent, without a restart',
  async () => {
    receiver = await startReceiver(async () => {
      await sleep(20);
      return { status: 204 };
    });
    proxy = await startTcpProxy(database.url);
    const server = start({ DATABASE_URL: proxy.url, METRICS: 'on' });
    const url = await server.url();
    await server.waitForOutput(/the worker has started/);
    const accounts = await Promise.all(Array.from({ length: 12 }, () => newAccount(database.db, 'enterprise')));
    for (const { accountId } of accounts) await setWebhook(database.db, accountId, { url: receiver.url }, new Date());
    const send = () =>
      Promise.all(accounts.map(({ accountId }) => createMessage(database.db, accountId, { message: 'hello' }, sender, {})));
    const greeted = server.output.stdout.length;
    for (let i = 0; i < 10; i++) {
      await send();
      await sleep(60);
      await proxy.refuse();
      await sleep(300);
      await proxy.restore();
      await sleep(1500);
    }
    await send();
    const queued = async () => Number((await database.db('messages').where({ status: 'queued' }).count({ n: '*' }))[0]?.['n']);
    await until(async () => (await queued()) === 0, 30_000);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(Number(/^messages_queue_restarts_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(0);
    // Nothing but lines of the log.
    expect(server.output.stderr).toBe('');
    for (const line of server.output.stdout.slice(greeted).trim().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  },
  scaleTimeout(180_000),
);

test('with WORKER=off messages are sent by another process', async () => {
  receiver = await startReceiver();
  const { accountId, key } = await newAccount(database.db, 'enterprise');
  const front = start({ WORKER: 'off' });
  const call = clientWithKey(await front.url(), key);
  await call('PUT', '/account/webhook', { url: receiver.url });
  const { body } = await call<Sent>('POST', '/messages', { message: 'hello' });
  const back = start();
  await back.waitForOutput(/the worker has started/);
  await until(async () => (await call<Sent>('GET', `/messages/${body.id}`)).body.status === 'sent', 10_000);
  expect(await statuses(accountId)).toEqual({ sent: 1 });
  expect(front.output.stdout).not.toContain('the worker has started');
});

test('the worker starts once the schema is migrated', async () => {
  receiver = await startReceiver();
  const empty = await createDatabase({ schema: 'empty' });
  try {
    const server = start({ DATABASE_URL: empty.url });
    await server.url();
    await server.waitForOutput(/not ready/);
    expect(server.output.stdout).not.toContain('the worker has started');
    const { rows } = await empty.db.raw<{ rows: unknown[] }>(`SELECT FROM pg_class WHERE relname = 'webhook_deliveries'`);
    expect(rows).toEqual([]);
    const migrator = startProcess({ program: 'packages/specwright/src/main.ts', args: ['migrate'], env: { DATABASE_URL: empty.url } });
    expect(await migrator.exited).toMatchObject({ code: 0 });
    await server.waitForOutput(/the worker has started/);
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  } finally {
    await empty.drop();
  }
});
