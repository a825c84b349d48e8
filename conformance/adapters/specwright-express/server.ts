/** This project's server, mounted in an application of Express. */
import { openContract } from '@specwright/contract';
import { createLogger, createRequestHandler } from '@specwright/server';
import express from 'express';
import { handlersOf, securityOf } from '../specwright/handlers.ts';

const contract = await openContract(process.env['CONTRACT'] ?? '');
const app = express();
app.disable('x-powered-by');
app.use(createRequestHandler({ contract, handlers: handlersOf(contract), security: securityOf(contract), log: createLogger('error') }));
app.listen(Number(process.env['PORT']), '127.0.0.1');
