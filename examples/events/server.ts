import { setTimeout as delay } from 'node:timers/promises';
import { createLogger, createServer, listen, loadContract } from '@specwright/server';
import { contract as generated, type Handlers, type Schemas } from './generated/contract.ts';

/** Here a model would be asked. `signal` is aborted when the client goes away. */
async function* answer({ messages }: Schemas['Prompt'], signal: AbortSignal): AsyncGenerator<Schemas['Chunk'] | '[DONE]'> {
  const words = `You said: ${messages.at(-1)?.content ?? ''}`.split(/(?<= )/);
  for (const [i, content] of words.entries()) {
    yield { id: 'chat-1', delta: { content }, ...(i === words.length - 1 && { finish_reason: 'stop' }) };
    await delay(50, undefined, { signal });
  }
  yield '[DONE]';
}

const handlers: Handlers = {
  complete: ({ body }, reply, { signal }) => reply(200, { items: answer(body, signal) }),
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
export const server = createServer({ contract, handlers, security: {}, log: createLogger('info') });
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), undefined);
