/** The servers whose writes are measured: this one and its peers. */
import { CACHE, SERVERS, type ServerEntry } from '../requests/servers/servers.ts';

function peer(id: string, title: string, packages: readonly string[]): ServerEntry {
  return { id, title, module: `${CACHE}peers/write-${id}.js`, execArgv: [], env: {}, packages, harnesses: ['postgres'] };
}

const own = (id: string): ServerEntry[] => SERVERS.filter((entry) => entry.id === id);

export const BARE_WRITES = 'node-http';
export const OWN_WRITES = 'petstore-postgres-built';

export const WRITE_SERVERS: readonly ServerEntry[] = [
  peer(BARE_WRITES, 'node:http + pg, named statements', []),
  ...own(OWN_WRITES),
  peer('fastify-pg', 'Fastify + pg', ['fastify', 'pg']),
  peer('express-knex', 'Express + Knex', ['express', 'knex', 'pg']),
  peer('nest-typeorm', 'NestJS + TypeORM', ['@nestjs/core', 'typeorm', 'pg']),
];

/** @param ids only these; all if they are not given. @throws Error that names what there is to choose from. */
export function writeServers(ids: readonly string[] = WRITE_SERVERS.map(({ id }) => id)): ServerEntry[] {
  const wrong = ids.find((id) => !WRITE_SERVERS.some((entry) => entry.id === id));
  if (wrong !== undefined) throw new Error(`--servers: there is no ${wrong}; choose from ${WRITE_SERVERS.map(({ id }) => id).join(', ')}`);
  return WRITE_SERVERS.filter(({ id }) => ids.includes(id));
}
