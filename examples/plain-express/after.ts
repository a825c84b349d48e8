/** The same three operations: validation, conversion, statuses and errors are the pipeline's, and the compiler knows the contract. */
import { AppError, createLogger, createRequestHandler, FRAMEWORK_ERRORS, loadContract, type RequestHandler } from '@specwright/server';
import type { Knex } from 'knex';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';

type Book = Schemas['Book'];

export async function createAfter(db: Knex): Promise<RequestHandler> {
  const handlers: Handlers = {
    listBooks: async ({ query: { author, limit } }, reply) => {
      const books = db<Book>('books').orderBy('id').limit(limit);
      return reply(200, { body: await (author === undefined ? books : books.where({ author })) });
    },
    createBook: async ({ body }, reply) => {
      const [book] = await db<Book>('books').insert(body).onConflict('isbn').ignore().returning('*');
      if (book === undefined) throw new AppError('conflict', 'there is a book with this ISBN');
      return reply(201, { headers: { Location: `/books/${book.id}` }, body: book });
    },
    getBook: async ({ path: { bookId } }, reply) => {
      const book = await db<Book>('books').where({ id: bookId }).first();
      if (book === undefined) throw new AppError('not_found', `there is no book ${bookId}`);
      return reply(200, { body: book });
    },
  };
  const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
  const errors = { statuses: { ...FRAMEWORK_ERRORS, conflict: 409 } };
  return createRequestHandler({ contract, handlers, security: {}, errors, log: createLogger('info') });
}
