/** The walk sends requests of items: valid ones, and those that are none, which the second judge may not take for valid. */
import { describe, expect, test } from '@jest/globals';
import { createOperationClient, createWitness, GENERIC_SCENARIOS, withApp, type Call } from 'specwright/testing';
import { serve } from '../../../server/test/support/serve.ts';
import { tryStatus } from '../../src/testing/contract/walk.ts';
import { withSecondJudge } from '../../src/testing/contract/witnesses/judge-requests.ts';

const ITEM = '{ type: object, additionalProperties: false, required: [name], properties: { name: { type: string, minLength: 2 } } }';
const ERROR = '{ type: object, required: [message], properties: { message: { type: string } } }';
const operation = (id: string, type: string) => `
  /${id}:
    post:
      operationId: ${id}
      requestBody: { required: true, content: { ${type}: { x-item-schema: ${ITEM} } } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, minItems: 2, items: ${ITEM} } } } }
        '400': { description: refused, content: { application/json: { schema: ${ERROR} } } }
        '413': { description: too large, content: { application/json: { schema: ${ERROR} } } }`;
const YAML = `openapi: 3.0.3
info: { title: Items, version: '1' }
paths:${operation('lines', 'application/jsonl')}${operation('records', 'application/json-seq')}
`;

const collect = async ({ body }: { body: AsyncIterable<unknown> }, reply: (status: number, payload: object) => unknown) => {
  const items: unknown[] = [];
  for await (const item of body) items.push(item);
  return reply(200, { body: items });
};
const app = withApp(() => serve(YAML, { handlers: { lines: collect, records: collect } }));

const spec = createWitness(YAML, { undeclaredHeaders: 'all' });
test('an item of another type than an object is not tried where items may have any', () => {
  const source = createWitness(YAML.replaceAll(ITEM, '{}'));
  const calls = GENERIC_SCENARIOS[400](source.operation('lines'), {
    document: source.document,
    success: () => Promise.resolve({}),
    send: () => Promise.reject(new Error()),
  });
  expect(calls.map(({ message }) => message).filter((message) => message?.startsWith('body'))).toEqual([
    'body/0 is not JSON',
    'body is required',
  ]);
});

describe.each(['lines', 'records'])('%s', (id) => {
  const found = spec.operation(id);
  const calls: Record<string, () => readonly Call[] | Promise<readonly Call[]>> = {
    200: () => [{}],
    400: () =>
      GENERIC_SCENARIOS[400](found, {
        document: spec.document,
        success: () => Promise.resolve({}),
        send: () => Promise.reject(new Error()),
      }),
    413: () => GENERIC_SCENARIOS[413](found),
  };
  test.each(found.statuses)('answers %s', async (status) => {
    const client = createOperationClient({ spec, servers: { live: app.url } });
    const scenarioFor = () => () => calls[status]?.() ?? [];
    const { walk } = withSecondJudge({ spec, client, world: {}, scenarioFor, scenariosFile: 'scenarios.ts' });
    expect(await calls[status]?.()).toHaveLength({ 200: 1, 400: 5, 413: 1 }[status] ?? 0);
    await tryStatus(walk, found, status);
  });
});
