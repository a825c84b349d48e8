/** Tokens that are not to be accepted: each is 401 with what is wrong, and none makes a request to the issuer or anywhere else. */
import { createHmac, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { createTokenIssuer, withFixture, type TokenOptions } from 'specwright/testing';
import { jwt } from '../../src/jwt/index.ts';
import { caller, createCountedIssuer, startApi } from './support/api.ts';

const issuer = createCountedIssuer();
const other = createTokenIssuer('https://issuer.example', 'test');
const api = withFixture(
  () => startApi(jwt({ issuer: issuer.url, audience: 'test', caller, fetch: issuer.fetch })),
  (running) => running.close(),
);

const encode = (part: unknown) => Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
const partsOf = (token: string) => token.split('.') as [string, string, string];
const issue = (options?: TokenOptions) => issuer.issueToken(options);
const withHeader = (header: object, options?: TokenOptions) => issue({ ...options, header: header as Record<string, unknown> });
const [publicKey = {}] = issuer.jwks().keys as (JsonWebKey & { kid?: string })[];

/** Signed with a public key of the issuer as if it were a secret. */
function signedWith(secret: string | Buffer, header: object = {}): string {
  const [, payload] = partsOf(issue());
  const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: publicKey.kid, ...header })}.${payload}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function withoutSignature(): string {
  const [, payload] = partsOf(issue());
  return `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`;
}

const pem = createPublicKey({ key: publicKey, format: 'jwk' }).export({ type: 'spki', format: 'pem' }) as string;
const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const now = Math.floor(Date.now() / 1000);
const SIGNATURE = 'its signature is not valid';
const UNKNOWN_KEY = 'its key is unknown';
const ALGORITHM = 'its algorithm is not accepted';
const MALFORMED = 'it is malformed';

test('accepts a token of the issuer', async () => {
  expect(await api.get('/read', issue({ scopes: ['songs:read'] }))).toMatchObject({
    status: 200,
    caller: { id: 'tester', scopes: ['songs:read'] },
  });
});

test.each<[attack: string, make: () => string, reason: string]>([
  ['HMAC with the public key as PEM (algorithm confusion)', () => signedWith(pem), ALGORITHM],
  ['HMAC with the public key as JSON', () => signedWith(JSON.stringify(publicKey)), ALGORITHM],
  ['HMAC with an empty secret', () => signedWith('', { kid: undefined }), ALGORITHM],
  ['alg none', withoutSignature, ALGORITHM],
  ['alg None', () => withHeader({ alg: 'None' }), ALGORITHM],
  ['alg of another key type', () => withHeader({ alg: 'RS256' }), UNKNOWN_KEY],
  ['no alg', () => withHeader({ alg: undefined }), MALFORMED],
  ['a stripped signature', () => `${partsOf(issue()).slice(0, 2).join('.')}.`, SIGNATURE],
  ['two parts', () => partsOf(issue()).slice(0, 2).join('.'), MALFORMED],
  ['five parts, as encrypted tokens have', () => `${issue()}.a.b`, MALFORMED],
  ['a changed payload', () => issue().replace(/\.[^.]+\./, `.${encode({ iss: issuer.url, aud: 'test', exp: now + 60 })}.`), SIGNATURE],
  [
    'a signature of zeros (CVE-2022-21449)',
    () => `${partsOf(issue()).slice(0, 2).join('.')}.${Buffer.alloc(64).toString('base64url')}`,
    SIGNATURE,
  ],
  ['a payload that is no object', () => issue().replace(/\.[^.]+\./, `.${encode('[1]')}.`), SIGNATURE],
  ['a header that is no JSON', () => issue().replace(/^[^.]+/, encode('{')), MALFORMED],
  ['nothing but dots', () => 'a..', MALFORMED],

  ['another key with the kid of the issuer', () => other.issueToken({ header: { kid: publicKey.kid } }), SIGNATURE],
  ['kid: a path', () => withHeader({ kid: '../../../../dev/null' }), UNKNOWN_KEY],
  ['kid: SQL', () => withHeader({ kid: "' UNION SELECT 'secret' --" }), UNKNOWN_KEY],
  ['kid: a property of all objects', () => withHeader({ kid: '__proto__' }), UNKNOWN_KEY],
  ['kid: no text', () => withHeader({ kid: { $ne: 1 } }), UNKNOWN_KEY],
  ['jku: keys of the attacker', () => withHeader({ kid: 'attacker', jku: 'https://attacker.example/jwks' }), UNKNOWN_KEY],
  ['x5u: a certificate of the attacker', () => withHeader({ kid: 'attacker', x5u: 'https://attacker.example/cert' }), UNKNOWN_KEY],
  ['jwk: the key of the attacker in the header', () => other.issueToken({ header: { kid: 'attacker', jwk: own } }), UNKNOWN_KEY],
  ['jwk: the same under the kid of the issuer', () => other.issueToken({ header: { kid: publicKey.kid, jwk: own } }), SIGNATURE],
  ['crit: unknown', () => withHeader({ crit: ['exp2'], exp2: 1 }), 'its header requires an extension that is not supported'],
  ['crit: empty', () => withHeader({ crit: [] }), MALFORMED],
  ['b64: an unencoded payload', () => withHeader({ crit: ['b64'], b64: false }), MALFORMED],

  ['another audience', () => issue({ audience: 'another' }), 'it was issued for another audience'],
  ['no audience', () => issue({ claims: { aud: undefined } }), 'it has no aud'],
  ['an audience that contains the name', () => issue({ audience: 'test2' }), 'it was issued for another audience'],
  [
    'another issuer with the same key',
    () => issue({ issuer: 'https://issuer.example.attacker.example' }),
    'it was issued by another issuer',
  ],
  ['the issuer with a slash', () => issue({ issuer: `${issuer.url}/` }), 'it was issued by another issuer'],
  ['a list of the issuer', () => issue({ claims: { iss: [issuer.url] } }), 'it was issued by another issuer'],
  ['no issuer', () => issue({ claims: { iss: undefined } }), 'it has no iss'],
  ['expired', () => issue({ expiresIn: -31 }), 'it has expired'],
  ['no expiry', () => issue({ claims: { exp: undefined } }), 'it has no exp'],
  ['an expiry that is a text', () => issue({ claims: { exp: '9999999999' } }), 'it has expired'],
  ['an expiry beyond all', () => issue({ claims: { exp: null } }), 'it has expired'],
  ['nbf in the future', () => issue({ claims: { nbf: now + 60 } }), 'it is not valid yet'],
  ['iat in the future', () => issue({ claims: { iat: now + 60 } }), 'it was issued in the future'],
  ['an ID token', () => issue({ header: { typ: 'JWT' }, claims: { nonce: 'n' } }), 'its type is not that of access tokens'],
  ['no type', () => issue({ header: { typ: undefined } }), 'its type is not that of access tokens'],
  ['no subject', () => issue({ claims: { sub: undefined } }), 'it has no sub'],
  [
    'bound to a key of its client (DPoP)',
    () => issue({ claims: { cnf: { jkt: 'x' } } }),
    'it is bound to a key of the client, which is not supported',
  ],
])('%s', async (_attack, make, reason) => {
  const before = issuer.requests.length;
  const message = `the token is not valid: ${reason}`;
  expect(await api.get('/songs', make())).toEqual({
    status: 401,
    message,
    challenge: `Bearer realm="songs", error="invalid_token", error_description="${message}"`,
    caller: undefined,
  });
  expect(issuer.requests.length).toBe(before);
});

test('a token that is too long is refused before it is looked at', async () => {
  const strict = await startApi(jwt({ issuer: issuer.url, audience: 'test', caller, fetch: issuer.fetch, maxTokenBytes: 1000 }));
  expect(await strict.get('/songs', issue({ claims: { x: 'x'.repeat(1000) } }))).toMatchObject({
    status: 401,
    message: 'the token is not valid: it is longer than 1000 bytes',
  });
  expect(issuer.requests).toHaveLength(2);
  await strict.close();
});

test('a header of 1 MB is refused before the token is looked at', async () => {
  const answer = await fetch(`${api.url}/songs`, { headers: { Authorization: `Bearer ${'a'.repeat(1_000_000)}` } }).catch(() => undefined);
  expect([undefined, 431]).toContain(answer?.status);
});

test('what the issuer was asked: its metadata and its keys, once each', () => {
  expect(issuer.requests).toEqual([`${issuer.url}/.well-known/openid-configuration`, `${issuer.url}/jwks`]);
});

test.each<[path: string, scopes: string[], lacks: string]>([
  ['/read', [], 'songs:read'],
  ['/read', ['songs:write'], 'songs:read'],
  ['/write', ['songs:read', 'songs'], 'songs:write'],
])('%s with the scopes %j is 403', async (path, scopes, lacks) => {
  expect(await api.get(path, issue({ scopes }))).toMatchObject({
    status: 403,
    message: `the credentials lack the scope ${lacks}`,
    challenge: expect.stringMatching(/^Bearer realm="songs", error="insufficient_scope", scope="songs:read/),
  });
});

test('no credentials are 401 without an error (RFC 6750, section 3)', async () => {
  expect(await api.get('/songs')).toMatchObject({ status: 401, challenge: 'Bearer realm="songs"' });
});

test('the longest header that Node takes, in a token of 16 KiB and less, is verified', async () => {
  expect(await api.get('/songs', issue({ claims: { x: 'x'.repeat(10_000) } }))).toMatchObject({ status: 200 });
});

test.each<[name: string, options: object, message: RegExp]>([
  ['no audience', { audience: '' }, /^audience must be/],
  ['no audiences', { audience: [] }, /^audience must be/],
  ['HMAC', { algorithms: ['HS256'] }, /not HS256$/],
  ['none', { algorithms: ['ES256', 'none'] }, /not none$/],
  ['http', { issuer: 'http://issuer.example' }, /^issuer must be an https URL/],
  ['a private network without TLS', { issuer: 'http://10.0.0.1' }, /^issuer must be an https URL/],
  ['a name that looks like this machine', { issuer: 'http://127.0.0.1.attacker.example' }, /^issuer must be an https URL/],
  ['no URL', { issuer: '' }, /^issuer must be an absolute URL/],
  ['keys without TLS', { jwks: 'http://issuer.example/jwks' }, /^jwks must be an https URL/],
])('an option that cannot be used is no authenticator: %s', (_name, options, message) => {
  expect(() => jwt({ issuer: issuer.url, audience: 'test', caller, ...options })).toThrow(message);
});
