/** The servers that are measured beside each other: this one in some variants, and its peers. */
import { fileURLToPath } from 'node:url';
import type { Variant } from './petstore.ts';

export interface ServerEntry {
  readonly id: string;
  readonly title: string;
  /** The module that makes it. */
  readonly module: string;
  /** Peers are plain JavaScript without a loader; this server is measured both with the loader of `npm start` and built. */
  readonly execArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The npm packages whose versions matter, in `bench/peers`. */
  readonly packages: readonly string[];
  readonly harnesses: readonly Harness[];
  /** What precedes the paths of the contract, if it is mounted. */
  readonly base?: string | undefined;
  /** The same server without a log: the difference is what the log costs. */
  readonly withoutLog?: string;
}

/** In memory, over loopback with constants, over loopback with a row of PostgreSQL. */
export const HARNESSES = ['memory', 'loopback', 'postgres'] as const;
export type Harness = (typeof HARNESSES)[number];

/** Where the bench keeps what it installs and compiles. Not committed. */
export const CACHE = fileURLToPath(new URL('../../../.cache/bench/', import.meta.url));

const fromSource = ['--conditions=@specwright/source', '--import', 'tsx'];

function own(
  id: string,
  title: string,
  harnesses: readonly Harness[],
  { built = false, withoutLog, ...variant }: Variant & { built?: boolean; withoutLog?: string } = {},
): ServerEntry {
  const name = harnesses.includes('postgres') ? 'petstore-postgres' : 'petstore';
  const module = built ? `${CACHE}${name}.mjs` : fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const execArgv = built ? [] : fromSource;
  return {
    id,
    title,
    module,
    execArgv,
    env: { VARIANT: JSON.stringify(variant) },
    packages: [],
    harnesses,
    base: variant.mount?.path,
    ...(withoutLog !== undefined && { withoutLog }),
  };
}

function peer(id: string, title: string, packages: readonly string[]): ServerEntry {
  return { id, title, module: `${CACHE}peers/${id}.js`, execArgv: [], env: {}, packages, harnesses: HARNESSES };
}

/** The floor, the server that is looked after, and what it is compared with: the gate needs no others. */
export const BARE = 'node-http';
export const OWN = 'petstore';
export const VALIDATOR = 'express-openapi-validator';

export const SERVERS: readonly ServerEntry[] = [
  peer(BARE, 'node:http', []),
  peer('fastify-openapi-glue', 'fastify + fastify-openapi-glue', ['fastify', 'fastify-openapi-glue']),
  peer('hono-zod-openapi', 'hono + @hono/zod-openapi', ['hono', '@hono/node-server', '@hono/zod-openapi', 'zod']),
  peer('express', 'Express', ['express']),
  peer(VALIDATOR, 'Express + express-openapi-validator', ['express', 'express-openapi-validator']),
  peer('openapi-backend', 'Express + openapi-backend', ['express', 'openapi-backend']),
  own(OWN, 'this server', ['memory', 'loopback']),
  own('petstore-built', 'this server, built', ['memory', 'loopback'], { built: true }),
  own('petstore-log', 'this server, built, log on', ['memory', 'loopback'], { built: true, log: true, withoutLog: 'petstore-built' }),
  own('petstore-unchecked', 'this server, built, responses not validated', ['memory'], { built: true, responseValidation: false }),
  own('petstore-unlimited', 'this server, built, no limits', ['memory'], { built: true, limits: false }),
  own('petstore-minimal', 'this server, built, neither', ['memory'], { built: true, limits: false, responseValidation: false }),
  own('petstore-use', 'this server, built, use: []', ['memory'], { built: true, use: [] }),
  own('petstore-helmet', 'this server, built, helmet', ['memory'], { built: true, use: ['helmet'] }),
  own('petstore-compression', 'this server, built, helmet and compression', ['memory'], { built: true, use: ['helmet', 'compression'] }),
  own('petstore-mounted', 'this server, built, in Express', ['memory'], { built: true, mount: { path: '/v1', poweredBy: false } }),
  own('petstore-mounted-powered', 'this server, built, in Express with X-Powered-By', ['memory'], {
    built: true,
    mount: { path: '/v1', poweredBy: true },
  }),
  own('petstore-postgres', 'this server: API key, exact limits, log', ['postgres'], { log: true }),
  own('petstore-postgres-built', 'this server, built: API key, exact limits, log', ['postgres'], {
    built: true,
    log: true,
    withoutLog: 'petstore-postgres-silent',
  }),
  own('petstore-postgres-silent', 'this server, built: API key, exact limits', ['postgres'], { built: true, log: false }),
];

/** @param ids only these; all that the harness has, if they are not given. */
export const serversOf = (harness: Harness, ids?: readonly string[]): ServerEntry[] =>
  SERVERS.filter(({ id, harnesses }) => harnesses.includes(harness) && (ids === undefined || ids.includes(id)));
