/** Routes with schemas of Zod that say what the documents say, where there is one for it: each line is a route. */
import { serve } from '@hono/node-server';
import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import { bodySchemas } from '../shared-zod.mjs';

const app = new OpenAPIHono();
const responses = { 200: { description: 'What was understood.', content: { 'application/json': { schema: z.any() } } } };

/** @param value takes the parameter out of what was validated */
function route(part, target, path, schema, value) {
  app.openapi(createRoute({ method: 'get', path: `/parameters/${path}`, request: { [part]: schema }, responses }), (c) =>
    c.json({ path: {}, query: {}, header: {}, cookie: {}, ...value(c.req.valid(target)) }, 200),
  );
}
const path = (at, color) => route('params', 'param', `${at}/{color}`, z.object({ color }), (valid) => ({ path: valid }));
const query = (at, color) => route('query', 'query', at, z.object({ color }), (valid) => ({ query: valid }));
const object = (at, schema) => route('query', 'query', at, schema, (valid) => ({ query: { color: valid } }));
// The names of header fields are in lower case, as the README says.
const header = (at, color) => route('headers', 'header', at, z.object({ color }), (valid) => ({ header: { Color: valid.color } }));
const cookie = (at, color) => route('cookies', 'cookie', at, z.object({ color }), (valid) => ({ cookie: valid }));

function body(at, schema) {
  const request = { body: { required: true, content: { 'application/json': { schema } } } };
  app.openapi(createRoute({ method: 'post', path: at, request, responses }), (c) =>
    c.json({ path: {}, query: {}, header: {}, cookie: {}, body: c.req.valid('json') }, 200),
  );
}

const text = z.string();
const integer = z.coerce.number().int();
const level = integer.min(-5).max(10);
const list = (items) => z.preprocess((sent) => (sent === undefined || Array.isArray(sent) ? sent : [sent]), items.optional());

path('path-simple-string', text);
path('path-simple-explode-string', text);
path('path-integer', level);
path('path-text', text.max(6));
query('query-form-string', text.optional());
query('query-form-explode-string', text.optional());
query('query-form-explode-array', list(z.array(text)));
object('query-form-explode-object', z.strictObject({ R: integer.optional(), G: integer.optional(), B: integer.optional() }));
object('query-exploded-object', z.strictObject({ R: integer, G: integer.optional() }));
query('query-integer', level.optional());
query('query-integer-once', integer.optional());
query('query-number', z.coerce.number().lt(1000).multipleOf(0.25).optional());
query('query-boolean', z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }).optional());
query('query-text', text.min(2).max(4).optional());
query('query-enum', z.enum(['red', 'light blue', '7']).optional());
query('query-pattern', text.regex(/^[a-z]+[0-9]?$/).optional());
query('query-pattern-anywhere', text.regex(/b.e/).optional());
query('query-date', z.iso.date().optional());
query('query-date-time', z.iso.datetime({ offset: true }).optional());
query('query-default', integer.min(1).default(20));
query('query-required', text);
query(
  'query-list',
  list(
    z
      .array(integer)
      .min(1)
      .max(3)
      .refine((values) => new Set(values).size === values.length),
  ),
);
header('header-simple-string', text.optional());
header('header-simple-explode-string', text.optional());
header('header-integer', level.optional());
header('header-required', text.min(1));
cookie('cookie-form-string', text.optional());
cookie('cookie-integer', level.optional());
cookie('cookie-required', text);
for (const [at, schema] of bodySchemas(z)) body(at, schema);

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
