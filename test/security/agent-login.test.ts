/** An agent's host logs in to an API that it knows by its URL alone: the official client, and the provider of examples/jwt. */
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createServer as createHttpServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContract } from '@specwright/contract';
import { createServer } from '@specwright/server';
import { jwt } from '@specwright/server/jwt';
import { mcp } from '@specwright/server/mcp';
import { createTestLog } from 'specwright/testing';
import { startProvider } from '../../examples/jwt/provider.ts';
import { logInAs, openBrowser } from '../support/log-in.ts';

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Songs', version: '1' },
  security: [{ login: ['songs:read'] }],
  paths: {
    '/songs': {
      get: {
        operationId: 'listSongs',
        'x-mcp': true,
        summary: 'List songs',
        responses: {
          200: { description: 'songs', content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } } },
          401: { description: 'no token' },
          403: { description: 'no scope' },
        },
      },
    },
  },
  components: { securitySchemes: { login: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
};
const REDIRECT = 'http://localhost:5173/callback';
const folder = mkdtempSync(join(tmpdir(), 'agent-login-'));

let server: Server;
let url: string;
let provider: Awaited<ReturnType<typeof startProvider>>;

beforeAll(async () => {
  // Its port has to be known before its tokens are.
  server = createHttpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://localhost:${(server.address() as AddressInfo).port}`;
  provider = await startProvider({ port: 0, users: { admin: ['songs:read'], guest: [] }, audience: url });
  const file = join(folder, 'songs.json');
  writeFileSync(file, JSON.stringify(DOCUMENT));
  const login = jwt({ issuer: provider.url, audience: url, caller: ({ sub = '' }, scopes) => ({ id: sub, scopes }) });
  const inner = createServer({
    contract: await openContract(file),
    handlers: { listSongs: (_: unknown, reply: (status: number, payload: object) => unknown) => reply(200, { body: ['Waltz'] }) },
    security: { login },
    mcp: mcp(),
    log: createTestLog(),
  });
  server.on('request', (request, response) => void inner.emit('request', request, response));
});
afterAll(async () => {
  provider.close();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

/** What a host keeps of a log-in; the user is sent to `sentTo`. */
function createHost() {
  const kept: Record<string, unknown> = {};
  const host = {
    sentTo: undefined as URL | undefined,
    auth: {
      redirectUrl: REDIRECT,
      clientMetadata: {
        client_name: 'Host',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => kept['client'] as never,
      saveClientInformation: (client: unknown) => void (kept['client'] = client),
      tokens: () => kept['tokens'] as never,
      saveTokens: (tokens: unknown) => void (kept['tokens'] = tokens),
      redirectToAuthorization: (to: URL) => void (host.sentTo = to),
      saveCodeVerifier: (verifier: string) => void (kept['verifier'] = verifier),
      codeVerifier: () => kept['verifier'] as string,
      saveDiscoveryState: (state: unknown) => void (kept['discovery'] = state),
      discoveryState: () => kept['discovery'] as never,
    } satisfies OAuthClientProvider,
  };
  return host;
}

/** Connects, is refused, logs in, and connects again. */
async function connectAs(user: string) {
  const host = createHost();
  const transportOf = () => new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { authProvider: host.auth });
  const refused = transportOf();
  await expect(new Client({ name: 'host', version: '1' }).connect(refused)).rejects.toBeInstanceOf(UnauthorizedError);
  const redirected = await logInAs(user, String(host.sentTo), openBrowser(provider.url));
  await refused.finishAuth(redirected.searchParams);
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transportOf());
  return client;
}

test('finds the provider, registers, logs in, and calls a tool', async () => {
  const client = await connectAs('admin');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['listSongs']);
  const { structuredContent, isError } = await client.callTool({ name: 'listSongs', arguments: {} });
  expect([structuredContent, isError ?? false]).toEqual([{ items: ['Waltz'] }, false]);
  await client.close();
});

test('says where tokens are issued, in the challenge and by metadata', async () => {
  const metadataUrl = `${url}/.well-known/oauth-protected-resource`;
  const refused = await fetch(`${url}/songs`);
  expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringMatching(new RegExp(`^Bearer realm="[^"]*", resource_metadata="${metadataUrl}"$`)),
  ]);
  const invalid = await fetch(`${url}/songs`, { headers: { Authorization: 'Bearer x' } });
  expect(invalid.headers.get('www-authenticate')).toContain(`, resource_metadata="${metadataUrl}", error="invalid_token"`);
  const response = await fetch(metadataUrl);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^application\/json/)]);
  expect(await response.json()).toEqual({
    resource: url,
    resource_name: 'Songs',
    authorization_servers: [provider.url],
    scopes_supported: ['songs:read'],
    bearer_methods_supported: ['header'],
  });
});
