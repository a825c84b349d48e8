import { createLogger, createRequestHandler, loadContract } from '@specwright/server';
import { contract as generated, type Handlers } from './generated/contract.ts';

export const notes = new Map([[1, { id: 1, text: 'one' }]]);

const handlers: Handlers = {
  listNotes: (_input, reply) => reply(200, { body: [...notes.values()] }),
  createNote: ({ body: { text } }, reply) => {
    const note = { id: notes.size + 1, text };
    notes.set(note.id, note);
    return reply(201, { headers: { Location: `/notes/${note.id}` }, body: note });
  },
};

export const api = createRequestHandler({
  contract: await loadContract(new URL('openapi.yaml', import.meta.url), generated),
  handlers,
  security: {},
  log: createLogger(process.env['LOG_LEVEL'] ?? 'info'),
  unmatched: 'next',
});
