/** The servers that are measured beside each other: this one in some variants, and its peers. */
import { fileURLToPath } from 'node:url';
import { compiled } from '../support/compile.ts';
import { peerModule } from '../support/peers.ts';
import type { ServerEntry } from '../support/running-server.ts';
import type { Variant } from './petstore.ts';

/** In memory, over loopback with constants, over loopback with a row of PostgreSQL. */
export const HARNESSES = ['memory', 'loopback', 'postgres'] as const;
export type Harness = (typeof HARNESSES)[number];

export interface RequestServer extends ServerEntry {
  readonly harnesses: readonly Harness[];
  /** The same server without a log: the difference is what the log costs. */
  readonly withoutLog?: string;
}

interface OwnOptions extends Variant {
  readonly withoutLog?: string;
}

function own(id: string, title: string, harnesses: readonly Harness[], { withoutLog, ...variant }: OwnOptions): RequestServer {
  const module = compiled(harnesses.includes('postgres') ? 'petstore-postgres' : 'petstore');
  return { id, title, module, harnesses, env: { VARIANT: JSON.stringify(variant) }, ...(withoutLog !== undefined && { withoutLog }) };
}

/** With the loader of `npm start`. */
const fromSource = (server: RequestServer, file: string): RequestServer => ({
  ...server,
  module: fileURLToPath(new URL(file, import.meta.url)),
  execArgv: ['--conditions=@specwright/source', '--import', 'tsx'],
});

const peer = (id: string, title: string, packages: readonly string[]): RequestServer => ({
  id,
  title,
  module: peerModule(id),
  packages,
  harnesses: HARNESSES,
});

/** The floor, the server that is looked after, and what it is compared with: the gate needs no others. */
export const BARE = 'node-http';
export const OWN = 'petstore';
export const VALIDATOR = 'express-openapi-validator';
/** The pet store as it is started, built. */
export const OWN_POSTGRES = 'petstore-postgres-built';

const WITHOUT_DATABASE = ['memory', 'loopback'] as const;
const FULL = 'API key, exact limits';

export const SERVERS: readonly RequestServer[] = [
  peer(BARE, 'node:http', []),
  peer('fastify-openapi-glue', 'fastify + fastify-openapi-glue', ['fastify', 'fastify-openapi-glue']),
  peer('hono-zod-openapi', 'hono + @hono/zod-openapi', ['hono', '@hono/node-server', '@hono/zod-openapi', 'zod']),
  peer('express', 'Express', ['express']),
  peer(VALIDATOR, 'Express + express-openapi-validator', ['express', 'express-openapi-validator']),
  peer('openapi-backend', 'Express + openapi-backend', ['express', 'openapi-backend']),
  fromSource(own(OWN, 'this server', WITHOUT_DATABASE, {}), 'petstore.ts'),
  own('petstore-built', 'this server, built', WITHOUT_DATABASE, {}),
  own('petstore-log', 'this server, built, log on', WITHOUT_DATABASE, { log: true, withoutLog: 'petstore-built' }),
  own('petstore-unchecked', 'this server, built, responses not validated', ['memory'], { responseValidation: false }),
  fromSource(own('petstore-postgres', `this server: ${FULL}, log`, ['postgres'], { log: true }), 'petstore-postgres.ts'),
  own(OWN_POSTGRES, `this server, built: ${FULL}, log`, ['postgres'], { log: true, withoutLog: 'petstore-postgres-silent' }),
  own('petstore-postgres-silent', `this server, built: ${FULL}`, ['postgres'], {}),
];
