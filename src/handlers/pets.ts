/** Pets. */
import type { Database } from '@specwright/postgres';
import { createdResponse, pageResponse, parsePage, precondition, recordResponse, replyWithRecord } from '@specwright/server';
import type { Handlers } from '../../generated/contract.ts';
import { createPet, deletePet, getPet, listPets, replacePet, updatePet } from '../db/pets.ts';
import type { Caller } from '../security.ts';

export const petHandlers = {
  listPets: async ({ query }, reply, { db, caller }) => {
    const filter = { statuses: query.status, categoryId: query.categoryId };
    const found = await listPets(db, caller.accountId, filter, parsePage(query));
    return reply(200, pageResponse('/pets', query, found));
  },

  createPet: async ({ body }, reply, { db, caller }) => {
    const pet = await createPet(db, caller.accountId, body);
    return reply(201, createdResponse(`/store/pets/${pet.record.id}`, pet));
  },

  getPet: async ({ path, headers }, reply, { db, caller }) =>
    replyWithRecord(reply, headers, await getPet(db, caller.accountId, path.petId)),

  getStorePet: async ({ path, headers }, reply, { db, caller }) =>
    replyWithRecord(reply, headers, await getPet(db, caller.accountId, path.petId)),

  replacePet: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await replacePet(db, caller.accountId, path.petId, body, precondition(headers)))),

  updatePet: async ({ path, headers, body }, reply, { db, caller }) =>
    reply(200, recordResponse(await updatePet(db, caller.accountId, path.petId, body, precondition(headers)))),

  deletePet: async ({ path, headers }, reply, { db, caller }) => {
    await deletePet(db, caller.accountId, path.petId, precondition(headers));
    return reply(204);
  },
} satisfies Partial<Handlers<Caller, Database>>;
