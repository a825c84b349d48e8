/** Behind PgBouncer in transaction mode: the whole contract, revocation, exact limits and messages, with and without a direct URL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connect, type Database } from '@specwright/postgres';
import {
  createDatabase,
  killProcesses,
  startReceiver,
  until,
  walkContract,
  withApp,
  withDatabase,
  withFixture,
  type JsonResponse,
  type TestDatabase,
  type TestProcess,
} from 'specwright/testing';
import { countStatuses } from '../support/tools/load-client.ts';
import { startConditions } from '../contract/conditions.ts';
import { OUTGOING } from '../contract/outgoing.ts';
import { scenarioFor } from '../contract/scenario-for.ts';
import { spec } from '../contract/spec.ts';
import { createWorld } from '../contract/world.ts';
import { newAccount } from '../support/service/app.ts';
import { clientWithKey } from '../support/service/client.ts';
import { createOrder, deleteOrder, updateOrder } from '../../src/db/orders.ts';
import { getPet, updatePet } from '../../src/db/pets.ts';
import { canPrepare, pgBouncerVersion, startPgBouncer, type PgBouncer, type PgBouncerOptions } from '../support/service/pgbouncer.ts';
import { startProcess } from '../support/service/process.ts';
import { openShop, type Shop } from '../support/service/shop.ts';

// In CI it has to be there; elsewhere its absence is no failure, but it is said.
const isMissing = pgBouncerVersion() === undefined;
if (isMissing && process.env['CI']) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
if (isMissing) console.warn('SKIPPED: PgBouncer is not installed, so nothing is tested behind it: apt-get install pgbouncer');
const describeBehindPooler = isMissing ? describe.skip : describe;

const canKeepNames = canPrepare(pgBouncerVersion() ?? '');
if (!isMissing && !canKeepNames) console.warn('SKIPPED: PgBouncer before 1.21 keeps track of no prepared statements');
if (!canKeepNames && process.env['CI']) throw new Error('PgBouncer 1.21 or later is needed');
const describeWithNames = canKeepNames ? describe : describe.skip;
const POOLERS = [['that keeps no names', 0] as const, ...(canKeepNames ? [['that keeps names', 100] as const] : [])];

describeBehindPooler.each(POOLERS)('the contract through PgBouncer %s', (_, preparedStatements) => {
  const database = withDatabase();
  const bouncer = withApp(() => startPgBouncer(database.url, { preparedStatements }));
  const through = withFixture(
    () => ({ db: connect({ url: bouncer.url, directUrl: database.url }) }),
    ({ db }) => db.destroy(),
  );
  const conditions = withApp(() => startConditions({ ...database, db: through.db }));
  const world = withFixture(() => createWorld(conditions.urls, database.db));
  walkContract({ spec, world, client: world, scenarioFor, outgoing: OUTGOING, scenariosFile: 'test/contract/scenarios.ts' });
});

// On a busy machine too: the store is waited for, so no server decides alone.
const EXACT = { RATE_LIMIT_TIMEOUT: '15000' };

describeBehindPooler('two servers behind PgBouncer', () => {
  const database = withDatabase();
  const bouncer = withApp(() => startPgBouncer(database.url));
  afterEach(killProcesses);

  const start = async (env: Record<string, string>) => {
    const common = { DATABASE_URL: bouncer.url, DATABASE_POOL: '4', ...EXACT, ...env };
    const servers = [0, 1].map(() => startProcess({ env: common })) as [TestProcess, TestProcess];
    const urls = (await Promise.all(servers.map((server) => server.url()))) as [string, string];
    return { servers, urls };
  };

  test.each([
    ['a direct URL', true, /listening for changes of keys/, /are not received/],
    ['none', false, /changes of keys are not received: every key is looked up/, /listening for changes of keys/],
  ])('with %s a revoked key is refused by the other one at once', async (_, hasDirectUrl, says, never) => {
    const env: Record<string, string> = hasDirectUrl ? { DATABASE_DIRECT_URL: database.url } : {};
    const { servers, urls } = await start(env);
    for (const server of servers) await server.waitForOutput(says);
    const here = clientWithKey(urls[0], (await newAccount(database.db, 'enterprise')).key);
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) {
      const { body } = await here<{ id: number; apiKey: string }>('POST', '/account/keys', { name: 'Till' });
      await sleep(250);
      const there = clientWithKey(urls[1], body.apiKey);
      for (let j = 0; j < 3; j++) expect((await there('GET', '/account')).status).toBe(200);
      expect((await here('DELETE', `/account/keys/${body.id}`)).status).toBe(204);
      statuses.push((await there('GET', '/account')).status);
    }
    expect(statuses).toEqual(Array(10).fill(401));
    for (const { output } of servers) expect(output.stdout).not.toMatch(never);
  });

  test('limits are exact, and their settings reach no other client of the pooler', async () => {
    const { urls } = await start({ DATABASE_DIRECT_URL: database.url });
    const { key } = await newAccount(database.db, 'free');
    // A server that is too busy to answer in time says so with 503, and does not count the request.
    const get = async (url: string): Promise<JsonResponse> => {
      const response = await clientWithKey(url, key)('GET', '/pets');
      return response.status === 503 ? get(url) : response;
    };
    const calls = urls.flatMap((url) => Array.from({ length: 50 }, () => get(url)));
    expect(countStatuses(await Promise.all(calls))).toEqual({ 200: 60, 429: 40 });
    const others = connect({ url: bouncer.url, pool: 20 });
    const settings = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { rows } = await others.raw<{ rows: { source: string }[] }>(
          `SELECT source, pg_sleep(0.05) FROM pg_settings WHERE name = 'synchronous_commit'`,
        );
        return rows[0]?.source;
      }),
    );
    await others.destroy();
    expect(new Set(settings)).not.toContain('session');
  });

  test.each([
    ['a direct URL', true],
    ['none', false],
  ])('with %s messages are delivered', async (_, hasDirectUrl) => {
    const receiver = await startReceiver();
    try {
      const { urls } = await start({
        WEBHOOK_ALLOW_PRIVATE: 'true',
        ...(hasDirectUrl ? { DATABASE_DIRECT_URL: database.url } : {}),
      });
      const send = clientWithKey(urls[0], (await newAccount(database.db)).key);
      expect((await send('PUT', '/account/webhook', { url: receiver.url })).status).toBeLessThan(300);
      expect((await send('POST', '/messages', { message: 'Rex is well.' })).status).toBe(202);
      await until(() => receiver.received.length === 1, 15_000);
    } finally {
      await receiver.close();
    }
  });
});

/** How often each pet is read and changed. */
const ROUNDS = 20;
const PETS = 12;

describeWithNames('statements behind PgBouncer', () => {
  const database = withDatabase();
  let bouncer: PgBouncer;
  let db: Database;
  let shop: Shop;
  const restart = async (options: PgBouncerOptions) => {
    const listenPort = Number(new URL(bouncer.url).port);
    await bouncer.close();
    bouncer = await startPgBouncer(database.url, { serverConnections: 3, ...options, listenPort });
  };
  const open = async (options: PgBouncerOptions) => {
    bouncer = await startPgBouncer(database.url, { serverConnections: 3, ...options });
    db = connect({ url: bouncer.url, pool: 8, acquireTimeoutMs: 10_000 });
    shop = await openShop(database.db, ...Array.from({ length: PETS }, () => 1000));
  };
  afterEach(async () => {
    await db.destroy();
    await bouncer.close();
  });

  /** Reads and changes all pets at once, over more connections than PgBouncer has. @returns the errors. */
  const use = async (rounds = ROUNDS): Promise<unknown[]> => {
    const errors: unknown[] = [];
    const useOne = async (petId: number) => {
      for (let round = 0; round < rounds; round++) {
        try {
          expect((await getPet(db, shop.accountId, petId)).record.id).toBe(petId);
          expect((await updatePet(db, shop.accountId, petId, { name: `Pet ${petId}` })).record).toMatchObject({
            id: petId,
            name: `Pet ${petId}`,
          });
          const { record } = await createOrder(db, shop.accountId, { petId, quantity: 1 });
          expect((await updateOrder(db, shop.accountId, record.id, { quantity: 2 })).record.petId).toBe(petId);
          await deleteOrder(db, shop.accountId, record.id);
        } catch (error) {
          errors.push(error);
        }
      }
    };
    await Promise.all(shop.petIds.map(useOne));
    return errors;
  };
  /** Names on the connections of PgBouncer: its own (`PGBOUNCER_1`), or those of clients. */
  const namesOnServer = async () => {
    const rows = await Promise.all(
      Array.from({ length: 6 }, () => db.raw<{ rows: { name: string }[] }>('SELECT name, pg_sleep(0.05) FROM pg_prepared_statements')),
    );
    return new Set(rows.flatMap((result) => result.rows.map(({ name }) => name)));
  };
  const isOwn = (name: string) => name.startsWith('PGBOUNCER_');
  const withoutProbe = (names: Set<string>) => [...names].filter((name) => !name.startsWith('probe_'));

  test('have names where it keeps them, which it translates', async () => {
    await open({ preparedStatements: 100 });
    expect(await use()).toEqual([]);
    const names = withoutProbe(await namesOnServer());
    expect(names.length).toBeGreaterThan(3);
    expect(names.every(isOwn)).toBe(true);
  });

  test('have none where it keeps none', async () => {
    await open({ preparedStatements: 0 });
    expect(await use()).toEqual([]);
    expect(withoutProbe(await namesOnServer())).toEqual([]);
  });

  test('have none once it has been started again without them: what fails by it is run again', async () => {
    await open({ preparedStatements: 100 });
    expect(await use(2)).toEqual([]);
    await restart({ preparedStatements: 0 });
    // Connections that it had are lost.
    await use(2);
    expect(await use()).toEqual([]);
    expect(withoutProbe(await namesOnServer()).filter(isOwn)).toEqual([]);
  });

  test('are prepared again when a client has deallocated all of a connection of it', async () => {
    await open({ preparedStatements: 100 });
    let isOver = false;
    const others = connect({ url: bouncer.url, pool: 3 });
    const deallocate = async () => {
      while (!isOver) {
        await others.raw('DEALLOCATE ALL');
        await others.raw('DISCARD ALL');
        await sleep(5);
      }
    };
    const deallocating = deallocate();
    expect(await use()).toEqual([]);
    isOver = true;
    await deallocating;
    await others.destroy();
  });

  test('are prepared again on connections that it has opened to a server that was started again', async () => {
    await open({ preparedStatements: 100 });
    expect(await use(2)).toEqual([]);
    await database.db.raw(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await use(1);
    expect(await use()).toEqual([]);
    expect(withoutProbe(await namesOnServer()).some(isOwn)).toBe(true);
  });
});

describeBehindPooler('a database that is not migrated', () => {
  let database: TestDatabase;

  test('two servers with a direct URL migrate it at once, past PgBouncer', async () => {
    database = await createDatabase({ schema: 'empty' });
    const bouncer = await startPgBouncer(database.url);
    try {
      const env = { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url };
      const servers = [0, 1].map(() => startProcess({ env, args: ['--migrate'] }));
      for (const server of servers) {
        const url = await server.url();
        await until(async () => (await fetch(`${url}/readyz`)).status === 200);
      }
    } finally {
      await killProcesses();
      await bouncer.close();
      await database.drop();
    }
  });
});
