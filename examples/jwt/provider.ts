/** An OpenID provider for development, `npm run provider`: a user logs in by name, with any password, and gets the scopes of that name. */
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { interactionPolicy, Provider, type KoaContextWithOIDC } from 'oidc-provider';

export interface ProviderOptions {
  /** Of 127.0.0.1; 0 for any. */
  readonly port: number;
  /** What `aud` of its tokens is: the URL of the API, so that agents find the provider by it (RFC 9728). */
  readonly audience: string;
  /** The scopes of each user. */
  readonly users: Readonly<Record<string, readonly string[]>>;
}

/** The client of front ends and of `/docs`: it has no secret, and uses PKCE. */
export const CLIENT_ID = 'development';
const OPEN_ID = 'openid offline_access profile';

/** Keys, codes and sessions end with the process. */
export async function startProvider({ port, audience, users }: ProviderOptions) {
  if (process.env.NODE_ENV === 'production') throw new Error('anybody can log in here: unset NODE_ENV=production');
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const scope = [...new Set(Object.values(users).flat())].join(' ');
  const policy = interactionPolicy.base();
  // There is nothing to consent to: a user has the scopes of the name.
  policy.remove('consent');
  const { Check } = interactionPolicy;
  // Each log-in asks for the user again.
  const isChosen = ({ oidc }: KoaContextWithOIDC) => oidc.result?.login !== undefined || oidc.prompts.has('none');
  policy.get('login')?.checks.add(new Check('choose_user', 'a user is chosen', (ctx) => !isChosen(ctx)));
  const provider = new Provider(url, {
    clients: [
      {
        client_id: CLIENT_ID,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: [url],
      },
    ],
    clientBasedCORS: (_ctx, origin) => isLoopback(origin),
    cookies: { keys: [randomUUID()] },
    jwks: { keys: [{ ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig' }] },
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({ scope, audience, accessTokenFormat: 'jwt' }),
      },
    },
    interactions: { policy },
    findAccount: (_ctx, id) => (id in users ? { accountId: id, claims: () => ({ sub: id }) } : undefined),
    async loadExistingGrant({ oidc }) {
      const { session, client, provider, resourceServers = {} } = oidc;
      if (session?.accountId === undefined || client === undefined) return undefined;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope(OPEN_ID);
      for (const resource of Object.keys(resourceServers)) grant.addResourceScope(resource, (users[session.accountId] ?? []).join(' '));
      await grant.save();
      return grant;
    },
    scopes: [...OPEN_ID.split(' '), ...scope.split(' ')],
  });
  // Any application on this machine, as in the library's recipes.
  Object.assign(provider.Client.prototype, { redirectUriAllowed: isLoopback });
  provider.use((ctx, next) => {
    const { client_id: client, scope = '', prompt = '', ...query } = ctx.query;
    if (ctx.path !== '/auth' || ctx.method !== 'GET') return next();
    // `openid` is what users without scopes get. Clients that register themselves may use those alone that they have named.
    const scopes = client === CLIENT_ID ? `openid ${String(scope)}` : String(scope);
    const prompts = String(prompt).replace(/\bconsent\b/, '');
    ctx.query = { ...query, client_id: client, scope: scopes.trim(), prompt: prompts.trim() };
    return next();
  });
  server.on('request', provider.callback());
  return { url, close: () => void server.close().closeAllConnections() };
}

const isLoopback = (uri: string) => URL.canParse(uri) && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(uri).hostname);

if (import.meta.filename === process.argv[1]) {
  const users = { ada: ['songs:read', 'songs:write'], bob: ['songs:read'], guest: [] };
  const { url } = await startProvider({ port: 4000, audience: 'http://localhost:3000', users });
  console.log(`${url}: client ${CLIENT_ID}, users ${Object.keys(users).join(', ')}, any password`);
}
