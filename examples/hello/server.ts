import { createLogger, createServer, listen, loadContract } from '@specwright/server';
import { contract as generated, type Handlers } from './generated/contract.ts';

const handlers: Handlers = {
  sayHello: ({ path }, reply) => reply(200, { body: { text: `Hello, ${path.name}!` } }),
};

const contract = await loadContract(new URL('openapi.yaml', import.meta.url), generated);
export const server = createServer({ contract, handlers, security: {}, docs: true, log: createLogger('info') });
export const port = await listen(server, Number(process.env['PORT'] ?? 3000), process.env['HOST'] ?? 'localhost');
console.log(`http://localhost:${port}/hello/Ada\nhttp://localhost:${port}/docs`);
