/** Small contracts for tests of the machinery, which must not know of pets. */
import {
  createSchemaCompiler,
  checkDocument,
  parseSource,
  listOperations,
  type Document,
  type DocumentOperation,
  createRequestValidators,
  type IncomingRequest,
  createResponseValidators,
  type ResponseValidator,
} from '@specwright/server';

const HEAD = `openapi: 3.0.3
info: { title: Test, version: '1' }
`;

/** The document of a YAML text that begins at `paths:`. */
export const documentOf = (yaml: string): Document => parseSource('test.yaml', HEAD + yaml).document;

/** The problems of a YAML text that begins at `paths:`, as `line message`. The first line of the text is line 1. */
export async function problemsOf(yaml: string): Promise<string[]> {
  const problems = await checkDocument(parseSource('test.yaml', HEAD + yaml));
  return problems.map(({ line = 0, message }) => `${line - 2} ${message}`);
}

/** The place of an operation in a document. */
export function operationOf(document: Document, id: string): DocumentOperation {
  const place = listOperations(document).find((candidate) => candidate.id === id);
  if (place === undefined) throw new Error(`no operation ${id}`);
  return place;
}

/** A document with one operation, `GET /things` or what `method` and `path` say, with these parameters and this body. */
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

/** Validates requests of the one operation of a document. @returns the input, or the problems as `place message`. */
export async function requestValidator(document: Document) {
  const validate = createRequestValidators(document)(operationOf(document, 'op'));
  return async (request: Partial<Omit<IncomingRequest, 'query'>> & { query?: string }) => {
    const { query = '', ...rest } = request;
    const { input, problems } = await validate({
      path: {},
      headers: {},
      body: undefined,
      type: undefined,
      ...rest,
      query: new URLSearchParams(query),
    });
    return problems.length > 0 ? problems.map(({ location, message }) => `${location} ${message}`) : input;
  };
}

/** The response checker of the one operation of a document. */
export const responseChecker = (document: Document): ResponseValidator =>
  createResponseValidators(document, createSchemaCompiler(document))(operationOf(document, 'op'));
