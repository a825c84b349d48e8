/**
 * Type proofs of Express handlers: each `@ts-expect-error` is a mistake that the compiler must find, one for each exit.
 *
 * `test/types/handlers.test.ts` fails if one of them compiles. Nothing here is run.
 */
import { createReadStream } from 'node:fs';
import type { Request } from 'express';
import { createServer, type Contract, type Log } from '@specwright/server';
import { express, type ExpressRequest, type ExpressResponse } from '@specwright/server/express';
import type { ContractTypes, Handler, Handlers, Input } from './library/generated/contract.ts';
import type * as weather from './weather/generated/contract.ts';

interface Caller {
  readonly readerId: number;
}

const emma = { id: 1, title: 'Emma' };

// ---- What Express handlers do compiles, and the operation is known from where the handler stands --------------------

export const alone: Handler<'getBook', Caller> = express((req, res) => {
  const { bookId }: { bookId: number } = req.params;
  const readerId: number | undefined = req.context.caller?.readerId;
  res.set('ETag', `"${bookId}"`).json({ id: bookId, title: `of ${readerId}` });
});

declare const all: Handlers<Caller>;
export const amongOthers: Handlers<Caller> = {
  ...all,
  listBooks: express((req, res, next) => {
    if (req.query.limit > 10) return next(new Error('too many'));
    res.set('link', '</b>; rel="next"').json([emma]);
  }),
  createBook: express(async (req, res) => {
    const { title, genre } = req.body;
    return res.status(201).location('/books/1').header({ ETag: '"1"' }).send({ id: 1, title, genre });
  }),
  deleteBook: express((req, res) => (req.params.bookId > 1 ? res.sendStatus(204) : res.status(404).json({ message: 'gone' }))),
  getCover: express((_req, res) => void createReadStream('cover.png').pipe(res.type('image/png'))),
};
export const partly = { deleteBook: express((_req, res) => res.status(204).end()) } satisfies Partial<Handlers<Caller>>;
export const byText: Handler<'getCover'> = express((_req, res) => res.set('Content-Type', 'image/png').send(Buffer.of(1)));
export const byValue: Handler<'getCover'> = express((_req, res) => res.type('json').json({ url: '/1.png' }));
export const byFile: Handler<'getCover'> = express((_req, res, next) => res.sendFile('/cover.png', (error) => next(error)));
export const statusOfRange: Handler<'getBook'> = express((_req, res) => res.status(418).json({ message: 'a teapot' }));
export const statusOfDefault: Handler<'updateBook'> = express((_req, res) => res.status(503).json({ message: 'later' }));
export const oneOfTwoStatuses: Handler<'getBook'> = express((req, res) => res.status(req.secure ? 404 : 410).json({ message: 'no' }));
export const caught: Handler<'deleteBook'> = express(async (_req, res, next) => {
  try {
    res.status(204).send();
  } catch (error) {
    next(error);
  }
});

// The types have names, for what handlers have in common. A function of any Express request takes one whose parameters are text.
const sendBook = (res: ExpressResponse<ContractTypes, 'getBook'>) => res.set('ETag', '"1"').json(emma);
const titleOf = (req: ExpressRequest<ContractTypes, 'createBook', Caller>) => req.input.body.title;
const addressOf = (req: Pick<Request, 'ip' | 'get'>) => req.get('X-Forwarded-For') ?? req.ip;
const languageOf = (req: Request) => req.acceptsLanguages('en', 'de');
export const withHelpers: Handler<'getBook', Caller> = express((req, res) => (addressOf(req) === '' ? sendBook(res) : sendBook(res)));
export const title: Handler<'createBook', Caller> = express((req, _res, next) => next(new Error(titleOf(req))));

// Where a server is made.
declare const contract: Contract<weather.ContractTypes>;
declare const log: Log;
createServer({
  contract,
  handlers: {
    getBook: express((req, res) => res.json({ isbn: languageOf(req) === 'en' ? req.params.isbn : '' })),
    getForecast: express((_req, res) => res.json({ celsius: 20 })),
  },
  security: {},
  log,
});

// ---- status ------------------------------------------------------------------------------------------------------

export const undeclaredStatus: Handler<'deleteBook'> = express((_req, res) =>
  // @ts-expect-error 202 is not declared
  res.status(202),
);

declare const anyStatus: number;
export const unknownStatus: Handler<'deleteBook'> = express((_req, res) =>
  // @ts-expect-error only 204 and 404 are declared
  res.status(anyStatus),
);

export const statusOutsideOfRange: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error 500 is not in 4XX
  res.status(500),
);

export const assignedStatus: Handler<'deleteBook'> = express((_req, res) => {
  // @ts-expect-error a status is chosen with status(...), which types what follows
  res.statusCode = 404;
});

// ---- json --------------------------------------------------------------------------------------------------------

export const wrongBody: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error id is not a string
  res.json({ ...emma, id: '1' }),
);

export const missingProperty: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error title is missing
  res.json({ id: 1 }),
);

export const excessProperty: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error owner is not declared
  res.json({ id: 1, title: 'Emma', owner: 'Ada' }),
);

export const excessPropertyInList: Handler<'listBooks'> = express((_req, res) =>
  // @ts-expect-error owner is not declared
  res.json([{ id: 1, title: 'Emma', owner: 'Ada' }]),
);

export const bodyOfAnotherStatus: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error the body of a 404 is not that of a 200
  res.status(404).json(emma),
);

export const writeOnlyProperty: Handler<'signUp'> = express((_req, res) =>
  // @ts-expect-error password is writeOnly
  res.status(201).json({ id: 1, name: 'Ada', password: 'secret' }),
);

export const bodyWithout200: Handler<'deleteBook'> = express((_req, res) =>
  // @ts-expect-error without status a 200 is meant, which is not declared
  res.json({ message: 'gone' }),
);

export const bodyOn204: Handler<'deleteBook'> = express((_req, res) =>
  // @ts-expect-error 204 has no body
  res.status(204).json({}),
);

export const bodyOfOneOfTwo: Handler<'deleteBook'> = express((req, res) =>
  // @ts-expect-error one of the two has no body
  res.status(req.secure ? 204 : 404).json({ message: 'gone' }),
);

// ---- send, end, write --------------------------------------------------------------------------------------------

export const excessPropertySent: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error owner is not declared
  res.send({ id: 1, title: 'Emma', owner: 'Ada' }),
);

export const textForJson: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error the contract declares JSON
  res.send('Emma'),
);

export const missingBody: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error a 200 has a body
  res.send(),
);

export const endWithoutBody: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error a 200 has a body, which is JSON
  res.end(),
);

export const bodyAtEnd: Handler<'deleteBook'> = express((_req, res) =>
  // @ts-expect-error 204 has no body
  res.status(204).end('deleted'),
);

export const fileForJson: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error the contract declares JSON
  res.sendFile('/emma.txt'),
);

export const streamForJson: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error the contract declares JSON
  createReadStream('/emma.json').pipe(res),
);

// ---- headers -----------------------------------------------------------------------------------------------------

export const undeclaredHeader: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error X-Debug is not declared
  res.set('X-Debug', 'yes').json(emma),
);

export const undeclaredHeaders: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error X-Debug is not declared
  res.set({ ETag: '"1"', 'X-Debug': 'yes' }).json(emma),
);

export const undeclaredHeaderByHeader: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error X-Debug is not declared
  res.header('X-Debug', 'yes').json(emma),
);

export const undeclaredHeaderOfNode: Handler<'getBook'> = express((_req, res) => {
  // @ts-expect-error X-Debug is not declared
  res.setHeader('X-Debug', 'yes').json(emma);
});

export const undeclaredHeaderAppended: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error Link is not declared
  res.append('Link', '</b>; rel="next"').json(emma),
);

export const headerOfAnotherStatus: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error a 404 has no ETag
  res.status(404).set('ETag', '"1"'),
);

export const headerOfThePipeline: Handler<'createBook'> = express((_req, res) =>
  // @ts-expect-error the pipeline writes X-Request-Id
  res.status(201).set('X-Request-Id', '1'),
);

export const wrongHeaderValue: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error ETag is a string
  res.set('ETag', 1),
);

export const undeclaredLocation: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error Location is not declared
  res.location('/books/2'),
);

export const undeclaredCookie: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error Set-Cookie is not declared
  res.cookie('theme', 'dark'),
);

// ---- type, sendStatus, redirect, next ----------------------------------------------------------------------------

export const undeclaredType: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error text/csv is not declared
  res.type('text/csv'),
);

export const undeclaredTypeByHeader: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error text/csv is not declared
  res.set('Content-Type', 'text/csv'),
);

export const sentStatusWithBody: Handler<'deleteBook'> = express((_req, res) =>
  // @ts-expect-error a 404 has a body
  res.sendStatus(404),
);

export const undeclaredRedirect: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error 303 is not declared
  res.redirect(303, '/books/2'),
);

export const undeclared302: Handler<'getBook'> = express((_req, res) =>
  // @ts-expect-error 302 is not declared
  res.redirect('/books/2'),
);

export const nextWithoutError: Handler<'deleteBook'> = express((_req, _res, next) =>
  // @ts-expect-error nothing follows a handler
  next(),
);

// ---- What it receives, and where it stands -----------------------------------------------------------------------

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const prove = <T extends true>(value?: T) => value;

prove<Equal<ExpressRequest<ContractTypes, 'listBooks', Caller>['query'], Input<'listBooks'>['query']>>();
prove<Equal<ExpressRequest<ContractTypes, 'putCover', Caller>['body'], Buffer>>();
prove<Equal<ExpressRequest<ContractTypes, 'signUp', Caller>['context']['caller'], undefined>>();

export const undeclaredQuery: Handler<'listBooks'> = express((req, res) =>
  // @ts-expect-error there is no query parameter owner
  res.json([{ id: 1, title: req.query.owner }]),
);

// @ts-expect-error the handler of another operation
export const swapped: Handlers<Caller> = { ...all, listBooks: partly.deleteBook };

// @ts-expect-error an Express handler is none of the contract without `express`
export const bare: Handler<'deleteBook'> = (_req: Request, res: { sendStatus(status: 204): void }) => res.sendStatus(204);
