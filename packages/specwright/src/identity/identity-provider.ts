/** A local OpenID provider for development (`npm run dev -- --identity`): test users log in without an account anywhere. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Provider } from 'oidc-provider';
import { CLIENT_ID, createProvider } from './create-provider.ts';
import { LOGIN_POLICY, type TestUser, loginPage } from './test-users.ts';

/** Only this machine reaches it. */
const HOST = '127.0.0.1';

export interface IdentityOptions {
  /** 0 for any. */
  readonly port: number;
  readonly users: () => readonly TestUser[];
  /** What `aud` of its access tokens is. The URL of the service lets agents log in by themselves (RFC 9728). Default: `development-api`. */
  readonly audience?: string;
  /** Default: that of the process. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface IdentityProvider {
  readonly url: string;
  /** The client that applications log in as: a public one, with PKCE, and any redirect URI on this machine. */
  readonly clientId: string;
  /** What makes a service accept its tokens, and `/docs` log in with it. */
  readonly variables: Readonly<Record<'TOKEN_ISSUER' | 'TOKEN_AUDIENCE' | 'TOKEN_TYPE' | 'DOCS_CLIENT_ID' | 'DOCS_ISSUER', string>>;
  close(): Promise<void>;
}

/** The port beside that of the service: the same at each start, so that an application can name the provider. @param port 0 for any. */
export const identityPort = (port: number): number => (port === 0 ? 0 : port > 64_535 ? port - 1000 : port + 1000);

/**
 * Its keys, codes and sessions are kept in this process.
 *
 * @throws Error in production, if its port is in use, or if `oidc-provider` is not installed.
 */
export async function startIdentityProvider({
  port,
  users,
  audience = 'development-api',
  environment = process.env,
}: IdentityOptions): Promise<IdentityProvider> {
  if (environment['NODE_ENV'] === 'production')
    throw new Error('--identity lets anybody log in as a test user, which is for development only: unset NODE_ENV=production');
  const server = createServer();
  server.listen(port, HOST);
  await once(server, 'listening').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `the identity provider cannot listen on ${HOST}:${port}, which is in use: stop what listens there, or set another PORT`,
    );
  });
  const host = `${HOST}:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}`;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  const provider = await createProvider({ url, users, audience }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const respond = createResponder(provider, users);
  server.on('request', (request, response) => {
    // A page of the web may have a name that leads here, but not this one.
    if (request.headers.host !== host) return void response.writeHead(421).end();
    respond(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(400, { 'Content-Type': 'text/plain' });
      response.end(`${error instanceof Error ? error.message : String(error)}\n`);
    });
  });
  const variables = { TOKEN_ISSUER: url, TOKEN_AUDIENCE: audience, TOKEN_TYPE: 'at+jwt', DOCS_CLIENT_ID: CLIENT_ID, DOCS_ISSUER: url };
  return { url, clientId: CLIENT_ID, variables, close };
}

function createResponder(provider: Provider, users: () => readonly TestUser[]) {
  const handle = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!/^\/login\/[\w-]+$/.test(request.url ?? '')) return handle(request, response);
    // By a cookie, which only the browser has that began to log in.
    const { params } = await provider.interactionDetails(request, response);
    if (request.method === 'POST') {
      const id = new URLSearchParams(await text(request)).get('user');
      if (!users().some((user) => user.id === id) || id === null) throw new Error('there is no such test user');
      return provider.interactionFinished(request, response, { login: { accountId: id } });
    }
    const { client_id: client, scope } = params as { readonly client_id: string; readonly scope?: string };
    const requested = (scope ?? '').split(' ');
    const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': LOGIN_POLICY, 'Cache-Control': 'no-store' };
    response.writeHead(200, headers).end(loginPage(users(), client, requested));
  };
}
