/** A value that the validators of the new document refuse, and those of the former one accepted, is reported: and the reverse for responses. */
import { expect, test } from '@jest/globals';
import { createSchemaCompiler, parseSource, pointerTo, type SourceDocument } from '@specwright/contract/document';
import { compareSpecs } from '../src/breaking/compare-specs.ts';

type Schema = Readonly<Record<string, unknown>>;
type Edit = readonly [name: string, edit: (schema: Schema) => Schema | undefined];

const STRINGS = ['', 'a', 'ab', 'abc', 'abcdefghijkl', 'A1', '2026-01-01', 'a@example.com', '-'];
const NUMBERS = [0, 1, 2, 3, 4, 5, 9, 10, 11, 100, -1, 1.5, 2147483648];
const SCALARS: readonly unknown[] = [...STRINGS, ...NUMBERS, null, true, false];
const LISTS = [[], ['a'], ['a', 'a'], ['a', 'b', 'c'], [1], [1, 2, 3, 4], [1, 'a'], [null]];
/** Every value of each property, beside fixed others, and objects without one. */
const OBJECTS: readonly unknown[] = [
  {},
  ...['name', 'age', 'kind'].flatMap((name) =>
    SCALARS.flatMap((value) => [{ [name]: value }, { name: 'abc', age: 3, kind: 'a', [name]: value }]),
  ),
  ...LISTS.map((list) => ({ name: 'abc', list })),
  { name: 'abc', inner: {} },
  { name: 'abc', inner: { name: 'a' } },
  { name: 'abc', inner: { name: 'abc', age: 100 } },
];
const VALUES: readonly unknown[] = [...SCALARS, ...LISTS, ...OBJECTS];

const OBJECT = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 10 },
    age: { type: 'integer', minimum: 0, maximum: 10 },
    kind: { enum: ['a', 'ab', 3] },
    list: { type: 'array', items: { type: ['string', 'integer'] }, maxItems: 3 },
    inner: { type: 'object', properties: { name: { type: 'string' } } },
  },
};
const BASES: readonly Schema[] = [
  { type: 'string', minLength: 1, maxLength: 3 },
  { type: 'string', pattern: '^[a-z]*$' },
  { type: ['string', 'null'], enum: ['a', 'ab', null] },
  { type: 'number', minimum: 1, exclusiveMaximum: 10 },
  { type: 'integer', multipleOf: 2 },
  { type: 'array', items: { type: 'string', maxLength: 2 }, minItems: 1 },
  { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] },
  OBJECT,
  { ...OBJECT, additionalProperties: false },
  { allOf: [OBJECT, { type: 'object', required: ['age'] }], unevaluatedProperties: false },
  { oneOf: [{ type: 'string', maxLength: 2 }, { type: 'integer' }, OBJECT] },
  { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Shared' }] },
  { type: 'object', additionalProperties: { type: 'integer', maximum: 10 } },
  { if: { properties: { kind: { const: 'a' } }, required: ['kind'] }, then: { required: ['age'] }, else: OBJECT },
  { not: { type: 'string', maxLength: 2 } },
];

const bound = (keyword: string, by: number): Edit => [
  `${keyword} ${by}`,
  (schema) => ({ ...schema, [keyword]: Math.max(0, ((schema[keyword] as number | undefined) ?? 2) + by) }),
];
const without = (keyword: string): Edit => [
  `without ${keyword}`,
  ({ [keyword]: given, ...rest }) => (given === undefined ? undefined : rest),
];
const inside = (keyword: string, name: string | undefined, [text, edit]: Edit): Edit => [
  `${keyword} ${name ?? ''}: ${text}`,
  (schema) => {
    const given = schema[keyword] as Schema | undefined;
    const part = name === undefined ? given : (given?.[name] as Schema | undefined);
    const edited = part === undefined ? undefined : edit(part);
    if (given === undefined || edited === undefined) return undefined;
    if (Array.isArray(given)) return { ...schema, [keyword]: (given as unknown[]).map((one, i) => (String(i) === name ? edited : one)) };
    return { ...schema, [keyword]: name === undefined ? edited : { ...given, [name]: edited } };
  },
];
const SIMPLE: readonly Edit[] = [
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'minProperties'].flatMap((keyword) => [
    bound(keyword, 1),
    bound(keyword, -1),
  ]),
  ...['type', 'enum', 'pattern', 'minimum', 'maxLength', 'required', 'items', 'additionalProperties', 'multipleOf'].map(without),
  ['another pattern', (schema) => ({ ...schema, pattern: '^[a-z]+$' })],
  ['a format', (schema) => ({ ...schema, format: 'date' })],
  ['fewer values', (schema) => ({ ...schema, enum: ['a'] })],
  [
    'more values',
    (schema) => (Array.isArray(schema['enum']) ? { ...schema, enum: [...(schema['enum'] as unknown[]), 'new', 5] } : undefined),
  ],
  ['a coarser multiple', (schema) => ({ ...schema, multipleOf: 4 })],
  ['unique items', (schema) => ({ ...schema, uniqueItems: true })],
  ['null too', (schema) => (typeof schema['type'] === 'string' ? { ...schema, type: [schema['type'], 'null'] } : undefined)],
  ['numbers in place of integers', (schema) => (schema['type'] === 'integer' ? { ...schema, type: 'number' } : undefined)],
  ['closed', (schema) => ({ ...schema, additionalProperties: false })],
  ['closed whole', (schema) => ({ ...schema, unevaluatedProperties: false })],
  ['more required', (schema) => ({ ...schema, required: ['name', 'kind'] })],
  ['a dependency', (schema) => ({ ...schema, dependentRequired: { name: ['age'] } })],
  ['names', (schema) => ({ ...schema, propertyNames: { maxLength: 4 } })],
  ['not', (schema) => ({ ...schema, not: { const: 'a' } })],
  ['contains', (schema) => ({ ...schema, contains: { const: 'a' } })],
];
const ALTERNATIVES = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];
const EDITS: readonly Edit[] = [
  ...SIMPLE,
  ...SIMPLE.flatMap((edit) => [
    ...['name', 'age', 'kind', 'list', 'inner'].map((name) => inside('properties', name, edit)),
    ...['items', 'additionalProperties', 'not', 'then'].map((keyword) => inside(keyword, undefined, edit)),
    ...ALTERNATIVES.map((keyword) => inside(keyword, '0', edit)),
  ]),
  ...ALTERNATIVES.flatMap((keyword): Edit[] => [
    [
      `${keyword}: one removed`,
      (schema) => (Array.isArray(schema[keyword]) ? { ...schema, [keyword]: (schema[keyword] as unknown[]).slice(1) } : undefined),
    ],
    [
      `${keyword}: numbers added`,
      (schema) =>
        Array.isArray(schema[keyword]) ? { ...schema, [keyword]: [...(schema[keyword] as unknown[]), { type: 'number' }] } : undefined,
    ],
  ]),
  [
    'a property removed',
    (schema) =>
      schema['properties'] === undefined ? undefined : { ...schema, properties: { name: (schema['properties'] as Schema)['name'] } },
  ],
];

const NOW = new Date('2026-06-01T00:00:00Z');
const SHARED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } });
const ALL = BASES.flatMap((base, i) =>
  EDITS.flatMap(([name, edit]) => {
    const edited = edit(base);
    return edited === undefined || JSON.stringify(edited) === JSON.stringify(base) ? [] : [{ name: `${i}, ${name}`, base, edited }];
  }),
);

/** Some of all: each edit somewhere, each schema with many. */
const CASES = ALL.filter((_one, i) => i % 4 === 2);

/** All cases in one document: of each a schema that is sent, and one that is received. */
function documentOf(side: 'base' | 'edited'): SourceDocument {
  const schemas = Object.fromEntries(
    CASES.flatMap((one, i) => [
      [`Sent${i}`, one[side]],
      [`Received${i}`, one[side]],
    ]),
  );
  const paths = Object.fromEntries(
    CASES.map((_one, i) => [
      `/c${i}`,
      {
        post: {
          operationId: `c${i}`,
          requestBody: { required: true, content: json(`Sent${i}`) },
          responses: { 200: { description: 'ok', content: json(`Received${i}`) } },
        },
      },
    ]),
  );
  return parseSource(
    'a.json',
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths,
      components: { schemas: { ...schemas, Shared: SHARED } },
    }),
  );
}

/** What a client that knows the former document has not sent, and ignores: a property that it does not declare (docs/how-to/breaking-changes.md). */
const isKnown = (value: unknown, { base, edited }: { base: Schema; edited: Schema }): boolean => {
  const names = JSON.stringify([base, edited]);
  return (
    typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).every((name) => names.includes(`"${name}":`))
  );
};

test('what is refused is reported, and what is new to a client too', async () => {
  const [before, after] = [documentOf('base'), documentOf('edited')];
  const reported = new Set(
    (await compareSpecs(before, after, NOW)).flatMap(({ at }) => /^#\/components\/schemas\/(\w+)/.exec(at)?.[1] ?? []),
  );
  const validators = [before, after].map(({ document }) => createSchemaCompiler(document, 'request'));
  const isValid = (which: 0 | 1, name: string) =>
    validators[which]?.(pointerTo('components', 'schemas', name)) as (value: unknown) => boolean;
  expect(CASES.length).toBeGreaterThan(200);
  let met = 0;
  const missed = CASES.flatMap((one, i) => {
    const [was, is] = [isValid(0, `Sent${i}`), isValid(1, `Sent${i}`)];
    const known = VALUES.filter((value) => isKnown(value, one));
    const refused = known.find((value) => was(value) && !is(value));
    const unknown = known.find((value) => is(value) && !was(value));
    met += Number(refused !== undefined) + Number(unknown !== undefined);
    return [
      ...(refused !== undefined && !reported.has(`Sent${i}`) ? [`${one.name}: ${JSON.stringify(refused)} is refused`] : []),
      ...(unknown !== undefined && !reported.has(`Received${i}`) ? [`${one.name}: ${JSON.stringify(unknown)} is new`] : []),
    ];
  });
  expect(missed).toEqual([]);
  expect(met).toBeGreaterThan(60);
});
