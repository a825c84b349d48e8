/** Procedures whose inputs of Zod say what the documents say, where oRPC reads it so: each line is a procedure. Its plugin turns texts into numbers. */
import { createServer } from 'node:http';
import { SmartCoercionPlugin } from '@orpc/json-schema';
import { OpenAPIHandler } from '@orpc/openapi/node';
import { os } from '@orpc/server';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import { bodySchemas } from '../shared-zod.mjs';

const router = {};

function procedure(part, at, schema, value) {
  router[at] = os
    .route({ method: 'GET', path: `/parameters/${at}`, inputStructure: 'detailed' })
    .input(z.object({ [part]: schema }))
    .handler(({ input }) => ({ path: {}, query: {}, header: {}, cookie: {}, ...value(input[part]) }));
}
const path = (at, color) => procedure('params', `${at}/{color}`, z.object({ color }), (valid) => ({ path: valid }));
const query = (at, color) => procedure('query', at, z.object({ color }), (valid) => ({ query: valid }));
const object = (at, schema) => procedure('query', at, schema, (valid) => ({ query: { color: valid } }));
const header = (at, color) => procedure('headers', at, z.object({ color }), ({ color: Color }) => ({ header: { Color } }));

function body(at, schema) {
  router[at] = os
    .route({ method: 'POST', path: at, inputStructure: 'detailed' })
    .input(z.object({ body: schema }))
    .handler(({ input }) => ({ path: {}, query: {}, header: {}, cookie: {}, body: input.body }));
}

const text = z.string();
const level = z.int().min(-5).max(10);

path('path-simple-string', text);
path('path-simple-explode-string', text);
path('path-integer', level);
path('path-text', text.max(6));
query('query-form-string', text.optional());
query('query-form-explode-string', text.optional());
object('query-form-explode-object', z.strictObject({ R: z.int().optional(), G: z.int().optional(), B: z.int().optional() }));
object('query-exploded-object', z.strictObject({ R: z.int(), G: z.int().optional() }));
query(
  'query-deepObject-explode-object',
  z.strictObject({ R: z.int().optional(), G: z.int().optional(), B: z.int().optional() }).optional(),
);
query('query-deep-object', z.strictObject({ R: z.int().max(255), note: text.optional(), dark: z.boolean().optional() }).optional());
query('query-integer', level.optional());
query('query-integer-once', z.int().optional());
query('query-number', z.number().lt(1000).multipleOf(0.25).optional());
query('query-boolean', z.boolean().optional());
query('query-text', text.min(2).max(4).optional());
query('query-enum', z.enum(['red', 'light blue', '7']).optional());
query('query-pattern', text.regex(/^[a-z]+[0-9]?$/).optional());
query('query-pattern-anywhere', text.regex(/b.e/).optional());
query('query-date', z.iso.date().optional());
query('query-date-time', z.iso.datetime({ offset: true }).optional());
query('query-default', z.int().min(1).default(20));
query('query-required', text);
header('header-simple-string', text.optional());
header('header-simple-explode-string', text.optional());
header('header-integer', level.optional());
header('header-required', text.min(1));
for (const [at, schema] of bodySchemas(z)) body(at, schema);

const handler = new OpenAPIHandler(router, { plugins: [new SmartCoercionPlugin({ schemaConverters: [new ZodToJsonSchemaConverter()] })] });
const server = createServer(async (request, response) => {
  const { matched } = await handler.handle(request, response, { context: {} });
  if (!matched) response.writeHead(404).end('Not found');
});
server.listen(Number(process.env.PORT), '127.0.0.1');
