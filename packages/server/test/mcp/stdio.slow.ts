/** `specwright mcp`: tools on standard input and output for a server at a URL, called by the official client. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { documentOf } from '../../../contract/test/support/contract.ts';
import { callBy, CONTRACT, KEY, serveWithKeys } from './support/credentials.ts';
import { startToolApi, writeDocument, type ToolApi } from './support/api.ts';

let api: ToolApi;
let document: Awaited<ReturnType<typeof writeDocument>>;
beforeAll(async () => {
  [api, document] = await Promise.all([startToolApi(), writeDocument()]);
});
afterAll(async () => {
  await api.close();
  await document.remove();
});

/** @returns the client, and what the program says on standard error. */
async function start(mode: 'auto' | 'legacy', key: string) {
  const args = ['packages/specwright/bin/specwright.mjs', 'mcp', '--spec', document.file, '--url', `${api.url}/`, '--key-env', 'TEST_KEY'];
  const env = { ...(process.env as Record<string, string>), TEST_KEY: key };
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' });
  const said: string[] = [];
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, said };
}

type Content = readonly { readonly text?: string }[];

test.each(['auto', 'legacy'] as const)('lists and calls the tools, with the key of an environment variable (%s)', async (mode) => {
  const { client, said } = await start(mode, 'good');
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['listPets', 'create_pet', 'getPet', 'deletePet', 'slow']);
  const listed = await client.callTool({ name: 'listPets', arguments: { limit: 1 } });
  expect(listed.structuredContent).toEqual({ items: [{ id: 1, name: 'Pet 1' }], next: { limit: 1, cursor: '1' } });
  expect((await client.callTool({ name: 'create_pet', arguments: { body: { name: 'Rex' } } })).structuredContent).toEqual({
    id: 9,
    name: 'Rex',
  });
  const missing = await client.callTool({ name: 'getPet', arguments: { petId: 7 } });
  expect(JSON.parse((missing.content as Content)[0]?.text ?? '')).toMatchObject({ status: 404, code: 'not_found' });
  await client.close();
  expect(said.join('')).toContain('5 tools of Pets');
});

test('a wrong key, and a server that does not answer, are tool errors', async () => {
  const { client } = await start('auto', 'bad');
  const call = async (name: string, args: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    return { isError, ...(JSON.parse((content as Content)[0]?.text ?? '') as object) };
  };
  expect(await call('getPet', { petId: 1 })).toMatchObject({
    isError: true,
    status: 401,
    fix: expect.stringContaining('valid credential'),
  });
  await api.close();
  const failed = await call('create_pet', { body: { name: 'Rex' }, 'Idempotency-Key': 'mine' });
  expect(failed).toMatchObject({ isError: true, code: 'no_answer', fix: expect.stringContaining('"Idempotency-Key": "mine"') });
  await client.close();
});

test('the key is sent to each operation as it declares it', async () => {
  const server = await serveWithKeys();
  const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(documentOf(CONTRACT)));
  const args = ['packages/specwright/bin/specwright.mjs', 'mcp', '--spec', file, '--url', server.url, '--key-env', 'TEST_KEY'];
  const env = { ...(process.env as Record<string, string>), TEST_KEY: KEY };
  const call = (name: string) => callBy(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }), name);
  try {
    expect(await Promise.all(['mine', 'byHeader', 'open'].map(call))).toEqual([{ caller: KEY }, { caller: KEY }, { caller: 'nobody' }]);
  } finally {
    await rm(folder, { recursive: true });
    await server.close();
  }
});
