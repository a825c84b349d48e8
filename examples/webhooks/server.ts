import { resolve } from 'node:path';
import { checkWebhookUrl, createSender, createWorker, setWebhook, WEBHOOK_ERRORS, WEBHOOK_MIGRATIONS } from '@specwright/accounts/webhooks'; // prettier-ignore
import { createStoreAccess, migrate, openDatabase } from '@specwright/postgres';
import { DATABASE_VARIABLES } from '@specwright/postgres/environment';
import { createLogger, createServer, FRAMEWORK_ERRORS, listen, loadContract } from '@specwright/server';
import { readEnvironment } from '@specwright/server/environment';
import type { Knex } from 'knex';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';
import { outgoing } from './generated/outgoing.ts';

const log = createLogger('info');
const config = readEnvironment(DATABASE_VARIABLES);
// The database at DATABASE_URL, or the PostgreSQL that npm has installed.
const { db, close } = await openDatabase({ ...config, name: 'shop', dataDir: resolve(config.dataDir) });
const orders = {
  up: (knex: Knex) => knex.raw('CREATE TABLE orders (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, item text NOT NULL)'),
};
await migrate(db, { migrations: [{ name: '0001_orders', migration: orders }, ...WEBHOOK_MIGRATIONS] });

/** This shop has one customer. */
const ACCOUNT = 1;
/** To try it on one machine. Without it only public addresses are called. */
const allowPrivate = true;

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
const { transaction } = createStoreAccess();
const sender = createSender(contract, outgoing);

const handlers: Handlers = {
  setWebhook: async ({ body: { url } }, reply, { now }) => {
    checkWebhookUrl(url, { allowPrivate }, 'body/url');
    const { secret } = await setWebhook(db, ACCOUNT, { url }, now);
    return reply(200, { body: { secret } });
  },
  placeOrder: async ({ body: { item } }, reply, context) => {
    // The order and its webhook are committed together, or neither.
    const order = await transaction(db, async (trx) => {
      const [row] = await trx<Schemas['Order']>('orders').insert({ item }).returning('*');
      if (row === undefined) throw new Error('INSERT has returned no row');
      await sender(trx, context).orderPlaced(ACCOUNT, row);
      return row;
    });
    return reply(201, { body: order });
  },
};

const errors = { statuses: { ...FRAMEWORK_ERRORS, ...WEBHOOK_ERRORS } };
export const server = createServer({ contract, handlers, security: {}, errors, log });
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);

const worker = createWorker({ db, log, outgoing, timeout: 10_000, stopTimeout: 5000, retentionDays: 30, allowPrivate });
worker.start();

export async function stop(): Promise<void> {
  server.close();
  await worker.stop();
  await close();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop);
