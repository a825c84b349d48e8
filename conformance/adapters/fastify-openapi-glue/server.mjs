/** The plugin with the parsers that its README and its pages on cookies and on drafts of JSON Schema name. */
import { Readable } from 'node:stream';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import multipart from '@fastify/multipart';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { parse } from 'qs';
import { asked, byteTypes, credentialOf, document, file, form, hasScopes, operations, pick, plain, port } from '../shared.mjs';

const options = { removeAdditional: true, useDefaults: true, coerceTypes: 'array', strict: false };
const fastify = Fastify({ ajv: { customOptions: options }, routerOptions: { querystringParser: (text) => parse(text) } });
const ajv = addFormats.default(document.openapi.startsWith('3.0') ? new Ajv(options) : new Ajv2020(options));
if (!document.openapi.startsWith('3.0')) fastify.setValidatorCompiler(({ schema }) => ajv.compile(schema));

fastify.addContentTypeParser(/^application\/.+\+json/, { parseAs: 'string' }, fastify.getDefaultJsonParser('error', 'error'));
fastify.addContentTypeParser(/^text\//, { parseAs: 'string' }, (req, body, done) => done(null, body));
if (byteTypes.length > 0)
  fastify.addContentTypeParser(
    byteTypes.filter((type) => !type.includes('*')),
    { parseAs: 'buffer' },
    (req, body, done) => done(null, body),
  );
await fastify.register(formbody, { parser: (text) => parse(text) });
await fastify.register(multipart, {
  attachFieldsToBody: 'keyValues',
  async onFile(part) {
    const bytes = await part.toBuffer();
    (this.received ??= []).push({ name: part.fieldname, filename: part.filename, bytes });
    part.value = bytes.toString('latin1');
  },
});

await fastify.register(cookie);
fastify.addHook('onRoute', (route) => {
  if (route.schema?.cookies) route.config = { ...route.config, cookieValidator: ajv.compile(route.schema.cookies) };
});
fastify.addHook('preHandler', async (request, reply) => {
  const isValid = request.routeOptions.config?.cookieValidator;
  if (isValid && !isValid(request.cookies)) return reply.status(400).send({ error: 'Invalid cookies', details: isValid.errors });
});

/** The plugin takes the whole query for an exploded object, if it is the only parameter. */
function queryOf(operation, query) {
  const [only, ...others] = operation.parameters.filter((each) => each.in === 'query');
  const isExploded = only?.schema?.type === 'object' && (only.style ?? 'form') === 'form' && only.explode !== false;
  return isExploded && others.length === 0 ? { [only.name]: query } : pick(operation, 'query', query);
}

const serviceHandlers = Object.fromEntries(
  operations.map((operation) => [
    operation.operationId,
    async (request, reply) => {
      if (operation.operationId.startsWith('answer')) {
        const { status, headers, type, json, text, bytes, parts } = asked(operation, request.query.answer);
        const body = json ?? text ?? bytes ?? (parts && Readable.from(parts));
        reply.code(status).headers(headers);
        return body === undefined ? reply.send() : reply.type(type).send(body);
      }
      return {
        path: pick(operation, 'path', request.params),
        query: queryOf(operation, request.query),
        header: pick(operation, 'header', request.headers),
        cookie: pick(operation, 'cookie', request.cookies),
        body: request.received ? form(operation, request.body, request.received) : plain(request.body),
      };
    },
  ]),
);
const securityHandlers = Object.fromEntries(
  Object.entries(document.components?.securitySchemes ?? {}).map(([name, scheme]) => [
    name,
    async (request, reply, scopes) => {
      const isAllowed = hasScopes(credentialOf(scheme, request), scopes ?? []);
      if (!isAllowed) throw Object.assign(new Error('refused'), { statusCode: isAllowed === false ? 403 : 401 });
    },
  ]),
);
await fastify.register(openapiGlue, {
  specification: file,
  serviceHandlers,
  securityHandlers,
  addCookieSchema: true,
});
await fastify.listen({ port, host: '127.0.0.1' });
