/**
 * Type proofs of handlers: each `@ts-expect-error` is a mistake that the compiler must find.
 *
 * `test/types/handlers.test.ts` fails if one of them compiles. Nothing here is run.
 */
import { Readable } from 'node:stream';
import { replyWithRecord, type HandlerResponse, type Stored } from '@specwright/server';
import type { Context, Handler, Handlers, Input, Payload, Reply, Schemas, Security, Status } from './library/generated/contract.ts';

interface Caller {
  readonly readerId: number;
}

const emma = { id: 1, title: 'Emma' };
const headers = { Location: '/books/1', ETag: '"1"' };

// ---- Valid responses compile -------------------------------------------------------------------------------------

export const created: Handler<'createBook'> = ({ body }, reply) =>
  reply(201, { headers, body: { id: 1, title: body.title, genre: body.genre } });
export const noBody: Handler<'deleteBook'> = (_input, reply) => reply(204);
export const withoutOptionalHeader: Handler<'listBooks'> = (_input, reply) => reply(200, { body: [emma] });
export const withOptionalHeader: Handler<'listBooks'> = (_input, reply) => reply(200, { headers: { Link: '</b>; rel="next"' }, body: [] });
export const asynchronous: Handler<'getBook'> = async (_input, reply) => reply(304, { headers: { ETag: '"1"' } });
export const statusOfRange: Handler<'getBook'> = (_input, reply) => reply(418, { body: { message: 'a teapot' } });
export const statusOfDefault: Handler<'updateBook'> = (_input, reply) => reply(503, { body: { message: 'later' } });
export const oneOfSeveralTypes: Handler<'getCover'> = (_input, reply) => reply(200, { type: 'image/png', body: Buffer.of(1) });
// The pipeline writes the Link to a successor, so the handler of a deprecated operation may omit it.
export const withoutSuccessorLink: Handler<'getOldBook'> = (_input, reply) => reply(200, { body: emma });
// Nor does it have to give newsletter, which has a default: none is filled into a response.
export const withoutWriteOnly: Handler<'signUp'> = (_input, reply) => reply(201, { body: { id: 1, name: 'Ada' } });

// ---- Undeclared responses do not ---------------------------------------------------------------------------------

export const undeclaredStatus: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error 202 is not declared
  reply(202, { headers, body: emma });

export const undeclaredStatusWithoutPayload: Handler<'deleteBook'> = (_input, reply) =>
  // @ts-expect-error 202 is not declared
  reply(202);

declare const deletedOrNot: 204 | 404;
export const payloadOfOneOfTwo: Handler<'deleteBook'> = (_input, reply) =>
  // @ts-expect-error 404 has a body
  reply(deletedOrNot);

declare const anyStatus: number;
export const unknownStatus: Handler<'deleteBook'> = (_input, reply) =>
  // @ts-expect-error only 204 and 404 are declared
  reply(anyStatus);

export const statusOutsideOfRange: Handler<'getBook'> = (_input, reply) =>
  // @ts-expect-error 500 is not in 4XX
  reply(500, { body: { message: 'no' } });

export const missingHeader: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error Location is missing
  reply(201, { headers: { ETag: '"1"' }, body: emma });

export const missingHeaders: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error the headers are missing
  reply(201, { body: emma });

export const undeclaredHeader: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error X-Debug is not declared
  reply(201, { headers: { ...headers, 'X-Debug': 'yes' }, body: emma });

export const headerOfThePipeline: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error the pipeline writes X-Request-Id
  reply(201, { headers: { ...headers, 'X-Request-Id': '1' }, body: emma });

export const wrongBody: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error id is not a string
  reply(201, { headers, body: { ...emma, id: '1' } });

export const missingProperty: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error title is missing
  reply(201, { headers, body: { id: 1 } });

export const excessProperty: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error owner is not declared
  reply(201, { headers, body: { id: 1, title: 'Emma', owner: 'Ada' } });

export const excessPropertyInList: Handler<'listBooks'> = (_input, reply) =>
  // @ts-expect-error owner is not declared
  reply(200, { body: [{ id: 1, title: 'Emma', owner: 'Ada' }] });

export const wrongEnumValue: Handler<'createBook'> = (_input, reply) =>
  // @ts-expect-error essay is not a genre
  reply(201, { headers, body: { ...emma, genre: 'essay' } });

export const writeOnlyProperty: Handler<'signUp'> = (_input, reply) =>
  // @ts-expect-error password is writeOnly
  reply(201, { body: { id: 1, name: 'Ada', password: 'secret' } });

export const missingBody: Handler<'listBooks'> = (_input, reply) =>
  // @ts-expect-error 200 has a body
  reply(200);

export const bodyOn204: Handler<'deleteBook'> = (_input, reply) =>
  // @ts-expect-error 204 has no body
  reply(204, { body: {} });

export const bodyOn304: Handler<'getBook'> = (_input, reply) =>
  // @ts-expect-error 304 has no body
  reply(304, { headers: { ETag: '"1"' }, body: emma });

export const wrongMediaType: Handler<'listBooks'> = (_input, reply) =>
  // @ts-expect-error text/csv is not declared
  reply(200, { body: [emma], type: 'text/csv' });

export const missingMediaType: Handler<'getCover'> = (_input, reply) =>
  // @ts-expect-error with two media types the reply has to name one
  reply(200, { body: { url: '/1.png' } });

// @ts-expect-error one path ends without a response
export const missingReturn: Handler<'listBooks'> = (input, reply) => {
  if (input.query.limit > 10) return reply(200, { body: [] });
};

// @ts-expect-error a plain object is not a response
export const plainObject: Handler<'deleteBook'> = () => ({ status: 204, headers: {}, body: undefined, type: undefined });

// @ts-expect-error nothing is returned
export const nothing: Handler<'deleteBook'> = () => undefined;

declare const replyOfAnother: Reply<'putCover'>;
// @ts-expect-error the reply of another operation
export const anothersReply: Handler<'deleteBook'> = () => replyOfAnother(204);

declare const responseOfAnother: HandlerResponse<'putCover'>;
// @ts-expect-error a response of another operation
export const anothersResponse: HandlerResponse<'deleteBook'> = responseOfAnother;

declare const storedBook: Stored<Schemas['Book']>;
export const notConditional: Handler<'listBooks'> = (_input, reply) =>
  // @ts-expect-error the operation declares no 304
  replyWithRecord(reply, {}, storedBook);

// ---- Bodies that are streams -------------------------------------------------------------------------------------

export const streamOrText: Readable | string | undefined = null as unknown as Input<'putText'>['body'];
export const wholeBody: Buffer = null as unknown as Input<'putCover'>['body'];
export const streamOfBytes = async ({ body }: Input<'putText'>): Promise<number> => {
  let length = 0;
  if (body instanceof Readable) for await (const chunk of body) length += (chunk as Buffer).length;
  return length;
};
// @ts-expect-error what is declared as x-stream is no Buffer
export const streamIsNoBuffer: Buffer | string | undefined = null as unknown as Input<'putText'>['body'];

// ---- The sets of handlers and authenticators are closed ----------------------------------------------------------

declare const all: Handlers<Caller>;
const { listBooks, ...rest } = all;

// @ts-expect-error listBooks is missing
export const missingHandler: Handlers<Caller> = rest;

// @ts-expect-error there is no operation burnBooks
export const unknownHandler: Handlers<Caller> = { ...rest, listBooks, burnBooks: listBooks };

// @ts-expect-error there is no operation burnBooks
export const unknownInPart = { listBooks, burnBooks: listBooks } satisfies Partial<Handlers<Caller>>;

// @ts-expect-error the handler of another operation
export const swapped: Handlers<Caller> = { ...all, listBooks: all.deleteBook };

// @ts-expect-error the scheme key has no authenticator
export const missingAuthenticator: Security<Caller> = {};

// ---- What a handler receives -------------------------------------------------------------------------------------

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const prove = <T extends true>(value?: T) => value;

prove<Equal<Input<'getBook'>['path'], { bookId: number }>>();
// A parameter or property with a default is never absent.
prove<Equal<Input<'listBooks'>['query']['limit'], number>>();
prove<Equal<Input<'listBooks'>['query']['cursor'], string | undefined>>();
prove<Equal<Input<'listBooks'>['query']['genre'], ('novel' | 'poetry')[] | undefined>>();
prove<Equal<Input<'createBook'>['body']['genre'], 'novel' | 'poetry'>>();
// An optional body may be absent; a nullable property may be null.
prove<Equal<NonNullable<Input<'updateBook'>['body']>['summary'], string | null | undefined>>();
prove<Equal<undefined extends Input<'updateBook'>['body'] ? true : false, true>>();
prove<Equal<Input<'deleteBook'>['body'], undefined>>();
// A client does not send readOnly properties; a body that is not JSON is bytes.
prove<Equal<keyof Input<'signUp'>['body'], 'name' | 'password' | 'newsletter'>>();
// A schema of requests and responses: the default is present in one, and optional in the other.
prove<Equal<Input<'signUp'>['body']['newsletter'], boolean>>();
prove<Equal<Payload<'signUp', 201>['body']['newsletter'], boolean | undefined>>();
prove<Equal<Schemas['Reader']['newsletter'], boolean | undefined>>();
prove<Equal<Input<'putCover'>['body'], Buffer>>();
prove<Equal<Status<'deleteBook'>, 204 | 404>>();
prove<Equal<Payload<'listBooks', 200>['body'], Schemas['Book'][]>>();

// @ts-expect-error there is no query parameter owner
export type UndeclaredInput = Input<'listBooks'>['query']['owner'];

// ---- The caller and its limits -----------------------------------------------------------------------------------

prove<Equal<Context<'listBooks', Caller>['caller'], Caller>>();
prove<Equal<Context<'signUp', Caller>['caller'], undefined>>();
prove<Equal<Context<'getBook', Caller>['caller'], Caller | undefined>>();
prove<Equal<Context<'listBooks', Caller>['limits']['windows']['day']['remaining'], number>>();
