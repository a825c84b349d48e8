/** Security schemes of every kind: missing, invalid, valid and insufficient credentials, alternatives, and schemes that are not implemented. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import express from 'express';
import { AppError, FRAMEWORK_ERRORS, type SecuritySchemeDefinition, type RequiredScheme, HandlerResponse } from '@specwright/server';
import { authenticate } from '../../src/pipeline/authentication/authenticate.ts';
import {
  apiKey,
  basic,
  bearer,
  byScheme,
  unimplementedScheme,
  type Authenticator,
} from '../../src/pipeline/authentication/authenticators.ts';
import { ALL_SCOPES } from '../../src/pipeline/authentication/scopes.ts';
import { splitTarget } from '../../src/http/request-head.ts';
import { ExchangeState, INITIAL_HEADERS } from '../../src/pipeline/exchange.ts';
import { runSteps } from '../../src/pipeline/exchange-lifecycle.ts';
import { callHandler } from '../../src/pipeline/call-handler.ts';
import { createErrorFormatter } from '../../src/pipeline/error-formatter.ts';
import { handleError } from '../../src/pipeline/error-response.ts';
import { createTestLog } from '../support/log.ts';

interface Caller {
  readonly accountId: number;
}

const ADA: Caller = { accountId: 1 };
const findCaller = async (credential: string) => (['good', 'ada'].includes(credential) ? ADA : undefined);
/** `read.write` has the scopes read and write. */
const withScopes = (token: string) => ({ ...ADA, scopes: token.split('.') });

/** An authenticator that adds a condition to another one, and has its options. */
const wrapped = (inner: Authenticator): Authenticator =>
  Object.assign<Authenticator, object>(
    (request, scheme) => (request.headers['x-banned'] === undefined ? inner(request, scheme) : undefined),
    inner,
  );
const chosen: string[] = [];

const SCHEMES: Record<string, readonly [SecuritySchemeDefinition, Authenticator]> = {
  bearer: [{ type: 'http', scheme: 'bearer' }, bearer(findCaller)],
  basic: [{ type: 'http', scheme: 'Basic' }, basic(async (name, password) => (password === 'a:b' ? findCaller(name) : undefined))],
  digest: [{ type: 'http', scheme: 'Digest' }, unimplementedScheme],
  header: [{ type: 'apiKey', in: 'header', name: 'X-API-Key' }, apiKey(findCaller)],
  query: [{ type: 'apiKey', in: 'query', name: 'api_key' }, apiKey(findCaller)],
  cookie: [{ type: 'apiKey', in: 'cookie', name: 'session' }, apiKey(findCaller)],
  oauth2: [{ type: 'oauth2' }, bearer(findCaller)],
  scopes: [{ type: 'oauth2' }, bearer(async (token) => (token === 'bad' ? undefined : withScopes(token)))],
  scopesNow: [{ type: 'openIdConnect' }, bearer((token) => (token === 'bad' ? undefined : withScopes(token)))],
  roles: [{ type: 'apiKey', in: 'header', name: 'X-Role' }, apiKey(withScopes)],
  everything: [{ type: 'oauth2' }, bearer(() => ({ ...ADA, scopes: ALL_SCOPES }))],
  text: [{ type: 'oauth2' }, bearer((token) => ({ ...ADA, scopes: token }))],
  wrapped: [{ type: 'oauth2' }, wrapped(bearer(findCaller))],
  either: [
    { type: 'oauth2' },
    byScheme(({ definition }) => {
      chosen.push(definition.type);
      return definition.type === 'oauth2' ? bearer(findCaller) : unimplementedScheme;
    }),
  ],
  openId: [{ type: 'openIdConnect' }, bearer(findCaller)],
  open: [{ type: 'oauth2' }, unimplementedScheme],
  keyOpen: [{ type: 'apiKey', in: 'header', name: 'X-Open' }, unimplementedScheme],
  down: [
    { type: 'apiKey', in: 'header', name: 'X-Down' },
    apiKey(async () => {
      throw new AppError('service_unavailable', 'the look-up has failed');
    }),
  ],
  scoped: [
    { type: 'oauth2' },
    bearer(async (token) => {
      if (token !== 'read') throw new AppError('forbidden', 'the account is suspended');
      return ADA;
    }),
  ],
};

const FOUND = { operation: undefined, headers: INITIAL_HEADERS, pathParameters: {} };
const arrivalOf = (url: string) => ({ service: { log: createTestLog() } as never, base: '', ...splitTarget(url), found: FOUND });

const requiredScheme = (text: string): RequiredScheme => {
  const [name = '', ...scopes] = text.split(':');
  return { name, definition: SCHEMES[name]?.[0] ?? { type: 'oauth2' }, scopes };
};
/** `/a+b,c`: both a and b, or c; `/a,`: a, or no credentials; `/a:read:write`: a with the scopes read and write. */
const requirements = (path: string) =>
  path
    .slice(1)
    .split(',')
    .map((schemes) => schemes.split('+').filter(Boolean).map(requiredScheme));

let server: Server;
let url: string;
let handled: unknown[];
/** Whether the step has returned a promise. */
let hasWaited: boolean;
beforeAll(async () => {
  const authenticators = Object.fromEntries(Object.entries(SCHEMES).map(([name, [, authenticator]]) => [name, authenticator]));
  const app = express();
  const handler = (_input: never, _reply: never, { caller }: { caller?: Caller }) => {
    handled.push(caller);
    return HandlerResponse.reply(200);
  };
  const pass = () => undefined;
  const statuses = { ...FRAMEWORK_ERRORS, forbidden: 403 };
  const rateLimit = { count: pass, addHeaders: pass };
  const endWithError = handleError({
    format: createErrorFormatter({ statuses, body: (error) => error }, {} as never),
    responseValidation: 'strict',
    rateLimit,
  });
  app.use((request, response) => {
    const exchange = new ExchangeState(request, response, arrivalOf(request.url), 'id');
    request.exchange = exchange;
    const step = authenticate(requirements(decodeURIComponent(request.path)), { authenticators, realm: 'test', statuses });
    const authenticating: typeof step = (given) => {
      const waiting = step?.(given);
      hasWaited = waiting !== undefined;
      return waiting;
    };
    runSteps([authenticating, callHandler('op', handler, {}), () => void response.end()], exchange, { end: pass, fail: endWithError });
  });
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
);

async function ask(path: string, headers: Record<string, string> = {}) {
  handled = [];
  const response = await fetch(url + path, { headers });
  const text = await response.text();
  const { message } = (text === '' ? {} : JSON.parse(text)) as { message?: string };
  return { status: response.status, challenge: response.headers.get('www-authenticate'), message, handled };
}

const token = (text: string) => ({ Authorization: `Bearer ${text}` });
const login = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const BEARER = 'Bearer realm="test"';
const BASIC = 'Basic realm="test", charset="UTF-8"';
const INVALID = `${BEARER}, error="invalid_token"`;
const HEADER = 'ApiKey realm="test", in="header", name="X-API-Key"';
const COOKIE = 'ApiKey realm="test", in="cookie", name="session"';

// Which credentials are valid is a matter of the conformance suite; of a refusal it reads the status alone.
test.each<[path: string, wrong: Record<string, string>, challenge: string, ofWrong: string]>([
  ['/bearer', token('bad'), BEARER, INVALID],
  ['/openId', token('bad'), BEARER, INVALID],
  ['/oauth2', login('good:a'), BEARER, INVALID],
  ['/basic', login('ada:c'), BASIC, BASIC],
  ['/header', { 'X-API-Key': 'bad' }, HEADER, HEADER],
  ['/cookie', { Cookie: 'session=good; session=good' }, COOKIE, COOKIE],
])('%s names its challenge where credentials are missing, and where they are %j', async (path, wrong, challenge, ofWrong) => {
  expect(await ask(path)).toMatchObject({ status: 401, challenge, handled: [] });
  expect(await ask(path, wrong)).toMatchObject({ status: 401, challenge: ofWrong, handled: [] });
});

test('one scheme waits only if its authenticator does', async () => {
  expect([(await ask('/scopesNow', token('read'))).status, hasWaited]).toEqual([200, false]);
  expect([(await ask('/scopes', token('read'))).status, hasWaited]).toEqual([200, true]);
});

test('an authenticator that wraps another one and copies its options is not passed over', async () => {
  expect(await ask('/wrapped', token('good'))).toMatchObject({ status: 200, handled: [ADA] });
  expect(await ask('/wrapped', { ...token('good'), 'X-Banned': '1' })).toMatchObject({ status: 401, handled: [] });
});

test('an authenticator of several schemes chooses once for a scheme, before its first request', async () => {
  const [, either] = SCHEMES['either'] ?? [];
  chosen.length = 0;
  authenticate([[requiredScheme('either')]], { authenticators: { either: either as Authenticator }, realm: 'test' });
  expect(chosen).toEqual(['oauth2']);
  expect(await ask('/either', token('bad'))).toMatchObject({ status: 401, challenge: INVALID });
  expect(await ask('/either', token('good'))).toMatchObject({ status: 200, handled: [ADA] });
});

test('accepts one key in the query, and refuses two', async () => {
  expect(await ask('/query')).toMatchObject({ status: 401, challenge: 'ApiKey realm="test", in="query", name="api_key"' });
  expect(await ask('/query?api_key=good')).toMatchObject({ status: 200, handled: [ADA] });
  expect(await ask('/query?api_key=good&api_key=good')).toMatchObject({ status: 401, handled: [] });
});

describe('several requirements', () => {
  test('accepts any alternative, and names all of them in a refusal, each challenge once', async () => {
    for (const headers of [token('good'), { 'X-API-Key': 'good' }])
      expect(await ask('/bearer,header,openId', headers)).toMatchObject({ status: 200 });
    expect(await ask('/bearer,header,openId')).toMatchObject({
      status: 401,
      challenge: `${BEARER}, ${HEADER}`,
      message: 'send the token as "Authorization: Bearer <TOKEN>"; or send the API key in the header X-API-Key',
    });
  });

  test('goes on to other alternatives after one that is forbidden, and answers 403 if none accepts', async () => {
    const both = { ...token('write'), 'X-API-Key': 'good' };
    expect(await ask('/scoped,header', both)).toMatchObject({ status: 200, handled: [ADA] });
    expect(await ask('/header,scoped', both)).toMatchObject({ status: 200, handled: [ADA] });
    expect(await ask('/scoped,', token('write'))).toMatchObject({ status: 200, handled: [undefined] });
    for (const path of ['/scoped', '/scoped,header', '/header,scoped'])
      expect(await ask(path, token('write'))).toMatchObject({ status: 403, message: 'the account is suspended', handled: [] });
    expect(await ask('/scoped,header', token('read'))).toMatchObject({ status: 200 });
  });

  test('an error of a look-up is no refusal: no other alternative is tried', async () => {
    for (const path of ['/down,header', '/down,'])
      expect(await ask(path, { 'X-Down': 'x', 'X-API-Key': 'good' })).toMatchObject({ status: 503, message: 'the look-up has failed' });
    expect(handled).toEqual([]);
  });

  test('verifies optional credentials, wherever the empty requirement is', async () => {
    expect(await ask('/,bearer', token('good'))).toMatchObject({ status: 200, handled: [ADA] });
    expect(await ask('/,bearer')).toMatchObject({ status: 200, handled: [undefined] });
  });
});

describe('scopes', () => {
  const needs = (scope: string) => `${BEARER}, error="insufficient_scope", scope="${scope}"`;
  const admitted = { status: 200, handled: [expect.objectContaining(ADA)] };
  const lacks = (scopes: string, challenge: string) => ({
    status: 403,
    message: `the credentials lack the ${scopes.includes(',') ? 'scopes' : 'scope'} ${scopes}`,
    challenge,
    handled: [],
  });

  test.each<[path: string, headers: Record<string, string>, expected: object]>([
    ['/scopes:read', token('read'), admitted],
    ['/scopes:read', token('write.read'), admitted],
    ['/scopes:read:write', token('read'), lacks('write', needs('read write'))],
    ['/scopes:read:write', token('x'), lacks('read, write', needs('read write'))],
    ['/scopes:read', token('reader'), lacks('read', needs('read'))],
    ['/scopesNow:read', token('read'), admitted],
    ['/scopesNow:read', token('write'), lacks('read', needs('read'))],
    ['/scopesNow:read', token('bad'), { status: 401, challenge: INVALID }],
    ['/scopesNow:read', {}, { status: 401, challenge: BEARER }],
    ['/everything:read', token('x'), admitted],
    // Roles of other types (OpenAPI 3.1), and a scope that no challenge can have.
    ['/roles:admin', { 'X-Role': 'admin' }, admitted],
    [
      '/roles:admin',
      { 'X-Role': 'user' },
      lacks('admin', `${HEADER.replace('X-API-Key', 'X-Role')}, error="insufficient_scope", scope="admin"`),
    ],
    ['/scopes:a%22b', token('x'), lacks('a"b', `${BEARER}, error="insufficient_scope"`)],
    // Whoever has no list of scopes has none.
    ['/bearer:read', token('good'), lacks('read', needs('read'))],
    ['/text:read', token('read'), lacks('read', needs('read'))],
  ])('%s with %j', async (path, headers, expected) => {
    expect(await ask(path, headers)).toMatchObject(expected);
  });
});

describe('a scheme that is not implemented', () => {
  const notImplemented = (scheme: string) => ({
    status: 501,
    message: `the security scheme ${scheme} is not implemented yet`,
    handled: [],
  });
  test.each<[path: string, headers: Record<string, string>, scheme: string]>([
    ['/open', token('anything'), 'open'],
    ['/digest', { Authorization: 'Digest username="ada"' }, 'digest'],
    ['/keyOpen', { 'X-Open': 'x' }, 'keyOpen'],
    ['/bearer+keyOpen', { ...token('good'), 'X-Open': 'x' }, 'keyOpen'],
    ['/keyOpen+bearer', { ...token('good'), 'X-Open': 'x' }, 'keyOpen'],
    ['/keyOpen,', { 'X-Open': 'x' }, 'keyOpen'],
    ['/header,open', token('x'), 'open'],
  ])('%s answers 501 without calling the handler', async (path, headers, scheme) => {
    expect(await ask(path, headers)).toMatchObject(notImplemented(scheme));
  });
  test.each(['/open', '/digest', '/keyOpen'])('%s answers 401 without credentials', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 401, challenge: expect.any(String), handled: [] });
  });
  test('does not affect an alternative that is implemented', async () => {
    expect(await ask('/keyOpen,bearer', { ...token('good'), 'X-Open': 'x' })).toMatchObject({ status: 200, handled: [ADA] });
  });
  test('does not affect an alternative without credentials', async () => {
    expect(await ask('/keyOpen,')).toMatchObject({ status: 200, handled: [undefined] });
  });
});
