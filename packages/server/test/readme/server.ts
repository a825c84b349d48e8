import { AppError, bearer, close, createLogger, createServer, listen, loadContract, runService } from '@specwright/server';
import { contract as generated, type Handlers, type Security } from './generated/contract.ts';

interface Caller {
  readonly userId: number;
}

const notes = new Map<number, string>();

const handlers: Handlers<Caller> = {
  createNote: ({ body: { text } }, reply) => {
    const id = notes.size + 1;
    notes.set(id, text);
    return reply(201, { headers: { Location: `/notes/${id}` }, body: { id, text } });
  },
  getNote: ({ path: { noteId } }, reply) => {
    const text = notes.get(noteId);
    if (text === undefined) throw new AppError('not_found', `there is no note ${noteId}`);
    return reply(200, { body: { id: noteId, text } });
  },
};

const security: Security<Caller> = {
  token: bearer(async (token) => (token === 'secret' ? { userId: 1 } : undefined)),
};

runService(async () => {
  const log = createLogger('info');
  const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
  const server = createServer({ contract, handlers, security, log, logCaller: ({ userId }) => ({ userId }) });
  const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);
  log.info({ port }, 'listening');
  return () => close(server, 10_000);
});
