/** Two servers behind PgBouncer in transaction mode, with and without a direct URL: a revoked key is refused at once, and nothing fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLoadClient, type LoadClient } from '../support/tools/load-client.ts';
import { pgBouncerVersion, startPgBouncer } from '../../test/support/service/pgbouncer.ts';
import { openDatabase, openShop, startServer, type Shop } from './support/pet-store.ts';
import type { Scenario } from './support/scenario.ts';

const ROUNDS = 10;
/** How long a revoked key is tried, in ms: longer than a caller is cached. */
const WATCH_MS = 6000;
const CLIENTS = 10;

export const scenario: Scenario = {
  summary: 'PgBouncer in transaction mode between two servers and the database',
  timeoutMs: 180_000,
  rounds: ROUNDS,
  async run(context) {
    const { measure, progress, defer, rounds } = context;
    if (pgBouncerVersion() === undefined) throw new Error('PgBouncer is not installed: apt-get install pgbouncer');
    const database = await openDatabase(context);
    const shop = await openShop(database);
    const bouncer = await startPgBouncer(database.url);
    defer(() => bouncer.close());
    for (const [name, direct] of [
      ['with a direct URL', { DATABASE_DIRECT_URL: database.url }],
      ['without', {}],
    ] as const) {
      // Counters that a busy machine makes slow are not what is measured here, and `GET /rate-limit` says so with a 503.
      const env = { DATABASE_POOL: '4', RATE_LIMIT_TIMEOUT: '2000', ...direct };
      const servers = [await startServer(context, bouncer.url, env), await startServer(context, bouncer.url, env)] as const;
      // The channel is open, or known not to be.
      await sleep(3000);
      const clients = servers.map(({ url }) => createLoadClient(url, { headers: { Authorization: `Bearer ${shop.key}` } }));
      const [here, there] = clients as [LoadClient, LoadClient];
      let accepted = 0;
      for (let round = 1; round <= rounds; round++) {
        progress(`${name}: key ${round} of ${rounds}`);
        accepted = Math.max(accepted, await acceptedAfterRevocation(here, there));
      }
      measure({ measured: `revoked key accepted, ${name}`, value: accepted, unit: 'ms', max: 0 });
      progress(`${name}: requests`);
      const lists = await Promise.all(Array.from({ length: CLIENTS }, (_, i) => listFailures(i % 2 === 0 ? here : there, shop, rounds)));
      const failures = lists.flat();
      measure({ measured: `failed of ${CLIENTS * rounds * 8} requests, ${name}`, value: failures.length, max: 0 });
      for (const failure of new Set(failures))
        measure({ measured: `  ${failure}`, value: failures.filter((other) => other === failure).length });
      for (const client of clients) client.close();
      for (const { process } of servers) process.child.kill('SIGKILL');
    }
  },
};

/** Revokes a key on one server that the other has cached. @returns how long the other accepts it after the answer, in ms. */
async function acceptedAfterRevocation(here: LoadClient, there: LoadClient): Promise<number> {
  const issued = await here.send('POST', '/account/keys', { name: 'Till' });
  if (issued.status !== 201) throw new Error(`POST /account/keys was answered ${issued.status}: ${issued.body || (issued.error ?? '')}`);
  const { id, apiKey } = JSON.parse(issued.body) as { id: number; apiKey: string };
  const use = async () => (await there.send('GET', '/account', undefined, { Authorization: `Bearer ${apiKey}` })).status;
  // For a moment after a change nothing is cached.
  await sleep(250);
  for (let i = 0; i < 3; i++) await use();
  await here.send('DELETE', `/account/keys/${id}`);
  const revokedAt = performance.now();
  let accepted = 0;
  while ((await use()) === 200 && accepted < WATCH_MS) accepted = performance.now() - revokedAt;
  return accepted;
}

/** Eight requests a round: transactions and single statements of several stores. @returns those that were not answered as expected. */
async function listFailures(client: LoadClient, { categoryId, petId }: Shop, rounds: number): Promise<string[]> {
  const failures: string[] = [];
  const expect = async (status: number, method: string, path: string, body?: unknown) => {
    const response = await client.send(method, path, body);
    if (response.status !== status)
      failures.push(`${method} ${path.replace(/\d+/, 'N')}: ${response.status || (response.error ?? '')} ${response.body}`.slice(0, 120));
    return response.body;
  };
  for (let round = 0; round < rounds; round++) {
    const pet = JSON.parse((await expect(201, 'POST', '/pets', { name: 'Bella', categoryId, status: 'available' })) || '{}') as {
      id?: number;
    };
    await expect(200, 'GET', `/store/pets/${pet.id ?? 0}`);
    await expect(200, 'PATCH', `/pets/${pet.id ?? 0}`, { name: 'Bello' });
    await expect(204, 'DELETE', `/pets/${pet.id ?? 0}`);
    const order = JSON.parse((await expect(201, 'POST', '/store/orders', { petId, quantity: 1 })) || '{}') as { id?: number };
    await expect(200, 'PATCH', `/store/orders/${order.id ?? 0}`, { complete: true });
    await expect(200, 'GET', '/store/inventory');
    await expect(200, 'GET', '/rate-limit');
  }
  return failures;
}
