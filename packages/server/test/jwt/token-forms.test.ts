/** Tokens as the providers of others write them: the claims are theirs, the keys and times those of the test. */
import { expect, test } from '@jest/globals';
import { createTokenIssuer } from 'specwright/testing';
import { jwt, scopesOf, type Claims, type TokenOptions } from '../../src/jwt/index.ts';
import { ask } from './support/ask.ts';
import { caller } from './support/api.ts';

interface Form {
  readonly issuer: string;
  readonly audience: string;
  readonly typ: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly options: Partial<TokenOptions<unknown>>;
  readonly scopes: readonly string[];
}

const GONE = { client_id: undefined, jti: undefined, scope: undefined };
const rolesOf = ({ realm_access }: Claims) => (realm_access as { roles?: string[] } | undefined)?.roles ?? [];
const permissionsOf = ({ permissions }: Claims) => (permissions as string[] | undefined) ?? [];

/** From the documentation of each; shortened where it does not matter. */
const FORMS: Record<string, Form> = {
  'Keycloak, scopes': {
    issuer: 'https://sso.example.com/realms/shop',
    audience: 'songs-api',
    typ: 'JWT',
    claims: {
      ...GONE,
      jti: '2c8a7f0e',
      aud: ['songs-api', 'account'],
      typ: 'Bearer',
      azp: 'songs-web',
      sid: 'd0b2',
      acr: '1',
      'allowed-origins': ['https://songs.example.com'],
      realm_access: { roles: ['offline_access', 'songs-editor'] },
      resource_access: { account: { roles: ['manage-account'] } },
      scope: 'openid email songs:read',
      preferred_username: 'ada',
    },
    options: { type: 'JWT' },
    scopes: ['openid', 'email', 'songs:read'],
  },
  'Keycloak, roles of the realm': {
    issuer: 'https://sso.example.com/realms/shop',
    audience: 'songs-api',
    typ: 'JWT',
    claims: { ...GONE, realm_access: { roles: ['songs-editor'] }, scope: 'email' },
    options: { type: 'JWT', scopes: rolesOf },
    scopes: ['songs-editor'],
  },
  'Auth0, default profile': {
    issuer: 'https://songs.eu.auth0.com/',
    audience: 'https://api.songs.example.com',
    typ: 'JWT',
    claims: {
      ...GONE,
      aud: ['https://api.songs.example.com', 'https://songs.eu.auth0.com/userinfo'],
      azp: 'web',
      scope: 'openid songs:read',
    },
    options: { type: 'JWT' },
    scopes: ['openid', 'songs:read'],
  },
  'Auth0, RFC 9068 profile with permissions': {
    issuer: 'https://songs.eu.auth0.com/',
    audience: 'https://api.songs.example.com',
    typ: 'at+jwt',
    claims: { scope: 'openid', permissions: ['songs:read', 'songs:write'] },
    options: { scopes: permissionsOf },
    scopes: ['songs:read', 'songs:write'],
  },
  'Entra, version 2': {
    issuer: 'https://login.microsoftonline.com/72f988bf/v2.0',
    audience: '6e74172b-be56-4843-9ff4-e66a39bb12e3',
    typ: 'JWT',
    claims: { ...GONE, azp: 'web', ver: '2.0', tid: '72f988bf', scp: 'songs.read songs.write', uti: 'x' },
    options: { type: 'JWT' },
    scopes: ['songs.read', 'songs.write'],
  },
  'Okta, without a type': {
    issuer: 'https://songs.okta.com/oauth2/default',
    audience: 'api://songs',
    typ: undefined,
    claims: { ...GONE, ver: 1, cid: 'web', uid: '00u1', scp: ['openid', 'songs:read'] },
    options: { type: null },
    scopes: ['openid', 'songs:read'],
  },
};

test.each(Object.entries(FORMS))('%s', async (_name, { issuer: url, audience, typ, claims, options, scopes }) => {
  const issuer = createTokenIssuer(url, audience);
  const token = issuer.issueToken({ claims, header: { typ } });
  const jwks = issuer.jwks() as never;
  expect(await ask(jwt({ issuer: url, audience, caller, jwks, ...options }), token)).toEqual({ id: 'tester', scopes });
  if (options.type !== undefined)
    expect(await ask(jwt({ issuer: url, audience, caller, jwks }), token)).toBe(
      'unauthorized: the token is not valid: its type is not that of access tokens',
    );
});

test.each<[claims: object, scopes: readonly string[]]>([
  [{}, []],
  [{ scope: '' }, []],
  [{ scope: ' a  b ' }, ['a', 'b']],
  [{ scope: ['a b', 'c', 1] }, ['a b', 'c']],
  [{ scope: { a: true } }, []],
  [{ scope: 'a', scp: 'b' }, ['a']],
  [{ scp: ['a'] }, ['a']],
])('the scopes of %j are %j', (claims, scopes) => {
  expect(scopesOf(claims as Claims)).toEqual(scopes);
});

test('a caller that is undefined is nobody, and one that takes time is waited for', async () => {
  const issuer = createTokenIssuer();
  const find = async ({ sub }: Claims) => (sub === 'ada' ? { id: 1 } : undefined);
  const login = jwt({ issuer: issuer.url, audience: 'test', jwks: issuer.jwks() as never, caller: find });
  expect(await ask(login, issuer.issueToken({ subject: 'ada' }))).toEqual({ id: 1 });
  for (let i = 0; i < 2; i++)
    expect(await ask(login, issuer.issueToken({ subject: 'bob' }))).toBe('unauthorized: the token is not valid: nobody is known by it');
});
