/** What runs is what is compared: edits that no engine for plain OpenAPI sees, and edits that look like breaks and are none. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseSource, type SourceDocument } from '@specwright/contract/document';
import { compareSpecs } from '../src/breaking/compare-specs.ts';
import { BREAKING_RULES } from '../src/compare/rules.ts';
import { APART, EXCLUSIVE } from './support/breaking-alternatives.ts';
import { get, OBJECT, operation, parameters, query, request, response } from './support/breaking.ts';

type Fields = Record<string, unknown>;

const NOW = new Date('2026-06-01T00:00:00Z');
const source = ({ version = '3.0.3', paths = { '/a': get() }, ...fields }: Fields): SourceDocument =>
  parseSource('spec.json', JSON.stringify({ openapi: version, info: { title: 'T', version: '1' }, paths, ...fields }));
const rules = async (before: Fields, after: Fields) => (await compareSpecs(source(before), source(after), NOW)).map(({ rule }) => rule);
const at = (item: Fields): Fields => ({ paths: { '/a': item } });

const body = (schema: Fields): Fields => ({ required: true, content: { 'application/json': { schema } } });
const event = (fields: Fields = {}, answers: readonly string[] = ['200', '410']) => ({
  requestBody: body({ type: 'object', required: ['id'], properties: { id: { type: 'string' }, kind: { enum: ['a', 'b'] }, ...fields } }),
  responses: Object.fromEntries(answers.map((status) => [status, { description: 'd' }])),
});
const hooks = (items: Fields): Fields => ({ 'x-webhooks': items });
const callbacks = (items: Fields, expression = '{$request.query.url}') => at(get({ callbacks: { done: { [expression]: items } } }));
const wider = { kind: { enum: ['a', 'b', 'c'] } };
const withOptionalBody = { ...event(), requestBody: { ...event().requestBody, required: false } };

/** What a server sends: the same edits, as a webhook and as a callback. */
const OUTGOING = [
  ['a new enum value', { post: event() }, { post: event(wider) }, ['enum-values-added']],
  ['a property removed', { post: event({ more: { type: 'string' } }) }, { post: event() }, ['property-removed']],
  ['another type', { post: event({ more: { type: 'string' } }) }, { post: event({ more: { type: 'integer' } }) }, ['schema-type-changed']],
  ['an answer removed', { post: event() }, { post: event({}, ['200']) }, ['response-removed']],
  ['an answer added', { post: event() }, { post: event({}, ['200', '410', '202']) }, []],
  ['an enum value removed', { post: event(wider) }, { post: event() }, []],
  ['a body removed', { post: event() }, { post: { responses: event().responses } }, ['request-body-removed']],
  ['a body that may lack', { post: event() }, { post: withOptionalBody }, ['body-became-optional']],
] as const;

const file = (fields: Fields, encoding?: Fields): Fields =>
  at({
    post: operation({
      requestBody: {
        required: true,
        content: {
          'multipart/form-data': {
            schema: { type: 'object', properties: { photo: { type: 'string', format: 'binary', ...fields } } },
            ...(encoding && { encoding: { photo: encoding } }),
          },
        },
      },
    }),
  });
const stream = (media: Fields): Fields => at(get({ responses: { 200: { description: 'ok', content: { 'text/event-stream': media } } } }));
const tool = (given: unknown): Fields => at(get({ 'x-mcp': given }));
const plans = (quota: Fields): Fields => ({
  'x-rate-limit-plans': { plans: { own: { minute: 9, day: 99, ...quota } }, address: { minute: 9, day: 99 } },
});
const sent = (schema: Fields, version = '3.1.0'): Fields => ({ version, ...at(request(schema)) });
const received = (schema: Fields, version = '3.1.0', components: Fields = {}): Fields => ({
  version,
  ...at(response(schema)),
  components: { schemas: components },
});
const v32 = (item: Fields): Fields => ({ version: '3.2.0', ...at(item) });
const oauth = (flow: Fields): Fields => ({
  security: [{ oauth: ['read'] }],
  components: {
    securitySchemes: {
      oauth: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl: 'https://a.test/token', scopes: { read: 'Reads.', ...(flow['scopes'] as Fields) }, ...flow },
        },
      },
    },
  },
});
const bearer = (fields: Fields): Fields => ({
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', ...fields } } },
});
const named = (schemas: Fields, name: string): Fields => ({
  ...at(response({ $ref: `#/components/schemas/${name}` })),
  components: { schemas },
});
const inPath = (fields: Fields): Fields => ({
  paths: { '/a/{n}': get({ parameters: [query({ name: 'n', in: 'path', required: true, schema: { type: 'integer' }, ...fields })] }) },
});
const KIND = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
const union = (name: string): Fields => ({
  ...sent({ discriminator: { propertyName: 'kind' }, oneOf: [{ $ref: `#/components/schemas/${name}` }] }),
  components: { schemas: { [name]: KIND } },
});
const ID = { type: 'object', required: ['id'], properties: { id: { type: 'string', readOnly: true } } };
const NULLABLE = { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Pet' }] };
const PET = { Pet: { type: 'object', properties: { name: { type: 'string' } } } };

const servers = (...urls: readonly (string | Fields)[]): Fields => ({
  servers: urls.map((url) => (typeof url === 'string' ? { url } : url)),
});
const region = (...values: readonly string[]): Fields => ({
  url: 'https://{region}.a.test/v1',
  variables: { region: { default: 'eu', ...(values.length > 0 && { enum: values }) } },
});
const [A, B] = ['https://a.test', 'https://b.test'] as const;

const SERVERS: readonly (readonly [name: string, before: Fields, after: Fields, isLost: boolean])[] = [
  ['a server that an operation gets', { ...servers(A), ...at(get()) }, { ...servers(A), ...at(get(servers(B))) }, true],
  ['a server that a path gets', { ...servers(A), ...at(get()) }, { ...servers(A), ...at({ ...servers(B), ...get() }) }, true],
  ['the server of an operation removed', { ...servers(A), ...at(get(servers(B))) }, { ...servers(A), ...at(get()) }, true],
  ['a server of an operation that the document has', { ...servers(A), ...at(get()) }, { ...servers(A), ...at(get(servers(A))) }, false],
  ['one more server of an operation', { ...servers(A), ...at(get()) }, { ...servers(A), ...at(get(servers(A, B))) }, false],
  ['a value of a server variable removed', servers(region('eu', 'us')), servers(region('eu')), true],
  ['a value of a server variable added', servers(region('eu')), servers(region('eu', 'us')), false],
  ['any value of a server variable made a list', servers(region()), servers(region('eu')), true],
  ['a list of a server variable made any value', servers(region('eu')), servers(region()), false],
  ['an address that a template has', servers('https://eu.a.test/v1'), servers(region('eu', 'us')), false],
  ['an address that a template lacks', servers('https://ap.a.test/v1'), servers(region('eu', 'us')), true],
  ['a variable renamed', servers('https://{a}.a.test/{b}/c'), servers('https://{x}.a.test/{y}/c'), false],
  ['a slash at the end', servers(`${A}/`), servers(A), false],
];

const BREAKS: readonly (readonly [name: string, before: Fields, after: Fields, finds: readonly string[]])[] = [
  ['a webhook renamed', hooks({ made: { post: event() } }), hooks({ created: { post: event() } }), ['webhook-removed']],
  ['a webhook of another method', hooks({ made: { post: event() } }), hooks({ made: { put: event() } }), ['webhook-removed']],
  ...OUTGOING.flatMap(([name, before, after, finds]) => [
    [`a webhook: ${name}`, hooks({ made: before }), hooks({ made: after }), finds] as const,
    [
      `a webhook of 3.1: ${name}`,
      { version: '3.1.0', webhooks: { made: before } },
      { version: '3.1.0', webhooks: { made: after } },
      finds,
    ] as const,
    [`a callback: ${name}`, callbacks(before), callbacks(after), finds] as const,
  ]),
  ['a callback to another URL', callbacks({ post: event() }), callbacks({ post: event() }, '{$request.query.other}'), ['callback-removed']],
  [
    'typed events made texts',
    stream({ schema: { type: 'string' }, 'x-item-schema': { type: 'object' } }),
    stream({ schema: { type: 'string' } }),
    ['item-schema-removed'],
  ],
  [
    'items of another type',
    stream({ 'x-item-schema': { type: 'string' } }),
    stream({ 'x-item-schema': { type: 'integer' } }),
    ['schema-type-changed'],
  ],
  [
    'a literal path that takes over requests of a template',
    inPath({}),
    { paths: { ...(inPath({})['paths'] as Fields), '/a/7': get({ operationId: 'seven' }) } },
    ['path-shadowed'],
  ],
  ['a tool removed', tool(true), tool(false), ['tool-removed']],
  ['a tool renamed', tool({ name: 'one' }), tool({ name: 'two' }), ['tool-removed']],
  [
    'bigint in place of a number',
    received({ type: 'integer', format: 'int64' }),
    received({ type: 'integer', format: 'int64', 'x-int64': 'bigint' }),
    ['client-type-changed'],
  ],
  [
    'Date in place of a text',
    received({ type: 'string', format: 'date-time' }),
    received({ type: 'string', format: 'date-time', 'x-date-time': 'date' }),
    ['client-type-changed'],
  ],
  ['smaller files', file({ 'x-max-bytes': 100 }), file({ 'x-max-bytes': 99 }), ['file-limit-lowered']],
  ['a limit of files', file({}), file({ 'x-max-bytes': 99 }), ['file-limit-lowered']],
  ['fewer types of files', file({}, { contentType: 'image/*' }), file({}, { contentType: 'image/png' }), ['media-type-removed']],
  [
    'another type of files',
    file({}, { contentType: 'image/png, image/gif' }),
    file({}, { contentType: 'image/png' }),
    ['media-type-removed'],
  ],
  ...SERVERS.flatMap(([name, before, after, isLost]) => (isLost ? [[name, before, after, ['server-removed']] as const] : [])),
  ['limits of its own taken from a plan', plans({ custom: true }), plans({}), ['rate-limit-lowered']],
  [
    'an operation of 3.2 removed',
    v32({ ...get(), additionalOperations: { COPY: operation({ operationId: 'copy' }) } }),
    v32(get()),
    ['operation-removed'],
  ],
  [
    'the body of a QUERY narrowed',
    v32({ query: request({ type: 'string' }).post }),
    v32({ query: request({ type: 'string', maxLength: 3 }).post }),
    ['schema-constraint-changed'],
  ],
  [
    'items of 3.2 of another type',
    { version: '3.2.0', ...stream({ itemSchema: { type: 'string' } }) },
    { version: '3.2.0', ...stream({ itemSchema: { type: 'integer' } }) },
    ['schema-type-changed'],
  ],
  [
    'a component renamed and changed',
    named({ PetName: { type: 'string', maxLength: 9 } }, 'PetName'),
    named({ AnimalName: { type: 'string', maxLength: 20 } }, 'AnimalName'),
    ['schema-constraint-changed'],
  ],
  [
    'a readOnly property, which was ignored, removed where undeclared ones are refused',
    sent({ ...ID, additionalProperties: false }),
    sent({ type: 'object', additionalProperties: false, properties: {} }),
    ['property-removed'],
  ],
  [
    'readOnly removed from what is required',
    sent(ID),
    sent({ ...ID, properties: { id: { type: 'string' } } }),
    ['required-properties-added'],
  ],
  [
    'a parameter that becomes JSON',
    at(parameters(query())),
    at(parameters({ name: 'q', in: 'query', content: { 'application/json': { schema: { type: 'string' } } } })),
    ['parameter-serialization-changed'],
  ],
  [
    'more that a list has to contain',
    sent({ contains: { const: 1 } }),
    sent({ contains: { const: 1 }, minContains: 2 }),
    ['schema-constraint-changed'],
  ],
  ['another tokenUrl', oauth({}), oauth({ tokenUrl: 'https://b.test/token' }), ['security-scheme-changed']],
  ['a component that a discriminator names renamed', union('Cat'), union('Lion'), ['discriminator-changed']],
  [
    'an alternative that is one already',
    sent({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
    sent({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'integer' }] }),
    ['schema-combinator-changed'],
  ],
  ...EXCLUSIVE.map(([name, before, after]) => [name, sent(before), sent(after), ['schema-combinator-changed']] as const),
  [
    'an integer made a short text',
    at(parameters(query({ schema: { type: 'integer' } }))),
    at(parameters(query({ schema: { type: 'string', maxLength: 3 } }))),
    ['schema-constraint-changed', 'schema-type-changed'],
  ],
];

const HARMLESS: readonly (readonly [name: string, before: Fields, after: Fields])[] = [
  ['null no longer received', received(NULLABLE, '3.1.0', PET), received({ $ref: '#/components/schemas/Pet' }, '3.1.0', PET)],
  [
    'an alternative of null with another order',
    received(NULLABLE, '3.1.0', PET),
    received({ anyOf: [...NULLABLE.oneOf].reverse() }, '3.1.0', PET),
  ],
  [
    'closed by the other keyword',
    sent({ ...OBJECT, properties: {}, required: [] }),
    sent({ type: 'object', unevaluatedProperties: false }),
  ],
  [
    'closed by the other keyword, in a response',
    received({ type: 'object', additionalProperties: false, properties: { a: {} } }),
    received({ type: 'object', unevaluatedProperties: false, properties: { a: {} } }),
  ],
  ['bearerFormat reworded', bearer({ bearerFormat: 'JWT' }), bearer({ bearerFormat: 'a JWT' })],
  ['explode of a number in a path', inPath({}), inPath({ explode: true })],
  ['the style of a text', at(parameters(query())), at(parameters(query({ style: 'form', explode: false })))],
  ['a type that a range covers', file({}, { contentType: 'image/png' }), file({}, { contentType: 'image/*' })],
  [
    'a union written as one schema',
    sent({
      oneOf: [
        { type: 'string', maxLength: 3 },
        { type: 'string', minLength: 4 },
      ],
    }),
    sent({ type: 'string' }),
  ],
  ['a list of types written as a union', sent({ type: ['string', 'null'] }), sent({ anyOf: [{ type: 'string' }, { type: 'null' }] })],
  [
    'allOf written as one schema',
    sent({ allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'string' } } }] }),
    sent({ type: 'object', required: ['a'], properties: { a: { type: 'string' } } }),
  ],
  ...APART.map(([name, before, after]) => [name, sent(before), sent(after)] as const),
  ['a bound beside a narrower one', sent({ type: 'integer', minimum: 5 }), sent({ type: 'integer', minimum: 5, exclusiveMinimum: 4 })],
  ['a bound that the values keep', sent({ enum: ['a', 'bb'] }), sent({ enum: ['a', 'bb'], maxLength: 2 })],
  ...SERVERS.flatMap(([name, before, after, isLost]) => (isLost ? [] : [[name, before, after] as const])),
  ['an alternative of another type', sent({ oneOf: [{ type: 'string' }] }), sent({ oneOf: [{ type: 'string' }, { type: 'object' }] })],
  ['a component renamed', named({ Old: OBJECT }, 'Old'), named({ New: OBJECT }, 'New')],
  ['a component written in place', named({ Old: OBJECT }, 'Old'), at(response(OBJECT))],
  ['a scope more that can be had', oauth({}), oauth({ scopes: { read: 'Reads.', write: 'Writes.' } })],
  [
    'a component that nothing refers to',
    { ...at(get()), components: { schemas: { A: { type: 'string' } } } },
    { ...at(get()), components: { schemas: { A: { type: 'integer' } } } },
  ],
];

describe('a break', () => {
  test.each(BREAKS)('%s', async (_name, before, after, finds) => {
    expect(await rules(before, after)).toEqual(finds);
  });
});

describe('no break', () => {
  test.each(HARMLESS)('%s', async (_name, before, after) => {
    expect(await rules(before, after)).toEqual([]);
  });
});

test('a change that only references of references lead to is seen, where those lead back to each other', async () => {
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const document = (maxLength: number) => ({
    paths: { '/a': request(ref('Second')), '/b': request(ref('First')), '/c': get() },
    components: {
      schemas: {
        First: { type: 'object', properties: { second: ref('Second'), third: ref('Third') } },
        Second: { type: 'object', properties: { first: ref('First') } },
        Third: { type: 'object', properties: { name: { type: 'string', maxLength } } },
      },
    },
  });
  const found = await compareSpecs(source(document(9)), source(document(8)), NOW);
  expect(found.map(({ rule, operations }) => [rule, operations])).toEqual([['schema-constraint-changed', ['POST /a', 'POST /b']]]);
});

test('a schema exchanged in a shared response is a break of each operation that answers with it', async () => {
  const answer = { responses: { 200: { $ref: '#/components/responses/Name' } } };
  const document = (name: string, maxLength: number) => ({
    paths: { '/a': get(answer), '/b': get(answer) },
    components: {
      responses: { Name: { description: 'd', content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } } },
      schemas: { [name]: { type: 'string', maxLength } },
    },
  });
  const found = await compareSpecs(source(document('PetName', 9)), source(document('AnimalName', 20)), NOW);
  expect(found.map(({ rule, operations }) => [rule, operations])).toEqual([['schema-constraint-changed', ['GET /a', 'GET /b']]]);
});

test('every rule has a change that breaks it', () => {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /(^|\/)breaking[^/]*\.ts$/.test(file));
  const texts = files.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('');
  expect(Object.keys(BREAKING_RULES).filter((rule) => !texts.includes(`'${rule}'`))).toEqual([]);
});
