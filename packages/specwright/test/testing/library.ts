/** A small contract, and a server of it that is as right or as wrong as a test wants. */
import http from 'node:http';
import { createOperationClient, createWitness, listenOnFreePort, withApp } from 'specwright/testing';

export const LIBRARY = `openapi: 3.0.3
info: { title: Library, version: '1' }
security: [{ key: [] }]
paths:
  /books:
    get:
      operationId: listBooks
      security: []
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1 } }
        - { name: shelf, in: query, schema: { type: string, pattern: '^[a-z\\:]+$' } }
        - { name: author, in: query, schema: { type: string, pattern: '^\\p{L}++$' } }
      responses:
        '200':
          description: Books.
          headers: { Total: { required: true, schema: { type: integer } } }
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
        default: { $ref: '#/components/responses/Failed' }
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses:
        '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
        4XX: { $ref: '#/components/responses/Failed' }
  /books/{isbn}:
    delete:
      operationId: removeBook
      parameters:
        - { name: isbn, in: path, required: true, schema: { type: string, pattern: '^[0-9]{10}$' } }
      responses:
        '204': { description: Removed. }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  responses:
    Failed: { description: Failed., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
  schemas:
    Error: { type: object, required: [message], properties: { message: { type: string }, status: { type: integer } } }
    Book:
      type: object
      required: [title, pages]
      additionalProperties: false
      properties:
        title: { type: string, minLength: 1, maxLength: 1000000 }
        pages: { type: integer, minimum: 0, exclusiveMinimum: true }
        note: { nullable: true, allOf: [{ type: string }] }
        shelf: { type: string, pattern: '^[a-z\\:]+$' }
        author: { type: string, pattern: '^\\p{L}++$' }
        sequel: { $ref: '#/components/schemas/Book' }
`;

export interface LibraryRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

export interface LibraryResponse {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

export const spec = createWitness(LIBRARY);
const fails = (status: number, message: string): LibraryResponse => ({ status, body: { message, status } });

/** A server that validates what the tests here send, and whose operations are not implemented. */
export const unimplemented = ({ method, url, headers, body }: LibraryRequest): LibraryResponse => {
  if (method !== 'GET' && headers['x-key'] !== 'secret' && headers['x-key'] !== 'sample') return fails(401, 'a key is required');
  if (url.includes('not-in-the-contract')) return fails(400, 'query/not-in-the-contract is not declared');
  if (method === 'POST' && !(JSON.parse(body) as { title?: string }).title) return fails(400, 'body/title is required');
  return fails(501, 'not implemented');
};

/** The server, its client, and what the client has sent. */
export function withLibrary() {
  const sent: LibraryRequest[] = [];
  const state = { respond: unimplemented };
  const app = withApp(() =>
    listenOnFreePort(
      http.createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
        const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
        sent.push(one);
        const { status, headers = {}, body: answer } = state.respond(one);
        const type = answer === undefined ? {} : { 'Content-Type': 'application/json' };
        response.writeHead(status, { ...type, ...headers }).end(answer === undefined ? undefined : JSON.stringify(answer));
      }),
    ),
  );
  const client = () => createOperationClient({ spec, servers: { live: app.url }, credentials: () => 'secret' });
  return { url: () => app.url, client, sent, state };
}
