/** What a changelog says of each kind of edit, of the whole API, and of what operations share. */
import { describe, expect, test } from '@jest/globals';
import { parseSource, type SourceDocument } from '@specwright/contract/document';
import { withReasons } from '../src/changelog/changelog.ts';
import { listChanges, type ClientChange } from '../src/compare/list-changes.ts';
import { mergeChanges } from '../src/changelog/changelog.ts';
import { documentOf, type Case } from './support/breaking.ts';
import { PATH_EDITS, PATH_EDITS_31, type Edit } from './support/changelog-edits.ts';

type Fields = Record<string, unknown>;

const NOW = new Date('2026-06-01T00:00:00Z');
const line = ({ kind, where, what }: ClientChange) => `${kind} ${where === '' ? '' : `${where}: `}${what}`;

describe.each<[string, Fields, readonly Edit[]]>([
  ['3.0', {}, PATH_EDITS],
  ['3.1', { openapi: '3.1.0' }, PATH_EDITS_31],
  [
    '3.0 written as 3.1',
    { openapi: '3.1.0' },
    PATH_EDITS.filter(([, before, after]) => !JSON.stringify([before, after]).includes('"nullable":true')),
  ],
])('in OpenAPI %s', (_version, fields, edits) => {
  test.each(edits)('%s', (name, before, after, ...lines) => {
    const cases: Case[] = [[name, before, after, []]];
    const found = listChanges(documentOf(cases, 'before', fields), documentOf(cases, 'after', fields), NOW).map(line);
    // `+`: and others, which follow from it.
    if (lines.at(-1) === '+') expect(found).toEqual(expect.arrayContaining(lines.slice(0, -1)));
    else expect(found).toEqual(lines);
  });
});

describe('the whole API', () => {
  const paths = { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok' } } } } };
  const source = (fields: Fields): SourceDocument =>
    parseSource('a.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths, ...fields }));
  const plans = (minute: number, more: object = {}) => ({
    'x-rate-limit-plans': { plans: { free: { minute, day: 9 }, ...more }, address: { minute: 9, day: 9 } },
  });
  const scheme = (fields: object) => ({ security: [{ key: [] }], components: { securitySchemes: { key: { type: 'http', ...fields } } } });

  test.each<[name: string, before: Fields, after: Fields, ...lines: string[]]>([
    ['a server', { servers: [{ url: '/' }] }, { servers: [{ url: '/v2' }] }, 'added server `/v2` added', 'removed server `/` removed'],
    [
      'a plan',
      plans(60),
      plans(90, { pro: { minute: 1, day: 1 } }),
      'changed rate limits, plan `free`: `minute` raised from `60` to `90`',
      'added rate limits: plan `pro` added',
    ],
    ['limits', {}, plans(60), 'added rate limits added'],
    [
      'a security scheme',
      scheme({ scheme: 'basic' }),
      scheme({ scheme: 'bearer' }),
      'changed security scheme `key`: `scheme` changed from `basic` to `bearer`',
    ],
    ['the version, and words', { info: { title: 'T', version: '1' } }, { info: { title: 'U', version: '2' } }],
    [
      'a webhook',
      {},
      { 'x-webhooks': { made: { post: { summary: 'Tell it.', responses: { 204: { description: 'ok' } } } } } },
      'added webhook added: Tell it',
    ],
  ])('%s', (_name, before, after, ...lines) => {
    expect(listChanges(source(before), source(after), NOW).map(line)).toEqual(lines);
  });

  test('a parameter of all operations that is deprecated names the operation that succeeds one', () => {
    const successor = { ...paths, '/b': { get: { operationId: 'b', responses: { 200: { description: 'ok' } } } } };
    const deprecated = { ...successor, '/a': { get: { ...paths['/a'].get, deprecated: true, 'x-deprecated-successor': 'b' } } };
    expect(listChanges(source({ paths: successor }), source({ paths: deprecated }), NOW).map(line)).toEqual([
      'deprecated deprecated; use `GET /b`',
    ]);
  });
});

describe('what is shared', () => {
  const HEADER = { 'X-New': { schema: { type: 'string' } } };
  const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
  const document = (schemas: Fields, headers: Fields = {}, statuses: readonly string[] = ['200', '404']) => {
    const responses = Object.fromEntries(statuses.map((status) => [status, { description: 'd', headers, content: json('Pet') }]));
    const paths = Object.fromEntries(
      ['/a', '/b', '/c', '/d'].map((path) => [
        path,
        { post: { operationId: path.slice(1), requestBody: { content: json('NewPet') }, responses } },
      ]),
    );
    return parseSource('a.json', JSON.stringify({ openapi: '3.0.3', info: { title: 'T', version: '1' }, paths, components: { schemas } }));
  };
  const named = (fields: Fields) => ({ type: 'object', properties: { name: { type: 'string', maxLength: 9, ...fields } } });
  const schemas = (fields: Fields = {}) => ({
    Name: named(fields),
    Pet: { allOf: [{ $ref: '#/components/schemas/Name' }] },
    NewPet: { type: 'object', properties: { of: { $ref: '#/components/schemas/Name' } } },
  });

  test('a schema is one line, with its directions and its operations', () => {
    const [only, ...more] = listChanges(document(schemas()), document(schemas({ maxLength: 5 })), NOW);
    expect(more).toEqual([]);
    expect(only).toMatchObject({
      schema: 'Name',
      sides: ['requests', 'responses'],
      operations: ['POST /a', 'POST /b', 'POST /c', 'POST /d'],
      where: 'property `name`',
    });
  });

  test('a schema that refers to itself is compared, under another name too', () => {
    const tree = (name: string, fields: Fields) => ({
      ...schemas(),
      Pet: { allOf: [{ $ref: `#/components/schemas/${name}` }] },
      [name]: { type: 'object', properties: { ...fields, children: { type: 'array', items: { $ref: `#/components/schemas/${name}` } } } },
    });
    const found = listChanges(document(tree('Tree', {})), document(tree('Node', { label: { type: 'string' } })), NOW);
    expect(found.map(line)).toContain('added optional property `label` added');
  });

  test('a header of every response of every operation is one line; one of some names them', () => {
    const [before, after] = [document(schemas()), document(schemas(), HEADER)];
    const merged = (statuses: readonly string[]) => mergeChanges(listChanges(before, after, NOW), () => statuses);
    expect(merged(['200', '404'])).toMatchObject([
      { where: 'every response', what: 'optional header `X-New` added', operations: { length: 4 } },
    ]);
    expect(merged(['200', '404', '500'])).toMatchObject([{ where: 'responses 200, 404' }]);
  });

  test('a break has the reasons of its record, or of records of a part of it', () => {
    const [change] = listChanges(document(schemas()), document(schemas({ maxLength: 5 })), NOW) as [ClientChange];
    const at = '#/components/schemas/Name/properties/name/maxLength';
    const location = { line: 1, column: 1 };
    const sentence = 'Name, property `name`: `maxLength` lowered from `9` to `5`.';
    const told = { impact: 'refused', fix: 'wait', operations: [], base: location, working: location };
    const breaking = { rule: 'r', change: sentence, at, ...told };
    const record = (text: string, rule = 'r') => ({ rule, at, change: text, reason: 'So.' });
    const reasons = (...records: ReturnType<typeof record>[]) => withReasons({ change, breaking }, records).breaking?.reasons;
    expect(reasons(record(sentence), record("Name: from '9' to '7'."))).toEqual(['So.']);
    expect(reasons(record("Name: from '9' to '7'."))).toEqual(['So.']);
    expect(reasons(record("Name: from '1' to '2'."), record(sentence, 'other'))).toEqual([]);
  });
});
