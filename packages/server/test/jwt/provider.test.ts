/** A certified provider (oidc-provider) on this machine: discovery, tokens by client credentials, a rotation of keys, an outage. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { listenOnFreePort, until } from 'specwright/testing';
import type { Provider } from 'oidc-provider';
import { openIdConnect } from '../../src/jwt/index.ts';
import { caller, startApi, type Api } from './support/api.ts';

const API = 'https://api.example.com';
const CLIENT = { client_id: 'web', client_secret: 'a-secret-of-the-client' };

const createKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  use: 'sig',
  alg: 'RS256',
});

/** Tokens of this API are JWTs; others, as those of `userinfo`, are not. */
async function createProvider(url: string, keys: object[]): Promise<Provider> {
  const { Provider } = await import('oidc-provider');
  return new Provider(url, {
    clients: [{ ...CLIENT, grant_types: ['client_credentials'], redirect_uris: [], response_types: [] }],
    jwks: { keys: keys },
    scopes: ['songs:read', 'songs:write'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'songs:read songs:write',
          audience: API,
          accessTokenFormat: 'jwt',
          accessTokenTTL: 60,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  });
}

let api: Api;
let url: string;
let server: Server;
let closeServer: () => Promise<void>;
let serve: (request: never, response: never) => void;
let requests: string[];
let seconds = 0;

beforeAll(async () => {
  // It warns of what is meant for production.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  requests = [];
  const listening = await listenOnFreePort(
    createServer((request, response) => {
      requests.push(request.url ?? '');
      serve(request as never, response as never);
    }),
  );
  ({ url, server, close: closeServer } = listening);
  serve = (await createProvider(url, [createKey()])).callback();
  const openIdConnectUrl = `${url}/.well-known/openid-configuration`;
  const login = openIdConnect({ audience: API, caller, elapsed: () => seconds * 1000 });
  api = await startApi(login, { openIdConnectUrl, perMinute: 20 });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await api.close();
  await closeServer();
});

async function logIn(scope: string): Promise<string> {
  const response = await fetch(`${url}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', scope, resource: API, ...CLIENT }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(JSON.stringify(body));
  return body.access_token;
}

const toKeys = () => requests.filter((path) => path === '/jwks' || path.startsWith('/.well-known')).length;

test('a client logs in, and may do what its scopes allow', async () => {
  const token = await logIn('songs:read');
  expect(await api.get('/read', token)).toMatchObject({ status: 200, caller: { id: 'web', scopes: ['songs:read'] } });
  expect(await api.get('/write', token)).toMatchObject({
    status: 403,
    challenge: expect.stringContaining('scope="songs:read songs:write"'),
  });
  expect(await api.get('/write', await logIn('songs:read songs:write'))).toMatchObject({ status: 200 });
  expect(await api.get('/read')).toMatchObject({ status: 401 });
  // A caller without the scopes is known: the request draws on the caller's limits, not on those of the address.
  const weak = await fetch(`${api.url}/write`, { headers: { Authorization: `Bearer ${token}` } });
  expect([weak.status, weak.headers.get('x-ratelimit-limit')]).toEqual([403, '1000000']);
  expect(toKeys()).toBe(2);
});

test('the keys are rotated in the middle: tokens of both are accepted, with one request more', async () => {
  const before = await logIn('songs:read');
  await api.get('/read', before);
  const old = createKey();
  serve = (await createProvider(url, [createKey(), old])).callback();
  seconds += 31;
  const after = await logIn('songs:read');
  expect(await api.get('/read', after)).toMatchObject({ status: 200 });
  expect(toKeys()).toBe(3);
  // Its key is gone from the set: it has to be verified again, and is refused.
  expect(await api.get('/read', before)).toMatchObject({ status: 401, message: 'the token is not valid: its key is unknown' });
});

test('the provider is down: known tokens and keys go on, the server stays ready, and unknown keys are bounded', async () => {
  const [cached, first] = [await logIn('songs:read'), await logIn('songs:read')];
  await api.get('/read', cached);
  const running = serve;
  serve = (request: { socket: { destroy(): void } }) => request.socket.destroy();
  seconds += 700;
  const before = toKeys();
  expect(await api.get('/read', cached)).toMatchObject({ status: 200 });
  expect(await api.get('/read', first)).toMatchObject({ status: 200 });
  expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
  const [, payload, signature] = first.split('.');
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', typ: 'at+jwt', kid: `unknown-${i}` })).toString('base64url');
    statuses.push((await api.get('/read', `${header}.${payload}.${signature}`)).status);
  }
  // Those that were too many for one address are not looked at.
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(20);
  await until(() => toKeys() - before >= 1);
  expect(toKeys() - before).toBeLessThanOrEqual(2);
  // Whoever is known is not affected by what others of the same address have tried.
  expect(await api.get('/read', cached)).toMatchObject({ status: 200 });
  serve = running;
  expect(server.listening).toBe(true);
});
