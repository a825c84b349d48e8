/** A callback whose URL the request does not have is reported at its expression, with what to write. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { CALLBACK_RULES } from '../../src/lint/rules/operation-rules.ts';
import { checkProjectRules } from '../../src/lint/rules/project-rules.ts';

const sourceOf = (expression: string) =>
  parseSource(
    'test.yaml',
    `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    post:
      operationId: make
      parameters: [{ name: X-Url, in: header, schema: { type: string } }, { name: url, in: query, schema: { type: string } }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } }
      responses: { '204': { description: ok } }
      callbacks:
        made:
          ${JSON.stringify(expression)}: { post: { responses: { '204': { description: ok } } } }
components:
  schemas: { New: { allOf: [{ type: object, properties: { callbackUrl: { type: string } } }] } }
`,
  );

test.each<[expression: string, message: string | undefined]>([
  ['{$request.body#/callbackUrl}', undefined],
  ['{$request.header.x-url}', undefined],
  ['{$request.query.url}?id={$request.path.id}', undefined],
  ['{$request.body}', undefined],
  ['https://example.com/fixed', undefined],
  ['{$request.body#/callbackURL}', 'the request of make has no property callbackURL: did you mean callbackUrl?'],
  ['{$request.query.urls}', 'the request of make has no query parameter urls: did you mean url?'],
  ['{$request.header.url}', 'the request of make has no header parameter url: did you mean x-url?'],
  ['{$request.path.thing}', 'the request of make has no path parameter thing'],
  ['{$response.body#/url}', 'the expression $response.body#/url is not evaluated'],
  ['{$url}', 'the expression $url is not evaluated'],
])('%s', (expression, message) => {
  const source = sourceOf(expression);
  const found = checkProjectRules(source, {}).filter(({ rule }) => rule === CALLBACK_RULES[0]);
  expect(found.map(({ problem }) => problem.message)).toEqual(message === undefined ? [] : [message]);
  for (const { problem } of found) expect(source.locate(problem.path).line).toBe(13);
});
