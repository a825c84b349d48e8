/** API keys and limits: a key is admitted until its limit is used up, and nobody else is. */
import { expect, test } from '@jest/globals';
import { createOperationClient, createWitness, withDatabase } from 'specwright/testing';
import { loadServiceContract } from '../src/service.ts';
import { limitsOf, startApp } from './support/app.ts';
import { createCredentials } from './support/credentials.ts';

const { document, operations } = await loadServiceContract();
const counted = operations.find(
  ({ requirements, cost }) => cost > 0 && requirements.length > 0 && requirements.every((all) => all.length > 0),
);
const database = withDatabase();

test('without a key 401; a key is admitted, and refused with 429 once its limit is used up; another key has a limit of its own', async () => {
  if (counted === undefined) throw new Error('no operation of the contract requires credentials: remove this test');
  const { id, cost } = counted;
  const app = await startApp(database, limitsOf(cost));
  try {
    const clientOf = async (email: string) =>
      createOperationClient({
        spec: createWitness(document),
        servers: { service: app.url },
        credentials: await createCredentials(database.db, email),
      });
    const ada = await clientOf('ada@example.com');
    const statusOf = async (client: typeof ada) => (await client.send(id)).status;
    expect((await ada.send(id, { anonymous: true })).status).toBe(401);
    expect([401, 429]).not.toContain(await statusOf(ada));
    const refused = await ada.send(id);
    expect([refused.status, Number(refused.headers.get('retry-after')) >= 1]).toEqual([429, true]);
    expect([401, 429]).not.toContain(await statusOf(await clientOf('bob@example.com')));
  } finally {
    await app.close();
  }
});
