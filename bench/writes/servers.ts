/** The servers whose writes are measured: this one and its peers. */
import { OWN_POSTGRES, SERVERS } from '../requests/servers.ts';
import { peerModule } from '../support/peers.ts';
import type { ServerEntry } from '../support/running-server.ts';

const peer = (id: string, title: string, packages: readonly string[]): ServerEntry => ({
  id,
  title,
  module: peerModule(`write-${id}`),
  packages,
});

export const BARE_WRITES = 'node-http';
export const OWN_WRITES = OWN_POSTGRES;

export const WRITE_SERVERS: readonly ServerEntry[] = [
  peer(BARE_WRITES, 'node:http + pg, named statements', []),
  ...SERVERS.filter(({ id }) => id === OWN_WRITES),
  peer('fastify-pg', 'Fastify + pg', ['fastify', 'pg']),
  peer('express-knex', 'Express + Knex', ['express', 'knex', 'pg']),
  peer('nest-typeorm', 'NestJS + TypeORM', ['@nestjs/core', 'typeorm', 'pg']),
];
