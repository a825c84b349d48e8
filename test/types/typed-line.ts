/**
 * The proofs of the typed line: each `@ts-expect-error` is a mistake that the compiler has to find.
 *
 * `npm run typecheck` fails if one of them compiles. Nothing here is ever run.
 */
import type { HandlerResponse } from '@specwright/server';
import type { Context, Handler, Handlers, Input, Payload, Reply, Schemas, Status } from '../../generated/contract.ts';
import { ERRORS, type ErrorCode } from '../../src/errors.ts';
import { createHandlers } from '../../src/handlers/index.ts';
import type { Caller } from '../../src/security.ts';

const rex = { id: 1, name: 'Rex', categoryId: 1, status: 'available' } as const;
const made = { Location: '/store/pets/1', ETag: '"1"' };

// ---- What is right compiles --------------------------------------------------------------------------------------

export const right: Handler<'createPet'> = ({ body }, reply) => reply(201, { headers: made, body: { ...rex, name: body.name } });
export const noBody: Handler<'deletePet'> = (_input, reply) => reply(204);
export const optionalHeader: Handler<'listPets'> = (_input, reply) => reply(200, { body: [rex] });
export const givenOptionalHeader: Handler<'listPets'> = (_input, reply) =>
  reply(200, { headers: { Link: '</pets>; rel="next"' }, body: [] });
export const waits: Handler<'getStorePet'> = async (_input, reply) => reply(304, { headers: { ETag: '"1"' } });
// The line writes the successor's Link, so the handler of the deprecated operation need not.
export const lineWritesLink: Handler<'getPet'> = (_input, reply) => reply(200, { headers: { ETag: '"1"' }, body: rex });

// ---- What is not declared does not -------------------------------------------------------------------------------

export const undeclaredStatus: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error 202 is not declared
  reply(202, { headers: made, body: rex });

export const missingHeader: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error Location is missing
  reply(201, { headers: { ETag: '"1"' }, body: rex });

export const noHeaders: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error headers are missing
  reply(201, { body: rex });

export const undeclaredHeader: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error X-Debug is not declared
  reply(201, { headers: { ...made, 'X-Debug': 'yes' }, body: rex });

export const headerOfTheLine: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error X-Request-Id is the line's to write
  reply(201, { headers: { ...made, 'X-Request-Id': '1' }, body: rex });

export const wrongBody: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error id is not a string
  reply(201, { headers: made, body: { ...rex, id: '1' } });

export const missingProperty: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error categoryId is missing
  reply(201, { headers: made, body: { id: 1, name: 'Rex', status: 'available' } });

export const excessProperty: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error owner is not declared
  reply(201, { headers: made, body: { id: 1, name: 'Rex', categoryId: 1, owner: 'Ada' } });

export const excessInList: Handler<'listPets'> = (_input, reply) =>
  // @ts-expect-error owner is not declared
  reply(200, { body: [{ id: 1, name: 'Rex', categoryId: 1, owner: 'Ada' }] });

export const wrongEnum: Handler<'createPet'> = (_input, reply) =>
  // @ts-expect-error lost is not a status
  reply(201, { headers: made, body: { ...rex, status: 'lost' } });

export const missingBody: Handler<'listPets'> = (_input, reply) =>
  // @ts-expect-error 200 has a body
  reply(200);

export const bodyOn204: Handler<'deletePet'> = (_input, reply) =>
  // @ts-expect-error 204 has none
  reply(204, { body: {} });

export const bodyOn304: Handler<'getStorePet'> = (_input, reply) =>
  // @ts-expect-error 304 has none
  reply(304, { headers: { ETag: '"1"' }, body: rex });

export const wrongMediaType: Handler<'listPets'> = (_input, reply) =>
  // @ts-expect-error text/csv is not declared
  reply(200, { body: [rex], type: 'text/csv' });

// @ts-expect-error one path ends without a response
export const fallsThrough: Handler<'listPets'> = (input, reply) => {
  if (input.query.limit > 10) return reply(200, { body: [] });
};

// @ts-expect-error a plain object is not what reply makes
export const rawObject: Handler<'deletePet'> = () => ({ status: 204, headers: {}, body: undefined, type: undefined });

// @ts-expect-error nothing is returned
export const nothing: Handler<'deletePet'> = () => undefined;

declare const ofAnother: Reply<'deleteOrder'>;
// @ts-expect-error the reply of another operation
export const anothersReply: Handler<'deletePet'> = () => ofAnother(204);

declare const sealed: HandlerResponse<'deleteOrder'>;
// @ts-expect-error a response of another operation
export const anothersResponse: HandlerResponse<'deletePet'> = sealed;

// ---- The set of handlers is closed -------------------------------------------------------------------------------

declare const all: Handlers<Caller>;
const { listPets, ...rest } = all;

// @ts-expect-error listPets is missing
export const missingHandler: Handlers<Caller> = rest;

// @ts-expect-error there is no operation feedPets
export const unknownHandler: Handlers<Caller> = { ...rest, listPets, feedPets: listPets };

// @ts-expect-error there is no operation feedPets
export const unknownInNoun = { listPets, feedPets: listPets } satisfies Partial<Handlers<Caller>>;

// @ts-expect-error the handler of another operation
export const swapped: Handlers<Caller> = { ...all, listPets: all.deletePet };

export const complete: (db: never) => Handlers<Caller> = createHandlers;

// ---- What a handler receives -------------------------------------------------------------------------------------

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const proven = <T extends true>(value?: T) => value;

proven<Equal<Input<'getStorePet'>['path'], { petId: number }>>();
// `limit` has a default, so it is always there; `cursor` has none.
proven<Equal<Input<'listPets'>['query']['limit'], number>>();
proven<Equal<Input<'listPets'>['query']['cursor'], string | undefined>>();
proven<Equal<Input<'listPets'>['query']['status'], ('available' | 'pending' | 'sold')[] | undefined>>();
proven<Equal<Input<'createPet'>['body']['status'], 'available' | 'pending' | 'sold'>>();
proven<Equal<Input<'updatePet'>['body']['status'], 'available' | 'pending' | 'sold' | undefined>>();
proven<Equal<Input<'updateCategory'>['body']['description'], string | null | undefined>>();
proven<Equal<Input<'deletePet'>['body'], undefined>>();
proven<Equal<Status<'deletePet'>, 204 | 400 | 401 | 404 | 409 | 412 | 429 | 500 | 503>>();
proven<Equal<Payload<'listPets', 200>['body'], Schemas['Pets']>>();

// @ts-expect-error there is no query parameter owner
export type UndeclaredInput = Input<'listPets'>['query']['owner'];

// POST /accounts is open to all: there is no caller.
proven<Equal<Context<'createAccount', Caller>['caller'], undefined>>();
proven<Equal<Context<'getAccount', Caller>['caller']['accountId'], number>>();

// ---- The codes of the program are those of the contract ----------------------------------------------------------

proven<Equal<ErrorCode, Schemas['ErrorCode']>>();
export const codes: Record<Schemas['ErrorCode'], number> = ERRORS;
