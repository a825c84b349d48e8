/** What scenarios break: a database with the schema of the pet store, its server as processes, and accounts to call it with. */
import { connect } from '@specwright/postgres';
import { createDatabase, startTestServer, type TestDatabase, type TestProcess } from 'specwright/testing';
import { createLoadClient } from '../../support/tools/load-client.ts';
import { startTcpProxy } from '../../support/tools/tcp-proxy.ts';
import { newAccount } from '../../support/service/app.ts';
import { startProcess } from '../../support/service/process.ts';
import { schema } from '../../../src/db/migrations/index.ts';
import { createCategory } from '../../../src/db/categories.ts';
import { setInventory } from '../../../src/db/inventory.ts';
import { createPet } from '../../../src/db/pets.ts';
import type { ScenarioContext } from './scenario.ts';

export interface Server {
  readonly url: string;
  readonly process: TestProcess;
}

export interface Shop {
  readonly accountId: number;
  readonly key: string;
  readonly categoryId: number;
  readonly petId: number;
}

/**
 * A database on a temporary PostgreSQL of the scenario's own: it may be stopped, and its settings changed. Commits are durable if
 * its processes are killed, not if the machine crashes.
 */
export async function openDatabase(context: ScenarioContext, settings: Readonly<Record<string, string>> = {}): Promise<TestDatabase> {
  const server = await startTestServer({ schema, settings: { synchronous_commit: 'on', ...settings } });
  context.defer(() => server.stop());
  const database = await createDatabase({ schema: context.checkout === undefined ? 'template' : 'empty' });
  context.defer(() => database.drop());
  // Another version of the project brings its own schema.
  if (context.checkout !== undefined) await migrateBy(database.url, [], context.checkout);
  return database;
}

/** `npm run migrate`, of a checkout or of this project. @returns what it says. @throws Error with what it says if it fails. */
export async function migrateBy(url: string, args: readonly string[] = [], checkout?: string): Promise<string> {
  const cwd = checkout === undefined ? {} : { cwd: checkout };
  const program = 'packages/specwright/src/main.ts';
  const { exited, output } = startProcess({ ...cwd, program, args: ['migrate', ...args], env: { DATABASE_URL: url } });
  if ((await exited).code !== 0) throw new Error(`npm run migrate failed: ${output.stderr}`);
  return output.stdout;
}

/** Starts the server as a process, and waits until it listens. @param env beside `DATABASE_URL`. @param checkout another version of the project. */
export async function startServer(
  context: ScenarioContext,
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
  checkout = context.checkout,
): Promise<Server> {
  const process = startProcess({
    ...(checkout === undefined ? {} : { cwd: checkout }),
    env: { DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn', ...env },
  });
  context.defer(async () => {
    process.child.kill('SIGKILL');
    await process.exited;
  });
  return { url: await process.url(), process };
}

/** An account without limits, with one pet in stock. */
export async function openShop({ db }: TestDatabase, stock = 1_000_000): Promise<Shop> {
  const { accountId, key } = await newAccount(db, 'enterprise');
  const categoryId = (await createCategory(db, accountId, { name: 'Dogs' })).record.id;
  const { record } = await createPet(db, accountId, { name: 'Rex', categoryId, status: 'available' });
  await setInventory(db, accountId, record.id, { quantity: stock });
  return { accountId, key, categoryId, petId: record.id };
}

/** A server with a network to its database that can be broken, and an account to call it with. @param timeoutMs of its client. */
export async function openShopBehindProxy(context: ScenarioContext, env: Readonly<Record<string, string>> = {}, timeoutMs?: number) {
  const database = await openDatabase(context);
  const shop = await openShop(database);
  const proxy = await startTcpProxy(database.url);
  context.defer(() => proxy.close());
  const server = await startServer(context, proxy.url, env);
  const client = createLoadClient(server.url, {
    headers: { Authorization: `Bearer ${shop.key}` },
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  context.defer(() => client.close());
  return { database, shop, proxy, server, client };
}

/** The process of PostgreSQL that starts the others. */
export async function postmaster(url: string): Promise<number> {
  const db = connect({ url, pool: 1 });
  try {
    const { rows } = await db.raw<{ rows: { file: string }[] }>(`SELECT pg_read_file('postmaster.pid') AS file`);
    return Number.parseInt(rows[0]?.file ?? '', 10);
  } finally {
    await db.destroy();
  }
}

/** Whether a database can be used, over a connection of its own. */
export async function answers(url: string): Promise<boolean> {
  const db = connect({ url, pool: 1 });
  try {
    await db.raw('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await db.destroy();
  }
}
