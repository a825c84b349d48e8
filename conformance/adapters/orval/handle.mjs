/** A handler reads what was validated, as orval's guide does. */
import { getCookie } from 'hono/cookie';
import { asked, operations, pick, plain } from '../shared.mjs';

export async function handle(operationId, c) {
  const operation = operations.find((each) => each.operationId === operationId);
  if (operationId.startsWith('answer')) return answer(c, asked(operation, c.req.valid('query').answer));
  const body = c.req.valid('json') ?? c.req.valid('form') ?? (await unchecked(c));
  return c.json({
    path: pick(operation, 'path', c.req.valid('param')),
    query: pick(operation, 'query', c.req.valid('query')),
    header: pick(operation, 'header', c.req.valid('header')),
    cookie: pick(operation, 'cookie', c.req.valid('cookie') ?? getCookie(c)),
    body: await plainOf(body),
  });
}

/** A body for which orval generated no validator. */
async function unchecked(c) {
  const type = c.req.header('content-type') ?? '';
  if (type.startsWith('text/')) return c.req.text();
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  return bytes.length > 0 ? bytes : undefined;
}

async function plainOf(value) {
  if (value instanceof File) return { ...plain(new Uint8Array(await value.arrayBuffer())), filename: value.name };
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return plain(value);
  if (Array.isArray(value)) return Promise.all(value.map(plainOf));
  return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await plainOf(each)])));
}

function answer(c, { status, headers, type, json, text, bytes, parts }) {
  const fields = { ...headers, 'content-type': type };
  if (json !== undefined) return c.json(json, status, fields);
  const body = text ?? bytes ?? parts?.join('');
  return body === undefined ? c.body(null, status, headers) : c.body(body, status, fields);
}
