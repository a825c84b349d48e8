/** Every operation of the pet store succeeds on its mock, with what the contract declares: judged by the witness. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readDocument } from '@specwright/contract/document';
import { createOperationClient, createTestLog, createWitness, listenOnFreePort, withApp } from 'specwright/testing';
import { createMockServer } from '../../src/mock/mock-server.ts';

const SPEC = fileURLToPath(new URL('../../../../spec/petstore.yaml', import.meta.url));
const spec = createWitness(readDocument(SPEC).published, { undeclaredHeaders: ['x-mock'] });

describe.each([
  ['without a memory', {}],
  ['with a memory', { stateful: true }],
])('%s', (_, options) => {
  const app = withApp(async () => listenOnFreePort((await createMockServer(SPEC, { log: createTestLog(), ...options })).server));

  test.each(
    spec.operations.map(({ id, method }) => [id, method] as const).sort(([, a], [, b]) => Number(a === 'DELETE') - Number(b === 'DELETE')),
  )('%s', async (id) => {
    const client = createOperationClient({ spec, servers: { mock: app.url } });
    const response = await client.send(id);
    expect(response.text).not.toContain('"code":"');
    expect(response.status).toBeGreaterThanOrEqual(200);
    expect(response.status).toBeLessThan(300);
    expect(spec.problems(id, response)).toEqual([]);
    expect(response.headers.get('x-mock')).toBe('true');
  });
});

describe('links of the contract', () => {
  const app = withApp(async () => listenOnFreePort((await createMockServer(SPEC, { log: createTestLog(), stateful: true })).server));

  test('say where a pet that was created is read, and by which path else', async () => {
    const client = createOperationClient({ spec, servers: { mock: app.url } });
    const created = await client.send('createPet');
    const { id } = JSON.parse(created.text) as { id: number };
    expect(created.headers.get('location')).toBe(`/store/pets/${id}`);
    expect((await client.send('getStorePet', { path: { petId: id } })).text).toBe(created.text);
    await client.send('deletePet', { path: { petId: id } });
    expect((await client.send('getStorePet', { path: { petId: id } })).status).toBe(404);
  });
});
