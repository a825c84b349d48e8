/** Things. */
import type { Database } from '@specwright/postgres';
import type { Handlers } from '../../generated/contract.ts';
import type { Caller } from '../security.ts';
import { notImplemented } from '@specwright/server';

export const thingHandlers = {
  // POST /things: Create a thing. Answers 201, default.
  createThing: async () => notImplemented('createThing'),

  // GET /things/{thingId}: Read a thing. Answers 200, default.
  getThing: async () => notImplemented('getThing'),
} satisfies Partial<Handlers<Caller, Database>>;
