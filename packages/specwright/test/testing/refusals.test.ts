/** A contract as FastAPI writes it, which declares 422 and no 400: its mock, its client and its contract tests agree on what refuses a request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOperationClient, createWitness, GENERIC_SCENARIOS, withApp } from 'specwright/testing';
import { tryStatus, tryUndeclared } from '../../src/testing/contract/walk.ts';
import { parseSource } from '@specwright/contract/document';
import { createFolder, loadClient, writeClient, type LoadedClient } from '../cli/support/client.ts';
import { serveMock } from '../dev/support/serve-mock.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: FastAPI, version: '1' }
paths:
  /items/{item_id}:
    put:
      operationId: updateItem
      parameters: [{ name: item_id, in: path, required: true, schema: { type: integer } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } } }
        '422': { description: Validation Error, content: { application/json: { schema: { $ref: '#/components/schemas/HTTPValidationError' } } } }
components:
  schemas:
    Item: { type: object, required: [name], properties: { name: { type: string } } }
    HTTPValidationError: { type: object, properties: { detail: { type: array, items: { $ref: '#/components/schemas/ValidationError' } } } }
    ValidationError:
      type: object
      required: [loc, msg, type]
      properties:
        loc: { type: array, items: { anyOf: [{ type: string }, { type: integer }] } }
        msg: { type: string }
        type: { type: string }
`;

const app = withApp(() => serveMock(DOCUMENT));
const { folder, remove } = createFolder();
let loaded: LoadedClient;
beforeAll(async () => {
  await writeClient(folder, parseSource('openapi.yaml', DOCUMENT));
  loaded = await loadClient(folder);
});
afterAll(remove);

test('the generated client gets the declared error, with each problem', async () => {
  const client = loaded.createClient({ baseUrl: app.url });
  expect(await client['updateItem']?.({ path: { item_id: 1 }, body: { name: 1 } })).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ['body', 'name'], msg: 'must be string', type: 'type' }] },
  });
});

test('the contract tests expect it, of a request that is not valid and of one of another media type', async () => {
  const spec = createWitness(DOCUMENT, { undeclaredHeaders: ['x-mock', 'x-request-id'] });
  const operation = spec.operation('updateItem');
  const client = createOperationClient({ spec, servers: { mock: app.url } });
  const context = { document: spec.document, success: async () => ({}), send: () => Promise.reject(new Error('it needs none')) };
  const calls = GENERIC_SCENARIOS[422](operation, context);
  expect(calls.map(({ message }) => message)).toEqual([
    'query/not-in-the-contract',
    'path/item_id',
    'body',
    'body is not JSON',
    'body is required',
    'header/Content-Type',
    'header/Content-Type',
  ]);
  expect([400, 415].map((status) => GENERIC_SCENARIOS[status as 400 | 415](operation, context))).toEqual([[], []]);
  const tests = { spec, client, world: {}, scenariosFile: 'scenarios.ts', scenarios: {} };
  await tryStatus({ ...tests, scenarioFor: () => () => calls }, operation, '422');
  await tryUndeclared(tests, operation);
});

test('the contract tests fail for a server that refuses with a status that is not declared', async () => {
  const spec = createWitness(DOCUMENT.replace("'422'", "'400'"));
  const client = createOperationClient({ spec, servers: { mock: app.url } });
  const tests = { spec, client, world: {}, scenariosFile: 'scenarios.ts', scenarios: {} };
  await expect(tryUndeclared(tests, spec.operation('updateItem'))).rejects.toThrow('status 422, not 400');
});
