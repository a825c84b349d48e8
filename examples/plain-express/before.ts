/** express-openapi-validator as middleware, types of openapi-typescript, and handlers of Express. */
import express, { type ErrorRequestHandler, type Express } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import type { Knex } from 'knex';
import type { components, operations } from './generated/types.ts';

type Book = components['schemas']['Book'];
type NewBook = components['schemas']['NewBook'];
type ErrorBody = components['schemas']['Error'];
type ListQuery = NonNullable<operations['listBooks']['parameters']['query']>;

export function createBefore(db: Knex): Express {
  const app = express();
  app.use(express.json());
  app.use(OpenApiValidator.middleware({ apiSpec: 'openapi.yaml', validateRequests: true, validateResponses: true }));

  app.get('/books', async (request, response) => {
    // The types of Express do not know what the validator has converted.
    const { author, limit = 20 } = request.query as unknown as ListQuery;
    const query = db<Book>('books').orderBy('id').limit(limit);
    const books: Book[] = await (author === undefined ? query : query.where({ author }));
    response.json(books);
  });

  app.post('/books', async (request, response) => {
    const [book] = await db<Book>('books')
      .insert(request.body as NewBook)
      .onConflict('isbn')
      .ignore()
      .returning('*');
    if (book === undefined) {
      const body: ErrorBody = { message: 'there is a book with this ISBN' };
      response.status(409).json(body);
      return;
    }
    response.status(201).location(`/books/${book.id}`).json(book);
  });

  app.get('/books/:bookId', async (request, response) => {
    const id = request.params.bookId as unknown as number;
    const book = await db<Book>('books').where({ id }).first();
    if (book === undefined) {
      const body: ErrorBody = { message: `there is no book ${id}` };
      response.status(404).json(body);
      return;
    }
    response.json(book);
  });

  const onError: ErrorRequestHandler = (error: { status?: number; message: string }, _request, response, _next) => {
    const body: ErrorBody = { message: error.message };
    response.status(error.status ?? 500).json(body);
  };
  app.use(onError);
  return app;
}
