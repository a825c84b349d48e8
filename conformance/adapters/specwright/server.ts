/** This project's server: each operation of the document has a handler. */
import { openContract } from '@specwright/contract';
import { createLogger, createServer, listen } from '@specwright/server';
import { handlersOf, securityOf } from './handlers.ts';

const contract = await openContract(process.env['CONTRACT'] ?? '');
const server = createServer({ contract, handlers: handlersOf(contract), security: securityOf(contract), log: createLogger('error') });
await listen(server, Number(process.env['PORT']), '127.0.0.1');
