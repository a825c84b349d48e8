/** The tools of the pet store, as an agent finds them: off unless they are asked for, with the limits of the caller's account. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from '@jest/globals';
import { mcp } from '@specwright/server/mcp';
import { withApp, withDatabase } from 'specwright/testing';
import { readConfig } from '../../src/config.ts';
import { newAccount, startApp } from '../support/service/app.ts';

const database = withDatabase();
const app = withApp(() => startApp(database.db, { mcp: mcp() }));

test('MCP is off by default', () => {
  expect([readConfig({}).mcp, readConfig({ MCP: 'on' }).mcp]).toEqual([false, true]);
  expect(() => readConfig({ MCP: 'yes' })).toThrow(/MCP must be on or off/);
});

test('an agent finds a pet and orders it', async () => {
  const { key } = await newAccount(database.db);
  const headers = { Authorization: `Bearer ${key}` };
  const send = (method: string, path: string, body: object) =>
    fetch(app.url + path, { method, headers: { ...headers, 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const category = (await (await send('POST', '/categories', { name: 'Dogs' })).json()) as { id: number };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`), { requestInit: { headers } }));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['list_pets', 'create_pet', 'get_pet', 'place_order', 'list_inventory', 'get_rate_limit']);
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args });
  const created = await call('create_pet', { body: { name: 'Rex', categoryId: category.id } });
  const { id: petId } = created.structuredContent as { id: number };
  expect((await call('place_order', { body: { petId } })).content[0]).toMatchObject({ text: expect.stringContaining('out_of_stock') });
  await send('PUT', `/store/inventory/${petId}`, { quantity: 1 });
  expect((await call('place_order', { body: { petId } })).structuredContent).toMatchObject({ petId, quantity: 1, complete: false });
  expect((await call('list_pets')).structuredContent).toMatchObject({ items: [{ id: petId, name: 'Rex', status: 'pending' }] });
  expect((await call('get_pet', { petId })).structuredContent).toMatchObject({ id: petId });
  const limits = (await call('get_rate_limit')).structuredContent as { minute: { remaining: number; limit: number } };
  expect(limits.minute.remaining).toBeLessThan(limits.minute.limit);
  await client.close();
});
