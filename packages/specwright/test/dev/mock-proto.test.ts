/** A mock answers with a property `__proto__` as with any other: from an example, and made from the schema. */
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { serveMock } from './support/serve-mock.ts';

const SCHEMA =
  '{ type: object, additionalProperties: false, required: [__proto__], properties: { __proto__: { type: integer, const: 1 } } }';
const operation = (id: string, example: string) =>
  `  /${id}: { get: { operationId: ${id}, responses: { '200': { description: ok, content: { application/json: { schema: ${SCHEMA}${example} } } } } } }`;
const app = withApp(() =>
  serveMock(
    `openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n${operation('given', ', example: { __proto__: 1 }')}\n${operation('made', '')}\n`,
  ),
);

test.each(['given', 'made'])('%s', async (id) => {
  const response = await fetch(`${app.url}/${id}`);
  expect([response.status, await response.text()]).toEqual([200, '{"__proto__":1}']);
});
