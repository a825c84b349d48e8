/** The handlers of the operations, called by Express; requests are checked by the tool, responses and their headers after each handler. */
import addFormats from 'ajv-formats';
import express from 'express';
import multer from 'multer';
import { OpenAPIBackend } from 'openapi-backend';
import { asked, byteTypes, credentialOf, document, file, form, hasScopes, operations, pick, plain, port, send } from '../shared.mjs';

const fileOf = ({ fieldname, originalname, buffer }) => ({ name: fieldname, filename: originalname, bytes: buffer });

const handlerOf = (operation) =>
  operation.operationId.startsWith('answer')
    ? ({ request }) => asked(operation, request.query.answer)
    : ({ request }, { files = [] }) => ({
        status: 200,
        headers: {},
        type: 'application/json',
        json: {
          path: pick(operation, 'path', request.params),
          query: pick(operation, 'query', request.query),
          header: pick(operation, 'header', request.headers),
          cookie: pick(operation, 'cookie', request.cookies),
          body: files.length > 0 ? form(operation, request.requestBody, files.map(fileOf)) : plain(request.requestBody),
        },
      });

const api = new OpenAPIBackend({
  definition: file,
  // Else one schema that it takes for invalid keeps it from serving any operation of the document.
  quick: true,
  coerceTypes: true,
  customizeAjv: (ajv) => addFormats(ajv),
  handlers: {
    ...Object.fromEntries(operations.map((operation) => [operation.operationId, handlerOf(operation)])),
    validationFail: (c, req, res) => res.status(400).json({ err: c.validation.errors }),
    notFound: (c, req, res) => res.status(404).json({ err: 'not found' }),
    methodNotAllowed: (c, req, res) => res.status(405).json({ err: 'method not allowed' }),
    unauthorizedHandler: (c, req, res) => res.status(401).json({ err: 'unauthorized' }),
    postResponseHandler: (c, req, res) => {
      if (res.headersSent) return undefined;
      const { status, headers, json } = c.response;
      const { errors } = json === undefined ? {} : c.api.validateResponse(json, c.operation, status);
      const { errors: wrong } = c.api.validateResponseHeaders(headers, c.operation, { statusCode: status, setMatchType: 'superset' });
      return errors || wrong ? res.status(500).json({ err: errors ?? wrong }) : send(c.response, res);
    },
  },
  securityHandlers: Object.fromEntries(
    Object.entries(document.components?.securitySchemes ?? {}).map(([name, scheme]) => [
      name,
      ({ request, operation }) => {
        const scopes = (operation.security ?? document.security).flatMap((each) => each[name] ?? []);
        return hasScopes(credentialOf(scheme, request), scopes) === true;
      },
    ]),
  ),
});
await api.init();

const app = express();
app.set('query parser', 'extended');
app.use(express.json({ type: ['json', '+json'], strict: false }));
app.use(express.text({ type: 'text/*' }));
app.use(express.urlencoded({ extended: false }));
if (byteTypes.length > 0) app.use(express.raw({ type: byteTypes }));
// Not `handleRequest(req, req, res)`: with coerceTypes, the tool copies the request, and loses the getters of one of Express.
app.use(multer().any());
app.use((req, res) => {
  const { method, path, query, body, headers } = req;
  return api.handleRequest({ method, path, query, body, headers }, req, res);
});
app.listen(port, '127.0.0.1');
