/** Servers of one operation that says who calls: by an API key, by an access token, and by those of others. */
import { createHash, createPublicKey } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { jwt } from '@specwright/server/jwt';
import { bearer, createServer, HandlerResponse, loadContract, type Authenticator, type Log } from '@specwright/server';
import { operationTable, parseSource } from '@specwright/contract/document';
import type { ListeningTokenIssuer } from 'specwright/testing';
import { PEERS } from '../requests/servers/peers.ts';

const ignore = () => undefined;
const LOG: Log = { info: ignore, warn: ignore, error: ignore, child: () => LOG };

const documentOf = (security: object[]) =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Callers', version: '1' },
    paths: {
      '/caller': {
        get: {
          operationId: 'getCaller',
          security,
          responses: { 200: { description: 'Who calls.', content: { 'application/json': { schema: { type: 'object' } } } } },
        },
      },
    },
    components: { securitySchemes: { login: { type: 'oauth2', flows: {} } } },
  });

async function serve(login: Authenticator | undefined, scopes: readonly string[]): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  try {
    const text = documentOf(login === undefined ? [] : [{ login: scopes }]);
    const file = join(folder, 'spec.json');
    await writeFile(file, text);
    const { document, digest } = parseSource('spec.json', text);
    const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
    const getCaller = (_input: never, _reply: never, { caller }: { caller?: { id: string } }) =>
      HandlerResponse.reply(200, { body: { id: caller?.id ?? 'nobody' } });
    return createServer({ contract, handlers: { getCaller }, security: { login }, log: LOG } as never);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The scope that the operation requires, where tokens have scopes. */
export const SCOPE = 'callers:read';
const SCOPES = [SCOPE];
type Create = (issuer: ListeningTokenIssuer, key: string) => Promise<Server>;

const token = ({ url, audience }: ListeningTokenIssuer, options: { readonly cacheMs?: number } = {}) =>
  jwt({ issuer: url, audience, caller: ({ sub = '' }, scopes) => ({ id: sub, scopes }), ...options });

/** A key by its hash, as accounts keep callers in memory. */
function apiKeys(key: string): Authenticator {
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64');
  const callers = new Map([[hashOf(key), { id: 'tester' }]]);
  return bearer((text) => callers.get(hashOf(text)));
}

const peer =
  (file: string, options: object = {}): Create =>
  async ({ url, audience, jwks }) => {
    const { createServer: create } = (await import(pathToFileURL(join(PEERS, file)).href)) as {
      createServer: (given: object) => Promise<Server>;
    };
    const [jwk = {}] = jwks().keys;
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    return create({ issuer: url, audience, publicKey, jwksUri: `${url}/jwks`, ...options });
  };

/** What is measured, in the order of the table. */
export const SERVERS: Readonly<Record<string, { readonly create: Create; readonly isPeer?: boolean }>> = {
  'this server, no security': { create: () => serve(undefined, []) },
  'this server, API key in memory': { create: (_issuer, key) => serve(apiKeys(key), []) },
  'this server, token, cached': { create: (issuer) => serve(token(issuer), []) },
  'this server, token with scopes, cached': { create: (issuer) => serve(token(issuer), SCOPES) },
  'this server, token, each verified': { create: (issuer) => serve(token(issuer, { cacheMs: 0 }), SCOPES) },
  '@fastify/jwt, cached': { create: peer('fastify-jwt.js', { cache: true }), isPeer: true },
  '@fastify/jwt, each verified': { create: peer('fastify-jwt.js'), isPeer: true },
  'express-oauth2-jwt-bearer, each verified': { create: peer('express-oauth2-jwt-bearer.js'), isPeer: true },
};
