import { createServer } from 'node:http';
import { createRequestHandler } from '@specwright/server';
import { options } from './api.ts';

const api = createRequestHandler({ ...options, base: '/v1' });

export const server = createServer((request, response) => {
  if (request.url === '/hello') response.end('hello');
  else api(request, response);
});
