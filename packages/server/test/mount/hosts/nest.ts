import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createRequestHandler } from '@specwright/server';
import { options } from './api.ts';
import { AppModule } from './app-module.ts';

export const app = await NestFactory.create<NestExpressApplication>(AppModule);
app.disable('x-powered-by');
// Before `listen` or `init`, which add Nest's body parser.
app.use('/v1', createRequestHandler(options));
