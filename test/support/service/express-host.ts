/** An Express application that serves the contract below a path, as that of a team that has one. */
import { createServer } from 'node:http';
import express, { type RequestHandler } from 'express';
import { createRequestHandler } from '@specwright/server';
import type { Host } from './app.ts';

/** Where it is mounted. */
export const MOUNT_PATH = '/v1';

/** @param before middleware of the application that precedes the contract. */
export const inExpress =
  (...before: readonly RequestHandler[]): Host =>
  (options) => {
    const api = createRequestHandler(options);
    // Without the header that Express adds to every response, which no contract declares.
    const app = express().disable('x-powered-by');
    for (const middleware of before) app.use(middleware);
    app.use(MOUNT_PATH, api);
    const server = createServer(app);
    server.once('close', () => api.close());
    return { server, base: MOUNT_PATH };
  };
