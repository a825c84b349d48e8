/** Small contracts, and the validators of their operations. */
import { ALL_MODULES } from '../../src/all-modules.ts';
import { checkDocument } from '../../src/reading/check-document.ts';
import { listOperations, type Document, type DocumentOperation } from '../../src/document/openapi.ts';
import { createRequestValidator, type IncomingRequest } from '../../src/requests/request-validator.ts';
import { createResponseValidator, type ResponseValidator } from '../../src/responses/response-validator.ts';
import { createCompileSent } from '../../src/responses/sent-value.ts';
import { createSchemaCompiler } from '../../src/schema/model-of.ts';
import { parseSource } from '../../src/reading/source-document.ts';

const HEAD = `openapi: 3.0.3
info: { title: Test, version: '1' }
`;

/** The document of a YAML text that starts at `paths:`, of OpenAPI 3.0; or of a whole one, which starts at `openapi:`. */
export const documentOf = (yaml: string): Document => parseSource('test.yaml', yaml.startsWith('openapi:') ? yaml : HEAD + yaml).document;

/** The problems of a YAML text that starts at `paths:`, as `line message`. The first line of the text is line 1. */
export async function problemsOf(yaml: string): Promise<string[]> {
  const problems = await checkDocument(parseSource('test.yaml', HEAD + yaml));
  return problems.map(({ line = 0, message }) => `${line - 2} ${message}`);
}

/** The operation of a document with this id. */
export function operationOf(document: Document, id: string): DocumentOperation {
  const operation = listOperations(document).find((candidate) => candidate.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  return operation;
}

/** A document with one operation, `op`: `GET /things`, or what `method` and `path` say. */
export function operationDocument(options: {
  path?: string;
  method?: string;
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: unknown;
}): Document {
  const { path = '/things', method = 'get', responses = { 200: { description: 'ok' } }, ...rest } = options;
  return {
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    paths: { [path]: { [method]: { operationId: 'op', responses, ...rest } } },
  };
}

/** Validates requests of the operation `op`. @returns the input, or the problems as `location message`. */
export async function requestValidator(document: Document) {
  const validate = createRequestValidator(document, ALL_MODULES, createSchemaCompiler(document, 'request'), operationOf(document, 'op'));
  return async (request: Partial<Omit<IncomingRequest, 'query'>> & { query?: string }) => {
    const { query = '', ...rest } = request;
    const { input, problems } = validate({
      path: {},
      headers: {},
      body: undefined,
      type: undefined,
      ...rest,
      search: query,
    });
    return problems.length > 0 ? problems.map(({ location, message }) => `${location} ${message}`) : input;
  };
}

/** Validates responses of the operation `op`. */
export function responseValidator(document: Document): ResponseValidator['validateResponse'] {
  const compile = createSchemaCompiler(document, 'response', 'required');
  return createResponseValidator(document, ALL_MODULES, compile, createCompileSent(document, compile), operationOf(document, 'op'))
    .validateResponse;
}
