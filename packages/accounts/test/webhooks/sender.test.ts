/** What a contract declares is sent by a function: validated before it is queued, in the caller's transaction, and delivered as declared. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { loadContract, type GeneratedOutgoing, type OutgoingCallback, type OutgoingWebhook } from '@specwright/server';
import { operationTable, outgoingTable, readDocument } from '@specwright/contract/document';
import { until, withFixture } from 'specwright/testing';
import { createSecret, createSender, findDelivery } from '@specwright/accounts/webhooks';
import { Webhook } from 'standardwebhooks';
import { createDeliveryQueue } from './support/delivery-queue.ts';
import { newAccount, withWebhooksDatabase } from './support/webhooks-database.ts';

const SPEC = `openapi: 3.1.0
info: { title: Orders, version: '1' }
webhooks:
  order.completed:
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Completed' } } } }
      responses: { '204': { description: Taken. } }
  ping: { put: { responses: { 2XX: { description: ok } } } }
paths:
  /orders:
    post:
      operationId: createOrder
      responses: { '201': { description: ok } }
      callbacks:
        shipped:
          '{$request.body#/callbackUrl}':
            post:
              requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Completed' } } } }
              responses: { default: { description: ok } }
components:
  schemas:
    Completed: { type: object, required: [orderId], properties: { orderId: { type: integer }, note: { type: string, maxLength: 5 } } }
`;

interface Completed {
  orderId: number;
  note?: string;
}
interface Types {
  readonly orderCompleted: OutgoingWebhook<Completed>;
  readonly ping: OutgoingWebhook<undefined>;
  readonly shipped: OutgoingCallback<Completed | undefined>;
}

const database = withWebhooksDatabase();
const queue = withFixture(() => createDeliveryQueue(database.db));
afterEach(() => queue.clear());

const loaded = withFixture(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sender-'));
  try {
    const file = join(folder, 'openapi.yaml');
    await writeFile(file, SPEC);
    const { digest, document } = readDocument(file);
    const contract = await loadContract(file, { digest, operations: operationTable(document), rateLimitPlans: null });
    const outgoing = { table: outgoingTable(document) } as unknown as GeneratedOutgoing<Types>;
    return { contract, outgoing, sender: createSender<Types>(contract, outgoing) };
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a body that breaks the contract throws with its locations, and nothing is queued', async () => {
  const accountId = newAccount();
  const before = await queue.countQueued();
  const sent = database.db.transaction(async (trx) => {
    await loaded.sender(trx).orderCompleted(accountId, { orderId: 1.5, note: 'too long' });
  });
  await expect(sent).rejects.toThrow(
    'the body of orderCompleted breaks the contract, and is not sent: body/orderId must be integer; body/note must NOT have more than 5 characters',
  );
  expect(await queue.countQueued()).toBe(before);
  expect(await database.db('webhook_deliveries').where({ account_id: accountId })).toEqual([]);
});

test('what is sent is queued if the transaction commits, without what is not declared', async () => {
  const accountId = newAccount();
  const send = (fails: boolean) =>
    database.db.transaction(async (trx) => {
      const { id } = await loaded.sender(trx).orderCompleted(accountId, { orderId: 7, inner: true } as Completed);
      if (fails) throw new Error('no');
      return id;
    });
  await expect(send(true)).rejects.toThrow('no');
  const id = await send(false);
  expect(await database.db('webhook_deliveries').where({ account_id: accountId }).select('id', 'name', 'body')).toEqual([
    { id, name: 'orderCompleted', body: '{"orderId":7}' },
  ]);
});

test('it is delivered with its method and body, and whether the status of the response is declared is recorded', async () => {
  const { url, received } = await queue.startReceiver((_, count) => ({ status: count === 2 ? 200 : 204 }));
  const accountId = await queue.accountWithWebhook(url);
  queue.startWorker({ outgoing: loaded.outgoing });
  const send = loaded.sender(database.db, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
  const ended = async ({ id }: { id: string }) => {
    await queue.waitForStatus(accountId, id, 'sent');
    return findDelivery(database.db, accountId, id);
  };
  expect(await ended(await send.orderCompleted(accountId, { orderId: 1 }))).toMatchObject({ answer: 204, isDeclared: true });
  expect(await ended(await send.orderCompleted(accountId, { orderId: 2 }))).toMatchObject({ answer: 200, isDeclared: false });
  expect(await ended(await send.ping(accountId))).toMatchObject({ answer: 204, isDeclared: true });
  expect(received.map(({ method, body }) => `${method} ${body}`)).toEqual(['POST {"orderId":1}', 'POST {"orderId":2}', 'PUT ']);
  expect(received[0]?.headers['traceparent']).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-/);
});

test('a callback goes to its address, signed with its secret, and a failing one leaves the webhook of the account alone', async () => {
  const secret = createSecret();
  const broken = await queue.startReceiver(() => ({ status: 500 }));
  const receiver = await queue.startReceiver();
  const own = await queue.startReceiver();
  const accountId = await queue.accountWithWebhook(own.url);
  queue.startWorker({ outgoing: loaded.outgoing, maxAttempts: 2 });
  const send = loaded.sender(database.db);
  const failed = await send.shipped({ accountId, url: broken.url }, { orderId: 1 });
  const sent = await send.shipped({ accountId, url: receiver.url, secret }, { orderId: 2 });
  await queue.waitForStatus(accountId, failed.id, 'failed');
  await queue.waitForStatus(accountId, sent.id, 'sent');
  const [{ body, headers }] = receiver.received as [(typeof receiver.received)[number]];
  expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toEqual({ orderId: 2 });
  expect(broken.received[0]?.headers['webhook-signature']).toBeUndefined();
  expect(await database.db('webhooks').where({ account_id: accountId }).pluck<number[]>('failures')).toEqual([0]);
  expect(own.received).toEqual([]);
});

test('a callback to a private address is not made', async () => {
  const { url, received } = await queue.startReceiver();
  const accountId = newAccount();
  queue.startWorker({ allowPrivate: false, maxAttempts: 1 });
  const { id } = await loaded.sender(database.db).shipped({ accountId, url }, { orderId: 1 });
  await queue.waitForStatus(accountId, id, 'failed');
  await until(async () => queue.logged.join('\n').includes('must have a public address'));
  expect(received).toEqual([]);
});

test('one id is sent once', async () => {
  const accountId = newAccount();
  const send = loaded.sender(database.db);
  for (const orderId of [1, 2]) expect(await send.orderCompleted(accountId, { orderId }, { id: 'order-1' })).toEqual({ id: 'order-1' });
  expect(await database.db('webhook_deliveries').where({ account_id: accountId }).pluck('body')).toEqual(['{"orderId":1}']);
});

test('a table of another document is refused', () => {
  const table = { ...loaded.outgoing.table, gone: loaded.outgoing.table.ping };
  expect(() => createSender(loaded.contract, { table })).toThrow(
    'the contract does not declare gone, which is in outgoing.ts: run `npm run generate`',
  );
});

/** Type proofs: what does not fit does not compile. Nothing here is run. */
export function proofs(): void {
  const send = loaded.sender(database.db);
  // @ts-expect-error the body is required
  void send.orderCompleted(1);
  // @ts-expect-error orderId is a number
  void send.orderCompleted(1, { orderId: '7' });
  // @ts-expect-error not declared
  void send.orderCompleted(1, { orderId: 7, inner: true });
  // @ts-expect-error a callback has an address
  void send.shipped(1, { orderId: 7 });
  void send.ping(1);
  void send.shipped({ accountId: 1, url: 'https://example.com' });
}

// @ts-expect-error no such webhook
export type Missing = Types['orderShipped'];
