/** An API whose callers have tokens, and an issuer whose answers are counted. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, HandlerResponse, loadContract, type Authenticator } from '@specwright/server';
import { operationTable, readDocument } from '@specwright/contract/document';
import {
  createTestLog,
  createTokenIssuer,
  listenOnFreePort,
  type ListeningServer,
  type LogLine,
  type TokenIssuer,
} from 'specwright/testing';

const responses = { 200: { description: 'who calls', content: { 'application/json': { schema: { type: 'object' } } } } };
const operation = (scopes: string[]) => ({ get: { security: [{ login: scopes }], responses } });

const documentOf = (openIdConnectUrl: string, plans: object) => ({
  openapi: '3.0.3',
  info: { title: 'songs', version: '1' },
  ...plans,
  paths: { '/songs': operation([]), '/read': operation(['songs:read']), '/write': operation(['songs:read', 'songs:write']) },
  components: { securitySchemes: { login: { type: 'openIdConnect', openIdConnectUrl } } },
});

export interface Answer {
  readonly status: number;
  readonly challenge: string | null;
  readonly message: string | undefined;
  readonly caller: unknown;
}

export interface Api extends ListeningServer {
  readonly log: readonly LogLine[];
  /** @param token without it none is sent. */
  readonly get: (path: string, token?: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;
}

export interface ApiOptions {
  readonly openIdConnectUrl?: string;
  /** How many tokens of one address may be refused in a minute. Default: any number. */
  readonly perMinute?: number;
}

export async function startApi(login: Authenticator, { openIdConnectUrl = '/', perMinute }: ApiOptions = {}): Promise<Api> {
  const folder = await mkdtemp(join(tmpdir(), 'jwt-'));
  const file = join(folder, 'openapi.json');
  const quota = { minute: perMinute, day: 1_000_000 };
  const plans = perMinute === undefined ? {} : { 'x-rate-limit-plans': { plans: { all: quota }, address: quota } };
  await writeFile(file, JSON.stringify(documentOf(openIdConnectUrl, plans)));
  const { digest, document } = readDocument(file);
  const contract = await loadContract(file, { digest, operations: operationTable(document) } as never);
  await rm(folder, { recursive: true });
  const log: LogLine[] = [];
  const handler = (_input: never, _reply: never, { caller }: { caller: object }) =>
    HandlerResponse.reply(200, { body: JSON.parse(JSON.stringify(caller)) as unknown });
  const handlers = Object.fromEntries(contract.operations.map(({ id }) => [id, handler]));
  const subject = () => ({ bucket: 'callers', quota: { minute: 1_000_000, day: 1_000_000 } });
  const options = { contract, handlers, security: { login }, rateLimit: { subject }, log: createTestLog(log) };
  const listening = await listenOnFreePort(createServer(options as never));
  return {
    ...listening,
    log,
    async get(path, token, headers = {}) {
      const response = await fetch(listening.url + path, {
        headers: token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as { message?: string };
      const { status } = response;
      return {
        status,
        challenge: response.headers.get('www-authenticate'),
        message: body.message,
        caller: status === 200 ? body : undefined,
      };
    },
  };
}

/** An issuer that is asked through `fetch`: what it answers can be changed, and each request is counted. */
export interface CountedIssuer extends TokenIssuer {
  readonly requests: string[];
  /** Its answers by URL: values are sent as JSON. */
  readonly answers: Record<string, () => unknown>;
  isDown: boolean;
  readonly fetch: typeof fetch;
}

export function createCountedIssuer(): CountedIssuer {
  const issuer = createTokenIssuer();
  const requests: string[] = [];
  const state: CountedIssuer = {
    ...issuer,
    requests,
    answers: {
      [`${issuer.url}/.well-known/openid-configuration`]: () => ({ issuer: issuer.url, jwks_uri: `${issuer.url}/jwks` }),
      [`${issuer.url}/jwks`]: issuer.jwks,
    },
    isDown: false,
    fetch: (async (input: URL) => {
      requests.push(String(input));
      // As a network: not in the same turn.
      await new Promise((resolve) => setImmediate(resolve));
      if (state.isDown) throw new TypeError('fetch failed');
      const answer = state.answers[String(input)]?.();
      if (answer instanceof Response) return answer;
      return answer === undefined ? new Response('', { status: 404 }) : Response.json(answer);
    }) as typeof fetch,
  };
  return state;
}

/** Who calls, in tests. */
export const caller = (claims: { sub?: string }, scopes: readonly string[]) => ({ id: claims.sub, scopes });
