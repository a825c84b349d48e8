/** A process that is frozen, loses every connection to the database meanwhile, and goes on: twelve times, as a server and as a function. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { issueKey, revokeKey } from '@specwright/accounts';
import { createDatabase, killProcesses, scaleTimeout, type TestDatabase } from 'specwright/testing';
import { createLoadClient, type LoadClient } from '../support/tools/load-client.ts';
import { createCategory } from '../../src/db/categories.ts';
import { setInventory } from '../../src/db/inventory.ts';
import { createPet } from '../../src/db/pets.ts';
import { newAccount } from '../support/service/app.ts';
import { startProcess } from '../support/service/process.ts';

const FREEZES = 12;
/** Longer than the shortest pause that a process notices. */
const FROZEN_MS = 900;
/** How long the server is watched after a freeze that a timer of a minute could have been due in. */
const WATCH_MS = 4000;
const ENDED = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name ~ '^(petstore|specwright rate limits)'`;

afterEach(killProcesses);

const transactions = async ({ db }: TestDatabase): Promise<number> => {
  // Statistics are written once a second at most.
  await sleep(1100);
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    'SELECT (xact_commit + xact_rollback)::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.n ?? NaN;
};

/** What a server does in the database that nobody asks. */
async function idleTransactions(database: TestDatabase): Promise<number> {
  const before = await transactions(database);
  await sleep(WATCH_MS);
  return (await transactions(database)) - before;
}

async function openShop({ db }: TestDatabase): Promise<{ accountId: number; key: string; petId: number }> {
  const { accountId, key } = await newAccount(db, 'enterprise');
  const categoryId = (await createCategory(db, accountId, { name: 'Dogs' })).record.id;
  const { record } = await createPet(db, accountId, { name: 'Rex', categoryId, status: 'available' });
  await setInventory(db, accountId, record.id, { quantity: 10_000 });
  return { accountId, key, petId: record.id };
}

const remaining = async (client: LoadClient): Promise<number> =>
  (JSON.parse((await client.send('GET', '/rate-limit')).body) as { day: { remaining: number } }).day.remaining;

test.each(['server', 'function'])(
  'as a %s its first requests after each freeze are served, a revoked key is not, limits are exact, and no timer catches up',
  async (profile) => {
    const database = await createDatabase();
    const { accountId, key, petId } = await openShop(database);
    const server = startProcess({ env: { DATABASE_URL: database.url, PROFILE: profile, LOG_LEVEL: 'warn' } });
    const client = createLoadClient(await server.url(), { headers: { Authorization: `Bearer ${key}` }, timeoutMs: 15_000 });
    const atFirst = await idleTransactions(database);
    const before = await remaining(client);
    const unexpected: string[] = [];
    for (let n = 0; n < FREEZES; n++) {
      const { record, apiKey } = await issueKey(database.db, accountId, { name: `key ${n}` }, new Date());
      const asRevoked = { Authorization: `Bearer ${apiKey}` };
      const warm = await client.send('GET', '/account', undefined, asRevoked);
      server.child.kill('SIGSTOP');
      await database.db.raw(ENDED);
      await revokeKey(database.db, accountId, record.id, new Date());
      await sleep(FROZEN_MS);
      // They wait in the socket when the process goes on.
      const first = Promise.all([
        client.send('POST', '/store/orders', { petId, quantity: 1 }),
        client.send('GET', `/store/pets/${petId}`),
        client.send('GET', '/account', undefined, asRevoked),
      ]);
      await sleep(20);
      server.child.kill('SIGCONT');
      const [order, read, revoked] = await first;
      // An address has so many look-ups of keys that are not valid in a minute: then one is refused without a look.
      const isRefused = revoked.status === 401 || revoked.status === 429;
      const seen = [warm, order, read, revoked].map(({ status, error }) => error ?? status).join(' ');
      if (!isRefused || !seen.startsWith('200 201 200 ')) unexpected.push(`freeze ${n}: ${seen} ${order.body}`);
    }
    expect(unexpected).toEqual([]);
    // The warm one, the order, the read, and the look at the limit itself: each was counted once.
    expect(before - (await remaining(client))).toBe(3 * FREEZES + (await lookCosts(client)));
    const [stock] = await database.db('pets').where({ id: petId }).select<{ quantity: number }[]>('quantity');
    expect(stock?.quantity).toBe(10_000 - FREEZES);
    await sleep(2000);
    expect(await idleTransactions(database)).toBeLessThanOrEqual(2 * atFirst + 20);
    client.close();
    await killProcesses();
    await database.drop();
  },
  scaleTimeout(600_000),
);

/** What a look at the limit takes of it. */
async function lookCosts(client: LoadClient): Promise<number> {
  const first = await remaining(client);
  return first - (await remaining(client));
}
