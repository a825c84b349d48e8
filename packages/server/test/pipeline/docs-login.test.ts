/** The log-in of /docs: its policy admits the token endpoints of the contract and nothing else, and says no script inside a page. */
import { expect, test } from '@jest/globals';
import { serverOptions, type DocsOptions } from '@specwright/server';
import { readEnvironment, SERVER_VARIABLES } from '@specwright/server/environment';
import { serve } from '../support/serve.ts';

const contractOf = (schemes: object) => `paths:
  /songs: { get: { operationId: listSongs, security: [{ login: [] }], responses: { 200: { description: songs } } } }
components: { securitySchemes: ${JSON.stringify(schemes)} }
`;

const scopes = { 'songs:read': 'Reads songs' };
const CODE = {
  authorizationUrl: 'https://login.example.com/authorize',
  tokenUrl: 'https://token.example.com:8443/oauth/token?a=b',
  scopes,
};
const OAUTH2 = { type: 'oauth2', flows: { authorizationCode: CODE } };
const MACHINES = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://login.example.com/token', scopes } } };
const IMPLICIT = { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://login.example.com/authorize', scopes } } };
const OPEN_ID = { type: 'openIdConnect', openIdConnectUrl: 'https://id.example.com/realm/.well-known/openid-configuration' };

async function readDocs(schemes: object, docs: boolean | DocsOptions = true) {
  const app = await serve(contractOf(schemes), { docs, security: { login: () => undefined } });
  const [page, redirect, script, index] = await Promise.all(
    ['/docs', '/docs/oauth2-redirect?code=1&state=2', '/docs/oauth2-redirect.js', '/'].map(async (path) => {
      const response = await fetch(app.url + path, { headers: { Accept: 'text/html' } });
      const directives = response.headers.get('Content-Security-Policy')?.split('; ') ?? [];
      const connect = directives.find((directive) => directive.startsWith('connect-src'));
      return { status: response.status, directives, connect, text: await response.text() };
    }),
  );
  await app.close();
  return { page, redirect, script, index };
}

test.each<[name: string, schemes: object, connect: string, docs?: DocsOptions]>([
  ['a key', { login: { type: 'apiKey', in: 'header', name: 'X-Key' } }, "connect-src 'self'"],
  ['a code', { login: OAUTH2 }, "connect-src 'self' https://token.example.com:8443"],
  ['client credentials', { login: MACHINES }, "connect-src 'self' https://login.example.com"],
  ['a flow without token endpoint', { login: IMPLICIT }, "connect-src 'self'"],
  ['OpenID Connect', { login: OPEN_ID }, "connect-src 'self' https://id.example.com"],
  ['OpenID Connect of this server', { login: { ...OPEN_ID, openIdConnectUrl: '/openid' } }, "connect-src 'self'"],
  ['URLs of no server', { login: { ...OPEN_ID, openIdConnectUrl: 'data:application/json,{}' } }, "connect-src 'self'"],
  [
    'several',
    { login: OAUTH2, again: MACHINES, id: OPEN_ID, copy: OPEN_ID },
    `connect-src 'self' https://id.example.com https://login.example.com https://token.example.com:8443`,
  ],
  [
    'a provider in place of it',
    { login: IMPLICIT },
    "connect-src 'self' http://127.0.0.1:4000",
    { oauth: { issuer: 'http://127.0.0.1:4000' } },
  ],
])('by %s: the page may ask the token endpoints, other pages may not', async (_, schemes, connect, ...[docs]) => {
  const { page, redirect, index } = await readDocs(schemes, docs);
  expect(page?.connect).toBe(connect);
  for (const other of [redirect, index]) expect([other?.status, other?.connect]).toEqual([200, "connect-src 'self'"]);
  for (const each of [page, redirect])
    expect(each?.directives).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]),
    );
});

test('the page to which the provider redirects has a script of this server, and none inside it', async () => {
  const { redirect, script } = await readDocs({ login: OAUTH2 });
  expect([...(redirect?.text ?? '').matchAll(/<script[^>]*>[^<]*/g)].map(String)).toEqual(['<script src="oauth2-redirect.js">']);
  expect([script?.status, script?.text]).toEqual([200, expect.stringContaining('swaggerUIRedirectOauth2')]);
});

test('DOCS_CLIENT_ID and DOCS_ISSUER are in the page', async () => {
  const optionsOf = (environment: NodeJS.ProcessEnv) => serverOptions(readEnvironment(SERVER_VARIABLES, environment)).docs;
  const oauth = { clientId: 'a"<b>', issuer: 'https://test.example.com' };
  expect(optionsOf({ DOCS_CLIENT_ID: oauth.clientId, DOCS_ISSUER: oauth.issuer })).toMatchObject({ oauth });
  expect(optionsOf({ DOCS: 'off', DOCS_CLIENT_ID: 'web' })).toBe(false);
  expect(() => optionsOf({ DOCS_ISSUER: 'javascript:1' })).toThrow('DOCS_ISSUER must be a URL with https or http, not "javascript:1"');
  const { page } = await readDocs({ login: OAUTH2 }, { oauth });
  expect(page?.text).toContain(
    'data-oauth="{&quot;clientId&quot;:&quot;a\\&quot;&lt;b&gt;&quot;,&quot;issuer&quot;:&quot;https://test.example.com&quot;}"',
  );
});
