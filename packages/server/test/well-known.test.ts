/** What is served at well-known paths: the catalog of contracts (RFC 9727), and the metadata of resources with a path (RFC 9728). */
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { jwt, openIdConnect } from '../src/jwt/index.ts';
import { serve } from './support/serve.ts';

const CONTRACT = `paths:
  /songs:
    get: { operationId: listSongs, security: [{ login: ['songs:read'] }, { oidc: [] }], responses: { '204': { description: none } } }
    post: { operationId: createSong, security: [{ login: ['songs:write', 'songs:read'] }], responses: { '204': { description: none } } }
components:
  securitySchemes:
    login: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://login.example.com/token', scopes: {} } } }
    oidc: { type: openIdConnect, openIdConnectUrl: 'https://id.example.com/tenant/.well-known/openid-configuration' }
`;
const caller = () => ({ id: '1', scopes: [] });
const noContent = (_: unknown, reply: (status: number) => unknown) => reply(204);
const app = withApp(() =>
  serve(CONTRACT, {
    handlers: { listSongs: noContent, createSong: noContent },
    security: {
      login: jwt({ issuer: 'https://login.example.com', audience: ['songs', 'https://api.example.com/v1/'], caller }),
      oidc: openIdConnect({ audience: 'https://api.example.com/v1/', caller }),
    },
  }),
);

test('the metadata of a resource with a path are below the well-known path, with all issuers and scopes', async () => {
  const response = await fetch(`${app.url}/.well-known/oauth-protected-resource/v1`);
  expect(await response.json()).toMatchObject({
    resource: 'https://api.example.com/v1/',
    authorization_servers: ['https://login.example.com', 'https://id.example.com/tenant'],
    scopes_supported: ['songs:read', 'songs:write'],
  });
  expect((await fetch(`${app.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
  const refused = await fetch(`${app.url}/songs`, { method: 'POST' });
  expect(refused.headers.get('www-authenticate')).toContain(
    'resource_metadata="https://api.example.com/.well-known/oauth-protected-resource/v1"',
  );
});

test.each(['GET', 'HEAD'])('%s of the catalog names it as such', async (method) => {
  const response = await fetch(`${app.url}/.well-known/api-catalog`, { method });
  expect([response.status, response.headers.get('link'), response.headers.get('content-type')]).toEqual([
    200,
    '</.well-known/api-catalog>; rel="api-catalog"',
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  ]);
  if (method === 'HEAD') return;
  const { linkset } = (await response.json()) as { linkset: { anchor: string; 'service-desc': { href: string }[] }[] };
  expect(linkset).toHaveLength(1);
  for (const { href } of linkset[0]?.['service-desc'] ?? []) expect((await fetch(new URL(href, response.url))).status).toBe(200);
});
