/** busboy on `node:http`: parts are read and dropped. */
import { createServer as create, type Server } from 'node:http';
import { Busboy } from '@fastify/busboy';

export const createServer = (): Server =>
  create((request, response) => {
    const parser = new Busboy({ headers: request.headers as { 'content-type': string } });
    parser.on('file', (_, stream) => void stream.resume());
    parser.on('finish', () => response.end());
    request.pipe(parser);
  });
