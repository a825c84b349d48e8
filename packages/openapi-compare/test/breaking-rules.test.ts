/** Changes that break a client are reported by their rule, and others are not. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { type BreakingChange, compareSpecs } from '../src/breaking/compare-specs.ts';
import { CALLERS } from './support/breaking-callers.ts';
import { OPERATIONS } from './support/breaking-operations.ts';
import { both, SCHEMAS } from './support/breaking-schemas.ts';
import { SCHEMAS_31 } from './support/breaking-schemas-31.ts';
import { documentOf, pathOf } from './support/breaking.ts';

type Fields = Record<string, unknown>;

const NOW = new Date('2026-06-01T00:00:00Z');
const CASES = [...OPERATIONS, ...CALLERS, ...SCHEMAS];

describe('a change', () => {
  let changes: readonly BreakingChange[];
  beforeAll(async () => {
    changes = await compareSpecs(documentOf(CASES, 'before'), documentOf(CASES, 'after'), NOW);
  });

  test.each(CASES.map(([name, , , finds], i) => ({ name, finds, i })))('$name: $finds', ({ finds, i }) => {
    const found = changes.filter(({ at }) => at.split('/')[2] === `~1${pathOf(i).slice(1)}`);
    expect(found.map(({ rule }) => rule)).toEqual(finds);
  });

  test('has a sentence for the change and one for its impact', () => {
    for (const { change, impact } of changes) {
      expect(change).toMatch(/^(GET|POST|PUT|DELETE|Word|\/case-)[^:]*: .+\.$/);
      expect(impact.length).toBeGreaterThan(20);
    }
  });
});

describe('a change in OpenAPI 3.1', () => {
  const fields = { openapi: '3.1.0' };
  let changes: readonly BreakingChange[];
  beforeAll(async () => {
    changes = await compareSpecs(documentOf(SCHEMAS_31, 'before', fields), documentOf(SCHEMAS_31, 'after', fields), NOW);
  });

  test.each(SCHEMAS_31.map(([name, , , finds], i) => ({ name, finds, i })))('$name: $finds', ({ finds, i }) => {
    const found = changes.filter(({ at }) => at.split('/')[2] === `~1${pathOf(i).slice(1)}`);
    expect(found.map(({ rule }) => rule)).toEqual(finds);
  });

  test('of a const points at it', () => {
    expect(changes.find(({ at }) => at.endsWith('/const'))).toMatchObject({ rule: 'enum-values-added' });
  });
});

describe('a document of OpenAPI 3.0 written as one of 3.1', () => {
  const rewritten: readonly (readonly [name: string, before: Fields, after: Fields])[] = [
    ['nullable as a list of types', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['an exclusive bound', { type: 'number', minimum: 1, exclusiveMinimum: true }, { type: 'number', exclusiveMinimum: 1 }],
    ['an enum of one value', { type: 'string', enum: ['a'] }, { type: 'string', const: 'a' }],
    ['an example', { type: 'string', example: 'a' }, { type: 'string', examples: ['a'] }],
  ];
  const cases = rewritten.flatMap(([name, before, after]) => both(name, before, after, [], []));

  test('has no breaking changes', async () => {
    const [before, after] = [documentOf(cases, 'before'), documentOf(cases, 'after', { openapi: '3.1.0' })];
    expect(await compareSpecs(before, after, NOW)).toEqual([]);
  });
});

describe('a change of the whole document', () => {
  const plans = (minute: number, more: object = {}) => ({
    'x-rate-limit-plans': { plans: { free: { minute, day: 1000 }, ...more }, address: { minute: 60, day: 5000 } },
  });
  const key = { type: 'http', scheme: 'bearer' };
  const servers = (url: string) => ({ servers: [{ url }] });
  const path = (name: string, parameter?: string) => ({
    paths: {
      [name]: {
        get: {
          operationId: 'op',
          ...(parameter && { parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'string' } }] }),
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  });
  const bounded = (minute: number) => {
    const { 'x-rate-limit-plans': table } = plans(60);
    return { ...path('/a'), 'x-rate-limit-plans': { ...table, operations: { op: { minute, day: 1000 } } } };
  };
  const unbounded = { ...path('/a'), ...plans(60) };
  // One of them has a request body.
  const operations = OPERATIONS.filter(([name], i) => i < 3 || name === 'a request body removed');
  const rules = async (before: object, after: object) => {
    const [a, b] = [documentOf(operations, 'before', before as never), documentOf(operations, 'before', after as never)];
    return (await compareSpecs(a, b, NOW)).map(({ rule, at }) => `${rule} ${at}`);
  };

  test.each<[name: string, before: object, after: object, finds: string[]]>([
    ['a path renamed', path('/a'), path('/b'), ['path-removed #/paths/~1a']],
    ['a path parameter renamed', path('/a/{id}', 'id'), path('/a/{key}', 'key'), []],
    ['the server moved', servers('/'), servers('/v2'), ['server-removed #/servers']],
    ['a plan lowered', plans(60), plans(30), ['rate-limit-lowered #/x-rate-limit-plans/plans/free/minute']],
    ['a plan removed', plans(60, { pro: { minute: 1, day: 1 } }), plans(60), ['rate-limit-lowered #/x-rate-limit-plans/plans/pro']],
    ['a plan raised and one added', plans(60), plans(90, { pro: { minute: 1, day: 1 } }), []],
    ['a limit of an operation added', unbounded, bounded(5), ['rate-limit-lowered #/x-rate-limit-plans/operations/op']],
    ['a limit of an operation lowered', bounded(5), bounded(4), ['rate-limit-lowered #/x-rate-limit-plans/operations/op/minute']],
    ['a limit of an operation removed', bounded(5), unbounded, []],
    ['limits where there were none', { 'x-rate-limit-plans': undefined }, plans(60), ['rate-limit-lowered #/x-rate-limit-plans']],
    ['a body limit of the document, told once', {}, { 'x-body-limit': 1000 }, ['body-limit-lowered #/x-body-limit']],
    [
      'security of every operation, told once',
      { security: undefined },
      { security: [{ key: [] }] },
      ['security-requirement-changed #/security/0/key'],
    ],
    [
      'the place of the key',
      {},
      { components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' }, other: key } } },
      ['security-scheme-changed #/components/securitySchemes/key/type'],
    ],
  ])('%s', async (_name, before, after, finds) => {
    const found = await rules(before, after);
    expect(found.slice(0, finds.length || undefined)).toEqual(finds);
    for (const rule of found) expect(finds.map((one) => one.split(' ')[0])).toContain(rule.split(' ')[0]);
  });
});

describe('a finding', () => {
  const YAML = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /things/{thingId}:
    parameters:
      - name: thingId
        in: path
        required: true
        schema: { type: string, maxLength: 9 }
    get:
      operationId: getThing
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Thing' }
        '404': { description: none }
components:
  schemas:
    Thing:
      type: object
      properties:
        name: { type: string }
        kind:
          type: string
          enum: [a, b]
`;
  const between = (before: string, after: string) =>
    compareSpecs(parseSource('base.yaml', before), parseSource('working.yaml', after), NOW);
  const edit = (from: string, to: string) => {
    expect(YAML).toContain(from);
    return YAML.replace(from, () => to);
  };

  test.each<[what: string, after: () => string, finding: object]>([
    [
      'a keyword in a component',
      () => edit('paths:', '# moved\npaths:').replace('enum: [a, b]', 'enum: [a, b, c]'),
      { at: '#/components/schemas/Thing/properties/kind/enum', base: { line: 27, column: 11 }, working: { line: 28, column: 11 } },
    ],
    [
      'something removed, in what it is missing from',
      () => edit("        '404': { description: none }\n", ''),
      { at: '#/paths/~1things~1{thingId}/get/responses/404', base: { line: 18, column: 9 }, working: { line: 12, column: 7 } },
    ],
    [
      'a parameter of a path, at the path',
      () => edit('maxLength: 9', 'maxLength: 5'),
      { at: '#/paths/~1things~1{thingId}/parameters/0/schema/maxLength', base: { line: 9, column: 33 }, working: { line: 9, column: 33 } },
    ],
    [
      'something added, in what it was missing from',
      () =>
        edit(
          '        schema: { type: string, maxLength: 9 }\n',
          '        schema: { type: string, maxLength: 9 }\n      - { name: q, in: query, required: true, schema: { type: string } }\n',
        ),
      { at: '#/paths/~1things~1{thingId}/parameters/1', base: { line: 5, column: 5 }, working: { line: 10, column: 9 } },
    ],
  ])('has the places of %s', async (_what, after, finding) => {
    expect(await between(YAML, after())).toMatchObject([finding]);
  });

  test('of something removed from a list points at the list, not at what has moved up', async () => {
    const list = (...names: string[]) =>
      edit(
        '      responses:\n',
        `      parameters:\n${names.map((name) => `        - { name: ${name}, in: query, schema: { type: string } }\n`).join('')}      responses:\n`,
      );
    expect(await between(list('first', 'second'), list('second'))).toMatchObject([
      { rule: 'parameter-removed', base: { line: 13, column: 11 }, working: { line: 12, column: 7 } },
    ]);
  });

  test('of a default beside a reference points at its schema, not at the component', async () => {
    const withParameter = (keywords: string) =>
      edit(
        '      responses:\n',
        `      parameters:\n        - name: q\n          in: query\n          schema:\n${keywords}      responses:\n`,
      ).concat('    Word: { type: string, maxLength: 9 }\n');
    const reference = "            $ref: '#/components/schemas/Word'\n";
    const extended = "            default: a\n            allOf: [{ $ref: '#/components/schemas/Word' }]\n";
    const found = await between(withParameter(extended), withParameter(reference));
    expect(found).toMatchObject([{ rule: 'default-changed', base: { line: 16 }, working: { line: 15 } }]);
    expect(await between(withParameter(reference), withParameter(extended))).toMatchObject([
      { rule: 'default-changed', base: { line: 15 }, working: { line: 16 } },
    ]);
  });

  test('of x-operation-defaults is one, at the line of the entry; of an opt-out it is at the operation', async () => {
    const defaults = `x-operation-defaults:
  - headers:
      X-D: { schema: { type: string } }
    responses:
      '503': { description: Busy. }
`;
    const other = '    put: { operationId: putThing, responses: { "200": { description: ok } } }\n';
    const base = `${defaults}${edit('    get:\n', `${other}    get:\n`)}`;
    const removed = await between(base, base.replace("    responses:\n      '503': { description: Busy. }\n", ''));
    expect(removed).toMatchObject([
      { rule: 'response-removed', at: '#/x-operation-defaults/0/responses/503', base: { line: 5 }, working: { line: 2 } },
    ]);
    expect(removed[0]).toMatchObject({
      change: 'GET /things/{thingId}: response 503 removed.',
      operations: ['GET /things/{thingId}', 'PUT /things/{thingId}'],
    });
    const renamed = await between(base, base.replace('X-D', 'X-E'));
    expect(renamed).toMatchObject([
      { rule: 'response-header-removed', at: '#/x-operation-defaults/0/headers/X-D', base: { line: 3 }, working: { line: 2 } },
    ]);
    const optOut = await between(base, base.replace('putThing,', "putThing, x-operation-defaults: { without: ['503'] },"));
    expect(optOut).toMatchObject([
      { rule: 'response-removed', at: '#/paths/~1things~1{thingId}/put/responses/503', working: { line: 15 } },
    ]);
  });

  test.each([
    ['request', /refused with 400/],
    ['response', /no longer gets it/],
  ])('of a property that is removed from a %s says what its clients meet', async (side, impact) => {
    const body = 'content: { application/json: { schema: { $ref: "#/components/schemas/Word" } } }';
    const words = 'get:\n      operationId: getThing\n'.concat(side === 'request' ? `      requestBody: { ${body} }\n` : `      x-a: 1\n`);
    const withWord = (properties: string) =>
      edit('get:\n      operationId: getThing\n', words)
        .replace(
          "'404': { description: none }",
          side === 'request' ? "'404': { description: none }" : `'404': { description: none, ${body} }`,
        )
        .concat(`    Word: { type: object, additionalProperties: false, properties: { ${properties} } }\n`);
    const found = await between(withWord('a: { type: string }, b: { type: string }'), withWord('a: { type: string }'));
    expect(found).toMatchObject([{ rule: 'property-removed', impact: expect.stringMatching(impact) }]);
  });

  test('of a default names its property', async () => {
    const body = '      requestBody: { content: { application/json: { schema: { $ref: "#/components/schemas/Thing" } } } }\n';
    const withDefault = (value: string) =>
      edit('      responses:\n', `${body}      responses:\n`).replace('enum: [a, b]', `enum: [a, b]\n          default: ${value}`);
    expect((await between(withDefault('a'), withDefault('b'))).map(({ change }) => change)).toEqual([
      'Thing, property `kind`: `default` changed from `a` to `b`.',
    ]);
  });

  test('of all parameters names each', async () => {
    const plain = YAML.replace('/{thingId}', '').replace(/ {4}parameters:\n(?: {6}.*\n){4}/, '');
    const list = '      parameters: [{ name: q, in: query, schema: { type: string } }, { name: r, in: query, schema: { type: string } }]\n';
    const found = await between(plain.replace('      responses:\n', `${list}      responses:\n`), plain);
    expect(found.map(({ change }) => change)).toEqual([
      'GET /things: optional query parameter `q` removed.',
      'GET /things: optional query parameter `r` removed.',
    ]);
  });

  test('of a reference that names another schema points at the reference, not into either schema', async () => {
    const withOther = `${YAML}    Other: { type: object, properties: { kind: { type: string, enum: [a, b] } } }\n`;
    const found = await between(withOther, withOther.replace('/schemas/Thing', '/schemas/Other'));
    const place = { line: 17, column: 15 };
    expect(found).toMatchObject([
      { at: '#/paths/~1things~1{thingId}/get/responses/200/content/application~1json/schema', base: place, working: place },
    ]);
    expect(found[0]?.change).toMatch(/^GET \/things\/\{thingId\}, response 200: .*`name`/);
  });

  test('is nothing between a document and itself, however it is laid out', async () => {
    expect(await between(YAML, JSON.stringify(parseSource('a', YAML).document))).toEqual([]);
  });

  test('is made of a base that is not valid, which is compared as far as it goes', async () => {
    const broken = edit('operationId: getThing', 'operationID: getThing');
    const found = await between(broken, edit("        '404': { description: none }\n", ''));
    expect(found.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['base-invalid', 'response-removed']));
    expect(found[0]).toMatchObject({ base: { line: 11 }, change: expect.stringContaining('operationID') });
    const unresolved = await between(edit('schemas/Thing', 'schemas/Think'), YAML);
    expect(unresolved[0]).toMatchObject({ rule: 'base-invalid', base: { line: 17 }, change: expect.stringContaining('Think') });
  });
});
