/** `dev --identity`: who can log in, with which scopes, by which requests; and what the provider refuses. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, request as sendRequest } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { listenOnFreePort } from 'specwright/testing';
import { command } from '../../src/commands/dev.ts';
import { isLoopback, identityPort, startIdentityProvider, type IdentityProvider } from '../../src/identity/identity-provider.ts';
import { logInAs, openBrowser } from './support/browser.ts';
import { formatTestUser, testUsers, watchTestUsers } from '../../src/identity/test-users.ts';

const SONGS = [
  { method: 'get', scopes: { login: ['songs:read'] } },
  { method: 'post', scopes: { login: ['songs:write', 'songs:read'] } },
] as const;
const REDIRECT = 'http://localhost:5173/callback';

let provider: IdentityProvider;
let users = testUsers(SONGS);
const notices: unknown[] = [];
beforeAll(async () => {
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation((text) => void notices.push(text));
  provider = await startIdentityProvider({ port: 0, users: () => users });
});
afterAll(() => provider.close());

const verifier = randomUUID() + randomUUID();
const challenge = createHash('sha256').update(verifier).digest('base64url');

const authorizationUrl = (parameters: Readonly<Record<string, string>> = {}) =>
  `${provider.url}/auth?${String(
    new URLSearchParams({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: REDIRECT,
      scope: 'songs:read songs:write',
      state: 'state',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...parameters,
    }),
  )}`;

/** @returns where the browser is sent with a code. */
const logIn = (user: string, parameters?: Readonly<Record<string, string>>, visit = openBrowser(provider.url)): Promise<URL> =>
  logInAs(user, authorizationUrl(parameters), visit);

interface TokenResponse {
  readonly access_token: string;
  readonly id_token?: string;
  readonly scope: string;
  readonly error?: string;
}

async function exchange(redirected: URL, parameters: Readonly<Record<string, string>> = {}) {
  const body = { grant_type: 'authorization_code', code: redirected.searchParams.get('code') ?? '', redirect_uri: REDIRECT };
  const response = await fetch(`${provider.url}/token`, {
    method: 'POST',
    headers: { Origin: 'http://localhost:5173' },
    body: new URLSearchParams({ ...body, client_id: provider.clientId, code_verifier: verifier, ...parameters }),
  });
  return { status: response.status, headers: response.headers, tokens: (await response.json()) as TokenResponse };
}

const claimsOf = (token = '') => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;

test('discovery names the endpoints, PKCE and the scopes', async () => {
  const metadata = await (await fetch(`${provider.url}/.well-known/openid-configuration`)).json();
  expect(metadata).toMatchObject({
    issuer: provider.url,
    authorization_endpoint: `${provider.url}/auth`,
    token_endpoint: `${provider.url}/token`,
    code_challenge_methods_supported: ['S256'],
    scopes_supported: expect.arrayContaining(['openid', 'songs:read', 'songs:write']),
  });
});

test.each([
  ['admin', 'songs:read songs:write'],
  ['reader', 'songs:read'],
  ['guest', ''],
])('%s logs in, and gets the scopes: %s', async (user, scope) => {
  const redirected = await logIn(user);
  expect([redirected.origin + redirected.pathname, redirected.searchParams.get('state')]).toEqual([REDIRECT, 'state']);
  const { status, headers, tokens } = await exchange(redirected);
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'http://localhost:5173']);
  expect(claimsOf(tokens.access_token)).toMatchObject({ iss: provider.url, sub: user, aud: provider.variables.TOKEN_AUDIENCE });
  expect(claimsOf(tokens.access_token)['scope'] ?? '').toBe(scope);
});

test('an application gets no more than it asks for; with openid there is an ID token too', async () => {
  const { tokens } = await exchange(await logIn('admin', { scope: 'openid profile email songs:read' }));
  expect(claimsOf(tokens.access_token)).toMatchObject({ sub: 'admin', scope: 'songs:read' });
  expect(claimsOf(tokens.id_token)).toMatchObject({ sub: 'admin', aud: provider.clientId, name: 'Ada Admin', email: 'admin@example.com' });
});

test('a user who has logged in is asked again who they are; in the background they are not', async () => {
  const visit = openBrowser(provider.url);
  await logIn('admin', {}, visit);
  const silent = new URL((await visit(authorizationUrl({ prompt: 'none' }))).url);
  expect(claimsOf((await exchange(silent)).tokens.access_token)).toMatchObject({ sub: 'admin' });
  const { response } = await visit(authorizationUrl());
  expect(await response.text()).toContain('<button name="user" value="reader">Rita Reader (reader)</button> gets songs:read</p>');
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  expect(claimsOf((await exchange(await logIn('guest', {}, visit))).tokens.access_token)).toMatchObject({ sub: 'guest' });
});

test('a wrong verifier, none, and a code that was used are refused', async () => {
  const refused = [400, 'invalid_grant'];
  const wrong = await exchange(await logIn('admin'), { code_verifier: randomUUID() + randomUUID() });
  expect([wrong.status, wrong.tokens.error]).toEqual(refused);
  const without = await exchange(await logIn('admin'), { code_verifier: '' });
  expect([without.status, without.tokens.error]).toEqual(refused);
  const redirected = await logIn('admin');
  await exchange(redirected);
  const again = await exchange(redirected);
  expect([again.status, again.tokens.error]).toEqual(refused);
});

test('a request without a challenge is refused', async () => {
  const { url } = await openBrowser(provider.url)(authorizationUrl({ code_challenge: '', code_challenge_method: '' }));
  expect(new URL(url).searchParams.get('error')).toBe('invalid_request');
});

test('the redirect URI must be on this machine', async () => {
  const { response } = await openBrowser(provider.url)(authorizationUrl({ redirect_uri: 'https://evil.example/callback' }));
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('invalid_redirect_uri')]);
});

test.each([
  ['http://localhost:5173/a', true],
  ['https://127.0.0.1/', true],
  ['http://[::1]:80/', true],
  ['http://localhost.evil.example/', false],
  ['http://127.0.0.1@evil.example/', false],
  ['http://user@localhost/', false],
  ['http://192.168.0.1/', false],
  ['app://localhost/', false],
  ['localhost', false],
])('%s is on this machine: %s', (uri, expected) => {
  expect(isLoopback(uri)).toBe(expected);
});

test('a user whom nobody knows, a log-in that nobody began, and another host name are refused', async () => {
  const visit = openBrowser(provider.url);
  const { url } = await visit(authorizationUrl());
  expect((await visit(url, { method: 'POST', body: new URLSearchParams({ user: 'root' }) })).response.status).toBe(400);
  expect((await fetch(url)).status).toBe(400);
  const status = await new Promise((resolve) => {
    const headers = { Host: 'rebound.example' };
    sendRequest(`${provider.url}/jwks`, { headers }, (response) => resolve(response.resume().statusCode)).end();
  });
  expect(status).toBe(421);
});

test('scopes that the contract has since are granted without another start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'identity-'));
  const spec = join(folder, 'openapi.json');
  const write = (scopes: string[]) =>
    writeFile(
      spec,
      JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'songs', version: '1' },
        paths: { '/songs': { get: { security: [{ login: scopes }], responses: { 200: { description: 'songs' } } } } },
        components: { securitySchemes: { login: { type: 'openIdConnect', openIdConnectUrl: 'https://login.example.com' } } },
      }),
    );
  const read = watchTestUsers([spec]);
  await write(['songs:sing']);
  const before = read();
  expect(before.map(formatTestUser)).toEqual(['admin (songs:sing)', 'guest (no scopes)']);
  await writeFile(spec, '{');
  expect(read()).toBe(before);
  await write(['songs:hum']);
  users = [...read()];
  await rm(folder, { recursive: true });
  const { tokens } = await exchange(await logIn('admin', { scope: 'songs:hum songs:read' }));
  expect(claimsOf(tokens.access_token)).toMatchObject({ scope: 'songs:hum' });
  users = testUsers(SONGS);
});

test('it starts in no production, and not on a port in use', async () => {
  const start = (port: number, environment?: NodeJS.ProcessEnv) =>
    startIdentityProvider({ port, users: () => users, ...(environment && { environment }) });
  await expect(start(0, { NODE_ENV: 'production' })).rejects.toThrow('is for development only: unset NODE_ENV=production');
  const holder = await listenOnFreePort(createServer());
  await expect(start(Number(new URL(holder.url).port))).rejects.toThrow('which is in use: stop what listens there, or set another PORT');
  await holder.close();
  expect([identityPort(3000), identityPort(65_000), identityPort(0)]).toEqual([4000, 64_000, 0]);
});

test('it is an option of dev, which is off unless it is asked for, and says nothing that is meant for production', () => {
  expect(command.options.identity).toMatchObject({ type: 'boolean' });
  expect(provider.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(notices.filter((notice) => !String(notice).includes('Unsupported runtime'))).toEqual([]);
});
