/** What OpenAPI 3.2 adds to requests, from end to end: a query that is one value (`in: querystring`), QUERY, cookies of a style of their own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { compareSpecs } from 'openapi-compare';
import { strictProblems, withServedClient } from './support/client.ts';

const FORM = 'application/x-www-form-urlencoded';
const FILTER = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string' }, limit: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
};
const responses = { 200: { description: 'ok', content: { 'application/json': { schema: {} } } } };
const whole = (type: string, media: object, required = false) => ({
  name: 'filter',
  in: 'querystring',
  required,
  content: { [type]: media },
});
const documentOf = (filter: object) => ({
  openapi: '3.2.0',
  info: { title: 'Queries', version: '1' },
  paths: {
    '/form': { get: { operationId: 'byForm', parameters: [filter], responses } },
    '/json': {
      get: {
        operationId: 'byJson',
        parameters: [whole('application/json', { schema: {} })],
        responses,
      },
    },
    '/text': { get: { operationId: 'byText', parameters: [whole('text/plain', { schema: { type: 'string' } })], responses } },
    '/cookies': {
      get: {
        operationId: 'byCookies',
        parameters: [
          { name: 'plain', in: 'cookie', style: 'cookie', schema: { type: 'string' } },
          { name: 'ids', in: 'cookie', style: 'cookie', schema: { type: 'array', items: { type: 'integer' } } },
          { name: 'view', in: 'cookie', style: 'cookie', schema: { type: 'object', properties: { sort: { type: 'string' } } } },
          { name: 'old', in: 'cookie', schema: { type: 'string' } },
        ],
        responses,
      },
    },
    '/notes': {
      query: {
        operationId: 'findNotes',
        requestBody: { required: true, content: { 'application/json': { schema: FILTER } } },
        responses: { ...responses, 503: { description: 'busy' } },
      },
    },
  },
});
const encoding = { tags: { style: 'pipeDelimited', explode: false } };
const source = parseSource('api.json', JSON.stringify(documentOf(whole(FORM, { schema: FILTER, encoding }, true))));

let received: { readonly query?: unknown; readonly body?: unknown; readonly cookies?: unknown };
let refusals = 0;
const take = (input: object, reply: (status: number, payload: object) => unknown) => {
  received = input;
  return refusals-- > 0 ? reply(503, {}) : reply(200, { body: null });
};
const served = withServedClient(source, { byForm: take, byJson: take, byText: take, byCookies: take, findNotes: take });

test.each<[operation: string, value: unknown]>([
  ['byForm', { text: 'a&b=c d+é', limit: 3, tags: ['a', 'b c'] }],
  ['byJson', { a: [1, 'ü&?#', null] }],
  ['byJson', 'a'],
  ['byJson', undefined],
  ['byText', 'a b+c%&#ü'],
])('the client sends to %s what the handler gets: %j', async (operation, query) => {
  expect((await served.client[operation]?.({ query }))?.status).toBe(200);
  expect(received.query).toEqual(query);
});

test('the client sends cookies of the style `cookie` as they are, and the handler gets them', async () => {
  const cookies = { plain: 'a%20b=c', ids: [1, 2], view: { sort: 'name' }, old: 'a b%' };
  expect((await served.client['byCookies']?.({ cookies }))?.status).toBe(200);
  expect(received.cookies).toEqual(cookies);
});

test('the types of client and handler are those of the value', () => {
  const lines = [
    `import { createClient } from './client.ts';`,
    `import type { operations } from './openapi.ts';`,
    `const client = createClient({ baseUrl: '' });`,
    `void client.byForm({ query: { text: 'a' } });`,
    `void client.byText();`,
    `export const limit: operations['byForm']['parameters']['querystring']['limit'] = 1;`,
    `void client.byForm({ query: { limit: 1 } });`,
    `void client.byForm({});`,
    `void client.byText({ query: 1 });`,
  ];
  writeFileSync(join(served.folder, 'source/use.ts'), lines.join('\n'));
  const problems = strictProblems(served.folder, ['source/use.ts']).map((line) => /use\.ts:(\d+)/.exec(line)?.[1]);
  expect(problems).toEqual(['7', '8', '9']);
});

test('the client repeats a QUERY after 503, as it may', async () => {
  refusals = 1;
  const reply = await served.client['findNotes']?.({ body: { text: 'a' } }, { retry: { attempts: 2 } });
  expect([reply?.status, received.body]).toEqual([200, { text: 'a' }]);
});

const at = (filter: object) => parseSource('api.json', JSON.stringify(documentOf(filter)));
test.each<[what: string, before: object, after: object, rules: string[]]>([
  ['another name, which no client sends', whole(FORM, { schema: FILTER }), { ...whole(FORM, { schema: FILTER }), name: 'other' }, []],
  [
    'a required property',
    whole(FORM, { schema: { ...FILTER, required: [] } }),
    whole(FORM, { schema: FILTER }),
    ['required-properties-added'],
  ],
  ['required', whole(FORM, { schema: FILTER }), whole(FORM, { schema: FILTER }, true), ['parameter-became-required']],
  [
    'another media type',
    whole(FORM, { schema: FILTER }),
    whole('application/json', { schema: FILTER }),
    ['media-type-removed', 'parameter-serialization-changed'],
  ],
])('breaking changes: %s', async (_what, before, after, rules) => {
  const found = await compareSpecs(at(before), at(after), new Date('2026-06-01T00:00:00Z'));
  expect(found.map(({ rule }) => rule)).toEqual(rules);
});
