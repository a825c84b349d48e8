/** The keys of an issuer: fetched once, rotated, refreshed, kept while it is down; and how few requests that takes, whatever tokens come. */
import { expect, test } from '@jest/globals';
import type { LookUpLimit } from '@specwright/server';
import { until } from 'specwright/testing';
import { jwt, openIdConnect, type JwtOptions } from '../../src/jwt/index.ts';
import { ask } from './support/ask.ts';
import { caller, createCountedIssuer, type CountedIssuer } from './support/api.ts';

type Caller = ReturnType<typeof caller>;

/** An authenticator with a clock that the test moves, in s. */
function setUp(options: Partial<JwtOptions<Caller>> = {}) {
  const issuer = createCountedIssuer();
  const clock = { seconds: 0 };
  const lines: string[] = [];
  const login = jwt({
    issuer: issuer.url,
    audience: 'test',
    caller,
    fetch: issuer.fetch,
    elapsed: () => clock.seconds * 1000,
    log: { info: (_fields, text) => void lines.push(text), warn: (_fields, text) => void lines.push(text) },
    ...options,
  });
  return { issuer, clock, lines, login };
}

const VALID = { id: 'tester', scopes: [] };
const UNKNOWN_KEY = 'unauthorized: the token is not valid: its key is unknown';
const UNAVAILABLE = 'service_unavailable: the token cannot be verified at the moment; retry in 1 s';
const METADATA = '/.well-known/openid-configuration';

const pathsOf = ({ url, requests }: CountedIssuer) => requests.map((request) => request.slice(url.length));
const unknown = (issuer: CountedIssuer, i = 0) => issuer.issueToken({ header: { kid: `unknown-${i}` } });

test('many first requests at once share one discovery', async () => {
  const { issuer, login } = setUp();
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(login, issuer.issueToken())));
  expect(answers).toEqual(Array.from({ length: 50 }, () => VALID));
  expect(pathsOf(issuer)).toEqual([METADATA, '/jwks']);
});

test('a token is verified once, and is refused when it has expired', async () => {
  let now = Date.now();
  let callers = 0;
  const count = (claims: { sub?: string }, scopes: readonly string[]) => {
    callers += 1;
    return caller(claims, scopes);
  };
  const { issuer, login } = setUp({ now: () => now, caller: count });
  const token = issuer.issueToken({ expiresIn: 300 });
  await Promise.all(Array.from({ length: 10 }, () => ask(login, token)));
  expect([await ask(login, token), callers]).toEqual([VALID, 1]);
  now += 331_000;
  expect(await ask(login, token)).toBe('unauthorized: the token is not valid: it has expired');
});

test('a token is verified again at the moment at which what is cached of it ends, and not before', async () => {
  let now = Date.now();
  let callers = 0;
  const { issuer, login } = setUp({
    now: () => now,
    cacheMs: 1000,
    caller: (claims: { sub?: string }, scopes: readonly string[]) => (callers++, caller(claims, scopes)),
  });
  const token = issuer.issueToken({ expiresIn: 300 });
  const seen: number[] = [];
  for (const ms of [0, 999, 1]) {
    now += ms;
    expect(await ask(login, token)).toEqual(VALID);
    seen.push(callers);
  }
  expect(seen).toEqual([1, 1, 2]);
});

test('a token of exactly as many bytes as it may have is verified', async () => {
  const issuer = createCountedIssuer();
  const token = issuer.issueToken();
  const options = { issuer: issuer.url, audience: 'test', caller, fetch: issuer.fetch };
  expect(await ask(jwt({ ...options, maxTokenBytes: token.length }), token)).toEqual(VALID);
  expect(await ask(jwt({ ...options, maxTokenBytes: token.length - 1 }), token)).toMatch(`it is longer than ${token.length - 1} bytes`);
});

test('an unknown token is verified within the limit of its address; one that was valid before is not limited', async () => {
  let now = Date.now();
  const found: unknown[] = [];
  const limit: LookUpLimit = {
    async lookUp(run) {
      const result = await run();
      found.push(result);
      return result;
    },
  };
  const { issuer, login } = setUp({ now: () => now, cacheMs: 1000 });
  const token = issuer.issueToken();
  for (let i = 0; i < 3; i++) {
    expect(await ask(login, token, limit)).toEqual(VALID);
    now += 1001;
  }
  expect(found).toEqual([VALID]);
  expect(await ask(login, unknown(issuer), limit)).toBe(UNKNOWN_KEY);
  // Nobody is a failure for the limit.
  expect(found).toEqual([VALID, undefined]);
});

test('a clock that is off by less than the tolerance is no reason to refuse', async () => {
  for (const [seconds, says] of [
    [-25, VALID],
    [25, VALID],
    [-35, 'unauthorized: the token is not valid: it was issued in the future'],
  ] as const) {
    const { issuer, login } = setUp({ now: () => Date.now() + seconds * 1000 });
    expect(await ask(login, issuer.issueToken())).toEqual(says);
  }
  const { issuer, login } = setUp({ now: () => Date.now() + 25_000 });
  expect(await ask(login, issuer.issueToken({ expiresIn: 1 }))).toEqual(VALID);
});

test('a key that the issuer signs with since a moment is fetched when it is first seen', async () => {
  const { issuer, clock, login } = setUp();
  const before = issuer.issueToken();
  await ask(login, before);
  issuer.rotateKey();
  clock.seconds += 31;
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(login, issuer.issueToken())));
  expect(answers).toEqual(Array.from({ length: 20 }, () => VALID));
  expect(await ask(login, before)).toEqual(VALID);
  expect(pathsOf(issuer)).toEqual([METADATA, '/jwks', '/jwks']);
});

test('ten thousand unknown keys make one request in 30 s', async () => {
  const { issuer, clock, login } = setUp();
  await ask(login, issuer.issueToken());
  const token = unknown(issuer).split('.');
  const withKid = (i: number) =>
    `${Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: `k${i}` })).toString('base64url')}.${token[1]}.${token[2]}`;
  for (const [at, requests] of [
    [10, 2],
    [31, 3],
    [45, 3],
    [62, 4],
  ] as const) {
    clock.seconds = at;
    const answers = await Promise.all(Array.from({ length: 2500 }, (_, i) => ask(login, withKid(at * 10_000 + i))));
    expect(new Set(answers)).toEqual(new Set([UNKNOWN_KEY]));
    expect(issuer.requests).toHaveLength(requests);
  }
  // The issuer's own tokens are accepted all the while.
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
});

test('while the issuer is down for ten minutes, known keys stay valid and others are refused, with one attempt in 30 s', async () => {
  const { issuer, clock, lines, login } = setUp();
  await ask(login, issuer.issueToken());
  issuer.isDown = true;
  issuer.rotateKey();
  const { requests } = issuer;
  const before = requests.length;
  for (clock.seconds = 30; clock.seconds <= 1230; clock.seconds += 5) expect(await ask(login, unknown(issuer))).toBe(UNKNOWN_KEY);
  expect(requests.length - before).toBeLessThanOrEqual(2 * 41);
  expect(lines).toEqual(['the keys of the token issuer cannot be fetched: those that are known stay valid']);
  issuer.isDown = false;
  clock.seconds += 31;
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
  expect(lines).toHaveLength(2);
});

test('a token of a known key is verified while the issuer is down, long after the keys were fetched', async () => {
  const { issuer, clock, login } = setUp();
  await ask(login, issuer.issueToken());
  issuer.isDown = true;
  clock.seconds = 86_400;
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
});

test('without keys the answer is 503, with one attempt a second, until the issuer answers', async () => {
  const { issuer, clock, login } = setUp();
  issuer.isDown = true;
  for (let i = 0; i < 100; i++) expect(await ask(login, issuer.issueToken())).toBe(UNAVAILABLE);
  expect(issuer.requests).toHaveLength(1);
  issuer.isDown = false;
  expect(await ask(login, issuer.issueToken())).toBe(UNAVAILABLE);
  clock.seconds += 1;
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
});

test('a key that the issuer has removed is refused once its keys were fetched again, cached tokens included', async () => {
  const { issuer, clock, login } = setUp();
  const token = issuer.issueToken();
  await ask(login, token);
  issuer.rotateKey(false);
  clock.seconds = 601;
  // The keys are fetched beside the first request after ten minutes, though its token is cached.
  expect(await ask(login, token)).toEqual(VALID);
  await until(async () => (await ask(login, token)) === UNKNOWN_KEY);
  expect(pathsOf(issuer)).toEqual([METADATA, '/jwks', '/jwks']);
});

test.each<[name: string, change: (issuer: CountedIssuer) => void]>([
  [
    'the metadata of another issuer',
    ({ answers, url }) => void (answers[url + METADATA] = () => ({ issuer: 'https://other.example', jwks_uri: `${url}/jwks` })),
  ],
  ['metadata without keys', ({ answers, url }) => void (answers[url + METADATA] = () => ({ issuer: url }))],
  [
    'keys in the network of the service',
    ({ answers, url }) => void (answers[url + METADATA] = () => ({ issuer: url, jwks_uri: 'http://169.254.169.254/keys' })),
  ],
  ['metadata that is no object', ({ answers, url }) => void (answers[url + METADATA] = () => [])],
  ['metadata that is no JSON', ({ answers, url }) => void (answers[url + METADATA] = () => new Response('<html>'))],
  ['more than a MiB', ({ answers, url }) => void (answers[`${url}/jwks`] = () => new Response(`{"keys":[${' '.repeat(2_000_000)}]}`))],
  ['a set without keys', ({ answers, url }) => void (answers[`${url}/jwks`] = () => ({ keys: [] }))],
  ['no list of keys', ({ answers, url }) => void (answers[`${url}/jwks`] = () => ({ keys: 'all' }))],
  [
    'more than 100 keys',
    ({ answers, url, jwks }) => void (answers[`${url}/jwks`] = () => ({ keys: Array.from({ length: 101 }, () => jwks().keys[0]) })),
  ],
])('%s are no keys: 503', async (_name, change) => {
  const { issuer, login } = setUp();
  change(issuer);
  expect(await ask(login, issuer.issueToken())).toBe(UNAVAILABLE);
});

test('a secret among the keys is no key', async () => {
  const { issuer, login } = setUp();
  issuer.answers[`${issuer.url}/jwks`] = () => ({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'secret' }] });
  expect(await ask(login, issuer.issueToken({ header: { kid: 'secret' } }))).toBe(UNKNOWN_KEY);
});

test('a token that does not name its key is verified with the only one, and refused without a request if there are two', async () => {
  const { issuer, clock, login } = setUp();
  const unnamed = () => issuer.issueToken({ header: { kid: undefined } });
  expect(await ask(login, unnamed())).toEqual(VALID);
  issuer.rotateKey();
  clock.seconds = 31;
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);
  clock.seconds = 62;
  expect(await ask(login, unnamed())).toBe('unauthorized: the token is not valid: its header does not say which key has signed it');
  expect(pathsOf(issuer)).toEqual([METADATA, '/jwks', '/jwks']);
});

test('the only key is replaced: tokens that do not name it are verified with the new one, those that wait for it too', async () => {
  const { issuer, clock, login } = setUp();
  const unnamed = () => issuer.issueToken({ header: { kid: undefined } });
  const before = unnamed();
  expect(await ask(login, before)).toEqual(VALID);
  issuer.rotateKey(false);
  clock.seconds = 31;
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(login, unnamed())));
  expect(answers).toEqual(Array.from({ length: 20 }, () => VALID));
  const INVALID = 'unauthorized: the token is not valid: its signature is not valid';
  expect(await ask(login, before)).toBe(INVALID);
  expect(pathsOf(issuer)).toEqual([METADATA, '/jwks', '/jwks']);
  // One that names another key than has signed it, or comes too soon, makes no request.
  const [header, payload] = issuer.issueToken().split('.');
  clock.seconds = 62;
  expect(await ask(login, `${header}.${payload}.${before.split('.')[2]}`)).toBe(INVALID);
  expect(pathsOf(issuer)).toHaveLength(3);
  for (let i = 0; i < 10; i++) expect(await ask(login, before)).toBe(INVALID);
  expect(pathsOf(issuer)).toHaveLength(4);
});

test('metadata is where RFC 8414 has it, too; and keys can be given', async () => {
  const { issuer, login } = setUp();
  issuer.answers[`${issuer.url}/.well-known/oauth-authorization-server`] = issuer.answers[issuer.url + METADATA] ?? (() => undefined);
  delete issuer.answers[issuer.url + METADATA];
  expect(await ask(login, issuer.issueToken())).toEqual(VALID);

  for (const jwks of [issuer.jwks() as never, `${issuer.url}/jwks`, new URL(`${issuer.url}/jwks`)]) {
    issuer.requests.length = 0;
    const given = jwt({ issuer: issuer.url, audience: 'test', caller, fetch: issuer.fetch, jwks });
    expect(await ask(given, issuer.issueToken())).toEqual(VALID);
    expect(pathsOf(issuer)).toEqual(typeof jwks === 'string' || (jwks as unknown) instanceof URL ? ['/jwks'] : []);
  }
});

test('openIdConnect finds the issuer by the URL of its metadata, and takes its name from there', async () => {
  const issuer = createCountedIssuer();
  const openIdConnectUrl = issuer.url + METADATA;
  const options = { audience: 'test', caller, fetch: issuer.fetch };
  expect(await ask(openIdConnect({ ...options, openIdConnectUrl }), issuer.issueToken())).toEqual(VALID);
  // Auth0 has a slash at the end of its name.
  issuer.answers[openIdConnectUrl] = () => ({ issuer: `${issuer.url}/`, jwks_uri: `${issuer.url}/jwks` });
  const slashed = openIdConnect({ ...options, openIdConnectUrl });
  expect(await ask(slashed, issuer.issueToken({ issuer: `${issuer.url}/` }))).toEqual(VALID);
  expect(await ask(slashed, issuer.issueToken())).toBe('unauthorized: the token is not valid: it was issued by another issuer');
  expect(() => openIdConnect({ ...options, openIdConnectUrl: `${issuer.url}/metadata` })).toThrow(
    /must end with \/\.well-known\/openid-configuration/,
  );
  await expect(ask(openIdConnect(options), issuer.issueToken())).rejects.toThrow(/^the security scheme login has no openIdConnectUrl/);
});
