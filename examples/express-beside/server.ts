import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createLogger, createRequestHandler, loadContract } from '@specwright/server';
import { contract as generated, type Handlers } from './generated/contract.ts';

const notes: { id: number; text: string }[] = [{ id: 1, text: 'buy milk' }];

const handlers: Handlers = {
  createNote: ({ body }, reply) => {
    const note = { id: notes.length + 1, text: body.text };
    notes.push(note);
    return reply(201, { body: note });
  },
};
const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);

const app = express();
// Before express.json(): the contract reads the body itself. `next`: other routes are the application's.
app.use(createRequestHandler({ contract, handlers, security: {}, log: createLogger('info'), unmatched: 'next' }));
app.use(express.json());

// The routes that the application had before.
app.get('/notes/:id', (request, response) => {
  const note = notes.find(({ id }) => id === Number(request.params.id));
  if (note === undefined) response.status(404).json({ message: 'no such note' });
  else response.json(note);
});
app.delete('/notes', (_request, response) => {
  notes.length = 0;
  response.sendStatus(204);
});

export const server = app.listen(Number(process.env['PORT'] ?? 3000));
await once(server, 'listening');
export const { port } = server.address() as AddressInfo;
