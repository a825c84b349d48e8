/** Multipart bodies in contract tests: what is made of the contract is accepted by a server, and what is malformed is refused. */
import { describe, expect, test } from '@jest/globals';
import { FRAMEWORK_ERRORS } from '@specwright/server';
import { createOperationClient, createWitness, withApp } from 'specwright/testing';
import { serve } from '../../../server/test/support/serve.ts';
import type { Call } from '../../src/testing/contract/operation-client.ts';
import { GENERIC_SCENARIOS } from '../../src/testing/contract/generic-scenarios.ts';
import { tryWrittenValues } from '../../src/testing/contract/written-values.ts';

const TEXT = `openapi: 3.1.0
info: { title: Photos, version: '1' }
paths:
  /photos:
    post:
      operationId: addPhoto
      x-body-limit: 100000
      requestBody:
        required: true
        content:
          multipart/form-data:
            encoding: { photo: { contentType: 'image/*' }, meta: { contentType: application/json } }
            schema:
              type: object
              required: [photo, title]
              properties:
                photo: { contentMediaType: image/png }
                title: { type: string, minLength: 2 }
                size: { type: string, enum: [small, large] }
                tags: { type: array, items: { type: integer } }
                position: { type: object, required: [x], properties: { x: { type: number } } }
                meta: { type: boolean }
                raw: {}
                scan: { type: string, format: binary }
                icon: { type: string, contentMediaType: image/gif }
                others: { type: array, minItems: 2, items: { type: string, contentMediaType: application/octet-stream } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object } } } }
        '400': { description: no, content: { application/json: { schema: { type: object } } } }
        '413': { description: no, content: { application/json: { schema: { type: object } } } }
`;

/** As the pet store has them. */
const STATUSES = { ...FRAMEWORK_ERRORS, unsupported_content_type: 400 };

const spec = createWitness(TEXT);
const operation = spec.operation('addPhoto');
const received: { body: object; files: string[] }[] = [];
type Input = { body: object; files: AsyncIterable<{ name: string; type: string }> };

const addPhoto = async ({ body, files }: Input, reply: (status: number, payload: object) => unknown) => {
  const names: string[] = [];
  for await (const { name, type } of files) names.push(`${name} ${type}`);
  received.push({ body, files: names });
  return reply(200, { body });
};
const app = withApp(() => serve(TEXT, { handlers: { addPhoto }, errors: { statuses: STATUSES } as never }));
const client = () => createOperationClient({ spec, servers: { '': app.url } });

describe('what is made of the contract', () => {
  test('has its files as files, and the rest as fields', async () => {
    const body = {
      others: ['a', Buffer.from([0, 255])],
      photo: 'p',
      raw: 'r',
      scan: 's',
      icon: 'i',
      title: 'ab',
      tags: [1, 2],
      position: { x: 1 },
      meta: true,
    };
    expect(await client().send('addPhoto', { body })).toMatchObject({ status: 200 });
    expect(received.at(-1)).toEqual({
      body: { title: 'ab', tags: [1, 2], position: { x: 1 }, meta: true },
      files: [
        'others application/octet-stream',
        'others application/octet-stream',
        'photo image/png',
        'raw application/octet-stream',
        'scan application/octet-stream',
        'icon image/gif',
      ],
    });
    expect(await client().send('addPhoto')).toMatchObject({ status: 200 });
  });

  test('is tried value by value', async () => {
    received.length = 0;
    await tryWrittenValues(
      {
        spec,
        client: client(),
        world: {},
        scenarioFor: () => () => [{}],
        scenariosFile: '',
        lastLines: () => [],
        problems: () => [],
      } as never,
      operation,
    );
    const sizes = received.flatMap(({ body }) => ('size' in body ? [body.size] : []));
    expect(sizes).toEqual(expect.arrayContaining(['small', 'large']));
    expect(received.map(({ files }) => files)).toContainEqual(['photo image/png']);
  });
});

test.each([400, 413] as const)('what has to be refused with %s is', async (status) => {
  const unused = () => Promise.reject(new Error('not asked for'));
  const calls: readonly Call[] = GENERIC_SCENARIOS[status](operation, { document: spec.document, success: unused, send: unused });
  expect(calls.length).toBeGreaterThan(0);
  for (const call of calls) {
    const response = await client().send('addPhoto', call);
    expect([response.status, response.text]).toEqual([status, expect.stringContaining(call.message ?? '')]);
  }
});
