/** The middleware before routes of Express, as its guide writes them; requests, responses and credentials are checked. */
import cookieParser from 'cookie-parser';
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { asked, byteTypes, credentialOf, document, file, form, hasScopes, operations, pick, plain, port, send } from '../shared.mjs';

const app = express();
app.use(express.json({ type: ['json', '+json'], strict: false }));
app.use(express.text({ type: 'text/*' }));
app.use(express.urlencoded({ extended: false }));
if (byteTypes.length > 0) app.use(express.raw({ type: byteTypes }));
app.use(cookieParser());

const handlers = Object.fromEntries(
  Object.keys(document.components?.securitySchemes ?? {}).map((name) => [
    name,
    (req, scopes, scheme) => {
      const isAllowed = hasScopes(credentialOf(scheme, req), scopes);
      if (isAllowed === false) throw { status: 403, message: 'The credential does not have the scopes.' };
      return isAllowed === true;
    },
  ]),
);
app.use(OpenApiValidator.middleware({ apiSpec: file, validateRequests: true, validateResponses: true, validateSecurity: { handlers } }));

for (const operation of operations) {
  app[operation.method](operation.path.replace(/\{([^}]+)\}/g, ':$1'), (req, res) => {
    if (operation.operationId.startsWith('answer')) return send(asked(operation, req.query.answer), res);
    const files = (req.files ?? []).map(({ fieldname, originalname, buffer }) => ({
      name: fieldname,
      filename: originalname,
      bytes: buffer,
    }));
    res.json({
      path: pick(operation, 'path', req.params),
      query: pick(operation, 'query', req.query),
      header: pick(operation, 'header', req.headers),
      cookie: pick(operation, 'cookie', req.cookies),
      body: files.length > 0 ? form(operation, req.body, files) : plain(req.body),
    });
  });
}

app.use((err, req, res, next) =>
  res
    .status(err.status || 500)
    .set(err.headers ?? {})
    .json({ message: err.message, errors: err.errors }),
);
app.listen(port, '127.0.0.1');
