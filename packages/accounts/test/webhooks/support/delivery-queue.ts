/** Workers with short pauses, receivers, and accounts whose messages they deliver. */
import type { Database } from '@specwright/postgres';
import { scaleTimeout, startReceiver, until, type Receiver, type Respond } from 'specwright/testing';
import {
  createDeliveryId,
  createWorker,
  findDelivery,
  queueDelivery,
  setWebhook,
  type Worker,
  type WorkerOptions,
} from '@specwright/accounts/webhooks';
import { newAccount } from './webhooks-database.ts';

export interface DeliveryQueue {
  /** The log lines of the workers. */
  readonly logged: string[];
  startWorker(options?: Partial<WorkerOptions>): Worker;
  startReceiver(respond?: Respond): Promise<Receiver>;
  /** A new account; its messages go to `url`, if there is one. */
  accountWithWebhook(url?: string): Promise<number>;
  send(accountId: number): Promise<string>;
  statusOf(accountId: number, id: string): Promise<string>;
  waitForStatus(accountId: number, id: string, status: string): Promise<void>;
  /** How many deliveries are queued. */
  countQueued(): Promise<number>;
  /** Ends the workers and receivers of a test. */
  clear(): Promise<void>;
}

export function createDeliveryQueue(db: Database): DeliveryQueue {
  const cleanups: (() => Promise<void>)[] = [];
  const logged: string[] = [];
  const write = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }));
  const statusOf = async (accountId: number, id: string) => (await findDelivery(db, accountId, id))?.status ?? 'deleted';
  return {
    logged,
    startWorker(options = {}) {
      const log = { info: write, warn: write };
      const short = {
        timeout: scaleTimeout(500),
        stopTimeout: scaleTimeout(2000),
        maxAttempts: 3,
        retryDelay: 50,
        pollInterval: 20,
        retentionDays: 30,
      };
      const worker = createWorker({ db, log, allowPrivate: true, ...short, ...options });
      worker.start();
      cleanups.push(() => worker.stop());
      return worker;
    },
    async startReceiver(respond) {
      const receiver = await startReceiver(respond);
      cleanups.push(() => receiver.close());
      return receiver;
    },
    async accountWithWebhook(url) {
      const accountId = newAccount();
      if (url !== undefined) await setWebhook(db, accountId, { url }, new Date());
      return accountId;
    },
    async send(accountId) {
      const id = createDeliveryId(new Date());
      await queueDelivery(db, { accountId, id, name: 'noted', body: '{"text":"hello"}' });
      return id;
    },
    statusOf,
    waitForStatus: (accountId, id, status) => until(async () => (await statusOf(accountId, id)) === status, 8000),
    countQueued: async () => Number((await db('webhook_deliveries').where({ status: 'queued' }).count<{ count: number }[]>())[0]?.count),
    async clear() {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    },
  };
}
