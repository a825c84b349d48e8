import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createStoreAccess, migrate, openDatabase, type Database } from '@specwright/postgres';
import { DATABASE_VARIABLES } from '@specwright/postgres/environment';
import { defineEventLog, eventMigrations, openEventFeed } from '@specwright/postgres/events';
import { createLogger, createServer, listen, loadContract } from '@specwright/server';
import { readEnvironment } from '@specwright/server/environment';
import type { Knex } from 'knex';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';

const log = createLogger('info');
const config = readEnvironment(DATABASE_VARIABLES);
// The database at DATABASE_URL, or the PostgreSQL that npm has installed.
const database = await openDatabase({ ...config, name: 'notes', dataDir: resolve(config.dataDir) });
const { db } = database;
const notes = {
  up: (knex: Knex) => knex.raw('CREATE TABLE notes (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)'),
};
await migrate(db, { migrations: [...eventMigrations(), { name: '0001_notes', migration: notes }] });

/** Whose events they are: these notes are everybody's. */
const ACCOUNT = 0;
const noteEvents = defineEventLog<Schemas['NoteEvent']>('notes');
const { transaction } = createStoreAccess();

/** Here a model would be asked. `signal` is aborted when the client goes away. */
async function* answer({ messages }: Schemas['Prompt'], signal: AbortSignal): AsyncGenerator<Schemas['Chunk'] | '[DONE]'> {
  const words = `You said: ${messages.at(-1)?.content ?? ''}`.split(/(?<= )/);
  for (const [i, content] of words.entries()) {
    yield { id: 'chat-1', delta: { content }, ...(i === words.length - 1 && { finish_reason: 'stop' }) };
    await delay(50, undefined, { signal });
  }
  yield '[DONE]';
}

const handlers: Handlers<unknown, Database> = {
  complete: ({ body }, reply, { signal }) => reply(200, { items: answer(body, signal) }),

  addNote: async ({ body }, reply, { db }) => {
    // The note and its event are committed together, or neither.
    await transaction(db, async (trx) => {
      await trx('notes').insert(body);
      await noteEvents.append(trx, ACCOUNT, { event: 'added', data: body });
    });
    return reply(201, { body });
  },

  followNotes: ({ headers }, reply, { db }) => reply(200, { items: noteEvents.follow(db, ACCOUNT, headers['Last-Event-ID']) }),
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
export const server = createServer({ contract, handlers, db, security: {}, parts: [database, openEventFeed(db, { log })], log });
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);
