import { AppError, createLogger, createServer, FRAMEWORK_ERRORS, listen, loadContract } from '@specwright/server';
import { mcp } from '@specwright/server/mcp';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';

const books: Schemas['Book'][] = [
  { id: 1, title: 'The Left Hand of Darkness', isBorrowed: false },
  { id: 2, title: 'The Dispossessed', isBorrowed: true },
];

function findBook(id: number): Schemas['Book'] {
  const book = books.find((other) => other.id === id);
  if (book === undefined) throw new AppError('not_found', `there is no book ${id}`);
  return book;
}

const handlers: Handlers = {
  findBooks: ({ query }, reply) =>
    reply(200, { body: books.filter(({ title }) => title.toLowerCase().includes(query.title.toLowerCase())) }),
  borrowBook: ({ path }, reply) => {
    const book = findBook(path.bookId);
    if (book.isBorrowed) throw new AppError('borrowed', `${book.title} is borrowed`);
    book.isBorrowed = true;
    return reply(200, { body: book });
  },
  returnBook: ({ path }, reply) => {
    findBook(path.bookId).isBorrowed = false;
    return reply(204);
  },
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
export const server = createServer({
  contract,
  handlers,
  security: {},
  log: createLogger('info'),
  errors: { statuses: { ...FRAMEWORK_ERRORS, borrowed: 409 } },
  // POST /mcp
  mcp: mcp(),
});
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);
