/** What is written without an effect is a problem at its place; what has one is none. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { redocly } from '../../src/lint/redocly.ts';
import { isOfOthers } from '../../src/lint/redocly-rules.ts';
import { EFFECT_RULES } from '../../src/lint/rules/effect-rules.ts';
import { checkProjectRules } from '../../src/lint/rules/project-rules.ts';
import { readProjectConfig } from '../../src/select-contracts.ts';

type Fields = Record<string, unknown>;

interface Written {
  readonly operation?: Fields;
  readonly photo?: Fields;
  readonly encoding?: Fields;
  readonly text?: Fields;
  readonly answer?: Fields;
  readonly headers?: Fields;
}

const documentOf = ({ operation, photo, encoding, text, answer, headers }: Written) => ({
  openapi: '3.0.3',
  info: { title: 'T', version: '1' },
  paths: {
    '/a': {
      post: {
        operationId: 'a',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { photo: { type: 'string', format: 'binary', ...photo }, text: { type: 'string', ...text } },
              },
              ...(encoding && { encoding: { photo: encoding } }),
            },
          },
        },
        responses: {
          200: {
            description: 'ok',
            ...(headers && { headers }),
            content: { 'application/json': { schema: { type: 'string' }, ...answer } },
          },
        },
        ...operation,
      },
    },
    '/b': { get: { operationId: 'b', deprecated: true, responses: { 204: { description: 'ok' } } } },
    '/c': { get: { operationId: 'c', responses: { 204: { description: 'ok' } } } },
  },
});

const found = (written: Written) =>
  checkProjectRules(parseSource('a.json', JSON.stringify(documentOf(written))), {})
    .filter(({ rule }) => rule === EFFECT_RULES[0])
    .map(({ problem }) => `${problem.path.slice(3).join('/')}: ${problem.message}`);

const MEDIA = 'requestBody/content/multipart/form-data';
const deprecated = (successor: string) => ({ operation: { deprecated: true, 'x-deprecated-successor': successor } });

test.each<[name: string, written: Written, problem: string]>([
  [
    'contentType without a range',
    { encoding: { contentType: 'image' } },
    `${MEDIA}/encoding/photo/contentType: image is no media type and no range of them: no file matches it`,
  ],
  [
    'x-max-bytes of a text',
    { text: { 'x-max-bytes': 9 } },
    `${MEDIA}/schema/properties/text/x-max-bytes: x-max-bytes has no effect: this is no file of a multipart body`,
  ],
  [
    'x-max-bytes of an operation',
    { operation: { 'x-max-bytes': 9 } },
    'x-max-bytes: x-max-bytes has no effect: it belongs to the schema of a file',
  ],
  [
    'x-item-schema beside JSON',
    { answer: { 'x-item-schema': {} } },
    'responses/200/content/application/json/x-item-schema: x-item-schema has no effect: application/json is no sequence of items',
  ],
  [
    'a body limit below that of a file',
    { operation: { 'x-body-limit': 9 }, photo: { maxLength: 10 } },
    'x-body-limit: x-body-limit 9 is below the 10 bytes that the file photo may have',
  ],
  [
    'headers of a part',
    { encoding: { headers: { 'X-A': { schema: {} } } } },
    `${MEDIA}/encoding/photo/headers: the headers of photo have no effect: those of a part are not read`,
  ],
  [
    'a header with a blank',
    { headers: { 'X Trace': { schema: {} } } },
    'responses/200/headers/X Trace: the header X Trace is no name of a header (RFC 9110, section 5.1)',
  ],
  ['a successor that is itself', deprecated('a'), 'x-deprecated-successor: the operation is its own successor'],
  ['a successor that is deprecated', deprecated('b'), 'x-deprecated-successor: the successor b is deprecated too'],
])('%s', (_name, written, problem) => {
  expect(found(written)).toEqual([problem]);
});

test.each<[name: string, written: Written]>([
  ['nothing of it', {}],
  ['a range of types', { encoding: { contentType: 'image/*, application/vnd.a+json; charset=utf-8' } }],
  ['x-max-bytes of a file', { photo: { 'x-max-bytes': 9 } }],
  ['a body limit of exactly a file', { operation: { 'x-body-limit': 10 }, photo: { maxLength: 10 } }],
  ['a header of a response', { headers: { 'X-Trace': { schema: {} } } }],
  ['a successor', deprecated('c')],
])('no problem: %s', (_name, written) => {
  expect(found(written)).toEqual([]);
});

test('a property with the name of a method of every object ends no run, though it is required', async () => {
  const Thing = { type: 'object', required: ['hasOwnProperty'], properties: { hasOwnProperty: { type: 'string' } } };
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'A', version: '1' }, paths: {}, components: { schemas: { Thing } } });
  const rules = (await redocly(readProjectConfig(), parseSource('openapi.json', text))).map(({ rule }) => rule);
  expect(rules).toContain('no-unused-components');
});

test('what the receiver of a callback or a webhook answers is its own matter', () => {
  const callback = ['paths', '/a', 'post', 'callbacks', 'done', '{$request.query.url}', 'post', 'responses'];
  expect(isOfOthers(callback, 'operation-4xx-response')).toBe(true);
  expect(isOfOthers(['x-webhooks', 'made', 'post', 'responses'], 'operation-4xx-response')).toBe(true);
  expect(isOfOthers(['paths', '/a', 'post', 'responses'], 'operation-4xx-response')).toBe(false);
});
