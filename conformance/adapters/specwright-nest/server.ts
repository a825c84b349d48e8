/** This project's server, mounted in an application of Nest. */
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { openContract } from '@specwright/contract';
import { createLogger, createRequestHandler } from '@specwright/server';
import { handlersOf, securityOf } from '../specwright/handlers.ts';

// eslint-disable-next-line @typescript-eslint/no-extraneous-class -- a module of Nest is a class
class AppModule {}
Module({})(AppModule);

const contract = await openContract(process.env['CONTRACT'] ?? '');
const app = await NestFactory.create<NestExpressApplication>(AppModule);
app.disable('x-powered-by');
// Before `listen` or `init`, which add Nest's body parser.
app.use(createRequestHandler({ contract, handlers: handlersOf(contract), security: securityOf(contract), log: createLogger('error') }));
await app.listen(Number(process.env['PORT']), '127.0.0.1');
