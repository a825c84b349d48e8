import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { createRequestHandler } from '@specwright/server';
import { options } from './api.ts';

const api = createRequestHandler({ ...options, base: '/v1' });

export const app = new Hono<{ Bindings: HttpBindings }>();
app.all('/v1/*', (context) => {
  api(context.env.incoming, context.env.outgoing);
  return RESPONSE_ALREADY_SENT;
});
app.get('/hello', (context) => context.text('hello'));
