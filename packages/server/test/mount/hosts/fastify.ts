import fastify from 'fastify';
import { createRequestHandler } from '@specwright/server';
import { options } from './api.ts';

const api = createRequestHandler({ ...options, base: '/v1' });

export const app = fastify();
await app.register(async (scope) => {
  // The contract's handler reads the body itself.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
  scope.all('/v1/*', (request, reply) => {
    reply.hijack();
    api(request.raw, reply.raw);
  });
});
app.get('/hello', async () => 'hello');
