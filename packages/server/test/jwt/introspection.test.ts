/** Introspection (RFC 7662): a token that was revoked is refused before it expires, and the issuer is not asked for each request. */
import { expect, test } from '@jest/globals';
import { until } from 'specwright/testing';
import { jwt } from '../../src/jwt/index.ts';
import { ask } from './support/ask.ts';
import { caller, createCountedIssuer } from './support/api.ts';

const VALID = { id: 'tester', scopes: [] };
const NOT_ACTIVE = 'unauthorized: the token is not valid: it is no longer active';
const UNAVAILABLE = 'service_unavailable: the token cannot be verified at the moment; retry in 1 s';

/** An issuer that says of every token what `state` says. */
function setUp(inMetadata = true) {
  const issuer = createCountedIssuer();
  const state = { answer: { active: true } as unknown, now: Date.now(), sent: [] as RequestInit[], held: Promise.resolve() };
  const endpoint = `${issuer.url}/introspect`;
  issuer.answers[endpoint] = () => state.answer;
  issuer.answers[`${issuer.url}/.well-known/openid-configuration`] = () => ({
    issuer: issuer.url,
    jwks_uri: `${issuer.url}/jwks`,
    ...(inMetadata && { introspection_endpoint: endpoint }),
  });
  const login = jwt({
    issuer: issuer.url,
    audience: 'test',
    caller,
    fetch: async (input, init) => {
      if (init?.method === 'POST') {
        state.sent.push(init);
        await state.held;
      }
      return issuer.fetch(input, init);
    },
    now: () => state.now,
    introspection: { clientId: 'api:1', clientSecret: 'a secret' },
  });
  return { issuer, login, state };
}

test('a token is refused within 10 s after it was revoked, and replayed without further requests', async () => {
  const { issuer, login, state } = setUp();
  const token = issuer.issueToken();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(login, token)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(VALID)]));
  expect(state.sent).toHaveLength(1);
  expect(state.sent[0]).toMatchObject({
    redirect: 'error',
    body: `token=${token}&token_type_hint=access_token`,
    headers: { Authorization: `Basic ${Buffer.from('api%3A1:a+secret').toString('base64')}` },
  });
  state.answer = { active: false };
  expect(await ask(login, token)).toEqual(VALID);
  state.now += 10_001;
  for (let i = 0; i < 100; i++) expect(await ask(login, token)).toBe(NOT_ACTIVE);
  expect(state.sent).toHaveLength(2);
});

test('only tokens that are valid otherwise are sent to the issuer', async () => {
  const { issuer, login, state } = setUp();
  for (const token of [issuer.issueToken({ expiresIn: -60 }), issuer.issueToken({ audience: 'other' }), `${issuer.issueToken()}x`, 'a.b.c'])
    expect(await ask(login, token)).toMatch(/^unauthorized/);
  expect(state.sent).toEqual([]);
});

test.each<[name: string, answer: unknown]>([
  ['an error', new Response('', { status: 500 })],
  ['no JSON', new Response('active')],
])('without an answer the token is not accepted: %s', async (_name, answer) => {
  const { issuer, login, state } = setUp();
  state.answer = answer;
  expect(await ask(login, issuer.issueToken())).toBe(UNAVAILABLE);
});

test.each([{ active: 'true' }, {}, { active: 1 }])('%j is no word that the token is active', async (answer) => {
  const { issuer, login, state } = setUp();
  state.answer = answer;
  expect(await ask(login, issuer.issueToken())).toBe(NOT_ACTIVE);
});

test('an issuer without introspection is an error, not an open door', async () => {
  const { issuer, login } = setUp(false);
  expect(await ask(login, issuer.issueToken())).toBe(UNAVAILABLE);
});

test('an endpoint that has moved is looked up again: no restart is needed', async () => {
  const { issuer, login, state } = setUp();
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
  issuer.answers[`${issuer.url}/.well-known/openid-configuration`] = () => ({
    issuer: issuer.url,
    jwks_uri: `${issuer.url}/jwks`,
    introspection_endpoint: `${issuer.url}/introspect/v2`,
  });
  issuer.answers[`${issuer.url}/introspect/v2`] = () => ({ active: true });
  state.answer = undefined;
  expect(await ask(login, issuer.issueToken())).toBe(UNAVAILABLE);
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
});

test('more than 100 introspections under way are refused', async () => {
  const { issuer, login, state } = setUp();
  let release: () => void = () => undefined;
  state.held = new Promise((resolve) => (release = resolve));
  let refused = 0;
  const asked = Array.from({ length: 130 }, async () => {
    if ((await ask(login, issuer.issueToken())) === UNAVAILABLE) refused += 1;
  });
  await until(() => state.sent.length + refused === 130);
  expect([state.sent.length, refused]).toEqual([100, 30]);
  release();
  await Promise.all(asked);
  expect(refused).toBe(30);
});
