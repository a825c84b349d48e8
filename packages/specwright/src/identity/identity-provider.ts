/** A local OpenID provider for development (`npm run dev -- --identity`): test users log in without an account anywhere. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { Provider, Adapter, AdapterPayload, Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type * as Library from 'oidc-provider';
import { LOGIN_POLICY, type TestUser, loginPage } from './test-users.ts';

/** Only this machine reaches it. */
const HOST = '127.0.0.1';

export interface IdentityOptions {
  /** 0 for any. */
  readonly port: number;
  /** Read for each log-in. */
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

/** The client that applications log in as. It has no secret. */
const CLIENT_ID = 'development';

/** The resource (RFC 8707) of a client that names none: with it access tokens are JWTs. */
const RESOURCE = 'urn:development-api';

/** The scopes of OpenID Connect, which everyone has. */
const OPEN_ID_SCOPES = ['openid', 'offline_access', 'profile', 'email'];

const HOUR = 3600;

interface ProviderOptions extends Pick<Required<IdentityOptions>, 'users' | 'audience'> {
  /** What `iss` of its tokens is. */
  readonly url: string;
}

/**
 * Loads `oidc-provider`, a certified implementation of OpenID Connect, which a project installs if it wants this.
 *
 * @throws Error which says how, if it is not installed.
 */
async function createProvider({ url, users, audience }: ProviderOptions): Promise<Provider> {
  const { interactionPolicy, Provider } = await loadLibrary();
  // There is nothing to consent to: the user is made up.
  const policy = interactionPolicy.base();
  policy.remove('consent');
  // Whoever has logged in can be somebody else the next time. Applications that renew tokens in the background are not asked.
  const { Check } = interactionPolicy;
  const isChosen = ({ oidc }: KoaContextWithOIDC) => oidc.result?.login !== undefined || oidc.prompts.has('none');
  policy.get('login')?.checks.add(new Check('choose_user', 'a test user is chosen', (ctx) => !isChosen(ctx)));
  const configuration: Configuration = {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${url}/`],
      },
    ],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin),
    claims: { profile: ['name'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    cookies: { keys: [randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      // Agents register themselves (RFC 7591).
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => RESOURCE,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: scopesOf(users()).join(' '),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: HOUR,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    findAccount(_ctx, id) {
      const user = users().find((some) => some.id === id);
      if (user === undefined) return undefined;
      return { accountId: id, claims: () => ({ sub: id, name: user.name, email: `${id}@example.com`, email_verified: true }) };
    },
    interactions: { policy, url: (_ctx, { uid }) => `/login/${uid}` },
    jwks: { keys: [createKey()] },
    loadExistingGrant: (ctx) => grantScopes(ctx, users()),
    pkce: { required: () => true },
    renderError(ctx, { error, error_description: description }) {
      ctx.type = 'text/plain';
      ctx.body = `${error}: ${description ?? ''}\n`;
    },
    responseTypes: ['code'],
    scopes: [...OPEN_ID_SCOPES, ...scopesOf(users())],
    ttl: {
      AccessToken: HOUR,
      AuthorizationCode: 60,
      Grant: 24 * HOUR,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 24 * HOUR,
      Session: 24 * HOUR,
    },
  };
  const provider = new Provider(url, configuration);
  // Which applications there are is not known, only that they are on this machine.
  Object.assign(provider.Client.prototype, { redirectUriAllowed: isLoopback, postLogoutRedirectUriAllowed: isLoopback });
  provider.use(relaxLogIn);
  return provider;
}

/**
 * The library denies a log-in without any granted scope, and a consent that it does not ask for, as hosts of agents do. Others issue a token
 * then; without scopes the service answers 403.
 */
function relaxLogIn(ctx: Parameters<Parameters<Provider['use']>[0]>[0], next: () => Promise<void>): Promise<void> {
  const { scope = '', prompt = '', client_id: client } = ctx.query;
  if (ctx.method !== 'GET' || ctx.path !== '/auth' || typeof scope !== 'string' || typeof prompt !== 'string') return next();
  const prompts = prompt.split(' ').filter((one) => one !== 'consent');
  // Clients that register themselves may use those scopes alone that they have named.
  const scopes = [...new Set([...(client === CLIENT_ID ? ['openid'] : []), ...scope.split(' ')])];
  ctx.query = { ...ctx.query, scope: scopes.join(' ').trim(), prompt: prompts.join(' ') };
  return next();
}

async function loadLibrary(): Promise<typeof Library> {
  try {
    return await import('oidc-provider');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error('--identity needs the package oidc-provider: npm i -D oidc-provider');
  }
}

const createKey = () => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  use: 'sig',
  alg: 'RS256',
});

const scopesOf = (users: readonly TestUser[]): string[] => [...new Set(users.flatMap(({ scopes }) => scopes))];

/** Grants what the user may have; an application gets what it has asked for of that. */
async function grantScopes({ oidc }: KoaContextWithOIDC, users: readonly TestUser[]) {
  const accountId = oidc.session?.accountId;
  const user = users.find(({ id }) => id === accountId);
  if (user === undefined || accountId === undefined || oidc.client === undefined) return undefined;
  const grant = new oidc.provider.Grant({ accountId, clientId: oidc.client.clientId });
  grant.addOIDCScope(OPEN_ID_SCOPES.join(' '));
  for (const resource of Object.keys(oidc.resourceServers ?? {})) grant.addResourceScope(resource, user.scopes.join(' '));
  await grant.save();
  return grant;
}

/** Whether an origin or a redirect URI is on this machine. */
export function isLoopback(uri: string): boolean {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  return (
    url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  );
}

/** Old entries make way for new ones. */
const MAX_ENTRIES = 1000;

/** What a grant that is revoked takes with it; not the log-in that is under way. */
const GRANTED = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** @returns a factory of adapters, one for each kind of entry, which share one storage. The provider checks when entries expire. */
function createMemoryAdapter(): (kind: string) => Adapter {
  const entries = new Map<string, AdapterPayload>();
  return (kind) => {
    const key = (id: string) => `${kind}:${id}`;
    const findBy = (name: 'uid' | 'userCode', value: string) =>
      [...entries].find(([id, payload]) => id.startsWith(key('')) && payload[name] === value)?.[1];
    return {
      upsert: async (id, payload) => {
        entries.delete(key(id));
        entries.set(key(id), payload);
        const [oldest] = entries.keys();
        if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
      },
      find: async (id) => entries.get(key(id)),
      findByUid: async (uid) => findBy('uid', uid),
      findByUserCode: async (userCode) => findBy('userCode', userCode),
      consume: async (id) => {
        const payload = entries.get(key(id));
        if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
      },
      destroy: async (id) => void entries.delete(key(id)),
      revokeByGrantId: async (grantId) => {
        for (const [id, payload] of entries)
          if (payload.grantId === grantId && GRANTED.some((granted) => id.startsWith(`${granted}:`))) entries.delete(id);
      },
    };
  };
}
