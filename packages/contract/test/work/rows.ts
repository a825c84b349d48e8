/** What the gate of work measures: a schema for each keyword, format and shape that validators know, and each location of a request. */
import type { IncomingRequest } from '../../src/requests/request-validator.ts';
import { KNOWN_FORMATS } from '../../src/schema/formats.ts';
import { HOSTILE_STRINGS, HOSTILE_TEXTS } from '../support/hostile-texts.ts';

export interface Row {
  readonly name: string;
  /** The schema of the body; or what the operation has. */
  readonly schema?: object;
  readonly operation?: object;
  /** Whether the schema is that of a response, in the place of a request. */
  readonly isResponse?: boolean;
  readonly schemas?: Readonly<Record<string, object>>;
  /** Requests by name, each of a size in bytes. JSON texts if not given. */
  readonly requests?: Readonly<Record<string, (bytes: number) => Partial<IncomingRequest>>>;
  readonly texts?: Readonly<Record<string, (bytes: number) => string>>;
  readonly sizes?: readonly number[];
}

const INTEGER = { type: 'integer' };
const ITEM = { type: 'object', required: ['id'], properties: { id: INTEGER } };
const listOf = (items: object) => ({ type: 'array', items });
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** One for each keyword that has no row among the shapes. */
const KEYWORDS: Readonly<Record<string, object>> = {
  type: listOf({ type: ['integer', 'null'] }),
  const: listOf({ const: { a: [1, 2, 3] } }),
  enum: listOf({ enum: [1, 'a', { a: 1 }, [1]] }),
  multipleOf: listOf({ multipleOf: 0.01 }),
  maximum: listOf({ maximum: -1 }),
  minimum: listOf({ minimum: 1 }),
  exclusiveMaximum: listOf({ exclusiveMaximum: -1 }),
  exclusiveMinimum: listOf({ exclusiveMinimum: 0 }),
  maxLength: { maxLength: 10 },
  minLength: { minLength: 1e9 },
  pattern: { pattern: '^[a-z]+$' },
  maxItems: { maxItems: 10 },
  minItems: { minItems: 1e9 },
  uniqueItems: { uniqueItems: true },
  maxContains: { contains: INTEGER, maxContains: 3 },
  minContains: { contains: INTEGER, minContains: 1e9 },
  maxProperties: { maxProperties: 2 },
  minProperties: { minProperties: 1e9 },
  required: listOf({ type: 'object', required: Array.from({ length: 20 }, (_, i) => `p${i}`) }),
  dependentRequired: { dependentRequired: { a: ['b', 'c'] } },
  items: listOf(ITEM),
  prefixItems: { type: 'array', prefixItems: [INTEGER, ITEM], items: { type: 'string' } },
  contains: { type: 'array', contains: ITEM },
  properties: { type: 'object', properties: { a: INTEGER, n1: INTEGER, n2: ITEM } },
  patternProperties: { type: 'object', patternProperties: { '^n[0-9]+$': { type: 'string' }, '^a': INTEGER }, additionalProperties: false },
  additionalProperties: { type: 'object', additionalProperties: { type: 'string' } },
  propertyNames: { type: 'object', propertyNames: { maxLength: 5, pattern: '^[a-z]+$' } },
  dependentSchemas: { type: 'object', dependentSchemas: { a: { required: ['b'] }, n1: { additionalProperties: { type: 'string' } } } },
  unevaluatedItems: { type: 'array', prefixItems: [INTEGER], anyOf: [{ contains: INTEGER }, {}], unevaluatedItems: false },
  unevaluatedProperties: {
    type: 'object',
    anyOf: [{ properties: { n1: INTEGER } }, { properties: { a: {} } }],
    unevaluatedProperties: false,
  },
  not: listOf({ not: { type: ['integer', 'object'] } }),
  if: listOf({ if: { type: 'object' }, then: { required: ['id'] }, else: { type: 'string', minLength: 5 } }),
  allOf: listOf({ allOf: [INTEGER, { minimum: 5 }, { maximum: 3 }] }),
  anyOf: listOf({ anyOf: [{ type: 'string', minLength: 3 }, ITEM, { type: 'boolean' }] }),
  oneOf: listOf({ oneOf: [{ type: 'string' }, { maxLength: 3 }, ITEM] }),
  readOnly: listOf({ type: 'object', properties: { a: { type: 'integer', readOnly: true } } }),
  default: listOf({ type: 'object', properties: { a: INTEGER, b: { type: 'string', default: 'x' } } }),
  discriminator: listOf({ oneOf: [refTo('Cat'), refTo('Dog')], discriminator: { propertyName: 'kind', mapping: { c: 'Cat', d: 'Dog' } } }),
};

const SCHEMAS = {
  Cat: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, a: INTEGER } },
  Dog: { type: 'object', required: ['kind', 'id'], properties: { kind: { type: 'string' }, id: INTEGER } },
};

export const SLOW_PATTERN = String.raw`^\S+@\S+\.\S+$`;
/** Texts as long as a pattern that is not proven linear is tested on. */
const shortTexts = (bytes: number) =>
  JSON.stringify(Array.from({ length: Math.max(1, Math.round(bytes / 2000)) }, () => '@'.repeat(Math.min(1990, bytes))));

const SHAPES: readonly Row[] = [
  {
    name: 'a tree of an untagged oneOf',
    schema: refTo('Node'),
    schemas: {
      Node: { oneOf: [refTo('Folder'), refTo('Project')] },
      Folder: { type: 'object', properties: { children: listOf(refTo('Node')), a: refTo('Node') } },
      Project: { type: 'object', properties: { children: listOf(refTo('Node')), a: refTo('Node'), id: INTEGER } },
    },
  },
  {
    name: 'a tree of an untagged anyOf',
    schema: refTo('Value'),
    schemas: {
      Value: {
        anyOf: [
          { type: 'string' },
          listOf(refTo('Value')),
          { type: 'object', additionalProperties: refTo('Value') },
          listOf(refTo('Value')),
        ],
      },
    },
  },
  {
    name: 'items of 200 required properties',
    schema: listOf({ type: 'object', required: Array.from({ length: 200 }, (_, i) => `p${i}`) }),
  },
  { name: 'a tree of lists', schema: refTo('Tree'), schemas: { Tree: listOf(refTo('Tree')) } },
  {
    name: 'a tree of objects',
    schema: refTo('Tree'),
    schemas: { Tree: { type: 'object', required: ['id'], properties: { children: listOf(refTo('Tree')), a: refTo('Tree') } } },
  },
  {
    name: 'a tree of a tagged union',
    schema: refTo('Node'),
    schemas: {
      Node: { oneOf: [refTo('A'), refTo('B')], discriminator: { propertyName: 'kind', mapping: { a: 'A', b: 'B' } } },
      A: { type: 'object', required: ['kind'], properties: { kind: { const: 'a' }, children: listOf(refTo('Node')) } },
      B: { type: 'object', required: ['kind'], properties: { kind: { const: 'b' }, children: listOf(refTo('Node')), a: refTo('Node') } },
    },
  },
  {
    name: 'a tree of properties that are dropped in one direction',
    schema: refTo('Node'),
    schemas: {
      Node: { anyOf: [refTo('Read'), refTo('Written')] },
      Read: { type: 'object', properties: { a: { allOf: [refTo('Node')], readOnly: true }, children: listOf(refTo('Node')) } },
      Written: {
        type: 'object',
        properties: { a: { allOf: [refTo('Node')], writeOnly: true }, children: listOf(refTo('Node')), id: INTEGER },
      },
    },
  },
  {
    name: 'a pattern that is not proven linear',
    schema: { anyOf: [{ pattern: SLOW_PATTERN }, listOf({ pattern: SLOW_PATTERN })] },
    texts: { ...HOSTILE_TEXTS, 'short texts': shortTexts },
    sizes: [4, 16, 64].map((kib) => kib * 1024),
  },
  {
    name: 'a pattern of names that is not proven linear',
    schema: { type: 'object', patternProperties: { [SLOW_PATTERN]: INTEGER }, additionalProperties: false },
  },
  { name: 'a maxLength beside a pattern', schema: { maxLength: 100, pattern: '^(a+)+$' }, texts: HOSTILE_STRINGS },
  { name: 'bigint', schema: listOf({ type: 'integer', format: 'int64', 'x-int64': 'bigint' }) },
  { name: 'content', schema: { type: 'object', properties: { a: { type: 'string', contentEncoding: 'base64' } } } },
];

const values = (make: (bytes: number) => Partial<IncomingRequest>) => make;
const parameter = (place: string, schema: object, more: object = {}) => ({ name: 'v', in: place, schema, ...more });
const many = (part: string) => (bytes: number) => Array.from({ length: Math.ceil(bytes / (part.length + 1)) }, () => part);
const OBJECT = { type: 'object', properties: { a: INTEGER, b: { type: 'string' } }, additionalProperties: { type: 'string' } };
const form = (body: (bytes: number) => string) => values((bytes) => ({ body: body(bytes), type: 'application/x-www-form-urlencoded' }));
const QUERIES: Readonly<Record<string, (bytes: number) => string>> = {
  'one value': (bytes) => `v=${'1'.repeat(bytes)}`,
  'a value of commas': (bytes) => `v=${','.repeat(bytes)}`,
  'a value of texts': (bytes) => `v=${'a,'.repeat(bytes / 2)}`,
  'one name many times': (bytes) => many('v=1')(bytes).join('&'),
  'names in brackets': (bytes) => many('v[a]=1')(bytes).join('&'),
  'lists in brackets': (bytes) => many('v[]=1')(bytes).join('&'),
  'many names in brackets': (bytes) => many('v[a]=1')(bytes).map((_, i) => `v[n${i}]=1`).join('&'), // prettier-ignore
  'many undeclared names': (bytes) => many('n1=1')(bytes).map((_, i) => `n${i}=1`).join('&'), // prettier-ignore
  brackets: (bytes) => `v${'[a]'.repeat(bytes / 3)}=1`,
  percent: (bytes) => `v=${'%2C'.repeat(bytes / 3)}`,
  'broken percent': (bytes) => `v=${'%'.repeat(bytes)}`,
  ampersands: (bytes) => '&'.repeat(bytes),
  plus: (bytes) => `v=${'+'.repeat(bytes)}`,
};
const searches = Object.fromEntries(Object.entries(QUERIES).map(([name, make]) => [name, values((bytes) => ({ search: make(bytes) }))]));
const forms = Object.fromEntries(Object.entries(QUERIES).map(([name, make]) => [name, form(make)]));
const headers = Object.fromEntries(
  Object.entries({ digits: '1', commas: ',', quotes: '"', blanks: ' ', pairs: 'a=1;', names: 'a,1,' }).flatMap(([name, part]) => [
    [`header of ${name}`, values((bytes) => ({ headers: { v: part.repeat(bytes / part.length) } }))],
    [`cookie of ${name}`, values((bytes) => ({ headers: { cookie: `v=${part.repeat(bytes / part.length)}` } }))],
    [`path of ${name}`, values((bytes) => ({ path: { v: encodeURIComponent(part.repeat(bytes / part.length)) } }))],
  ]),
);

const LOCATIONS: readonly Row[] = (
  [
    ['an integer', INTEGER, {}],
    ['a list', listOf(INTEGER), {}],
    ['a list of commas', listOf(INTEGER), { style: 'form', explode: false }],
    ['a list without repetition', { ...listOf(INTEGER), uniqueItems: true, maxItems: 50 }, {}],
    ['an object', OBJECT, {}],
    ['a deep object', OBJECT, { style: 'deepObject', explode: true }],
    ['JSON', OBJECT, { content: { 'application/json': { schema: OBJECT } }, schema: undefined }],
  ] as const
).flatMap(([name, schema, more]): Row[] => [
  { name: `${name} in a query`, operation: { parameters: [parameter('query', schema, more)] }, requests: searches },
  ...('style' in more
    ? []
    : [
        {
          name: `${name} in headers, cookies and paths`,
          operation: {
            parameters: (['header', 'cookie', 'path'] as const).map((place) =>
              parameter(place, schema, { ...more, required: place === 'path' }),
            ),
          },
          requests: headers,
        },
      ]),
  {
    name: `${name} in a form`,
    operation: {
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': { schema: { type: 'object', properties: { v: schema }, additionalProperties: true } },
        },
      },
    },
    requests: forms,
  },
]);

const MULTIPART: Row = {
  name: 'fields of a multipart body',
  operation: {
    requestBody: {
      content: {
        'multipart/form-data': { schema: { type: 'object', properties: { v: listOf(INTEGER), o: OBJECT, t: { type: 'string' } } } },
      },
    },
  },
  requests: Object.fromEntries(
    (['v', 'o', 't', 'other'] as const).flatMap((name) => [
      [`many ${name}`, (bytes: number) => multipart(many('12345678')(bytes).map((text) => ({ name, type: undefined, text })))],
      [`a long ${name}`, (bytes: number) => multipart([{ name, type: undefined, text: '1'.repeat(bytes) }])],
    ]),
  ),
};
const multipart = (body: readonly object[]): Partial<IncomingRequest> => ({ body, type: 'multipart/form-data' });

const KEYWORD_ROWS = Object.entries(KEYWORDS).map(([name, schema]): Row => ({ name: `keyword ${name}`, schema, schemas: SCHEMAS }));

export const ROWS: readonly Row[] = [
  ...KEYWORD_ROWS,
  ...KNOWN_FORMATS.map((format): Row => ({
    name: `format ${format}`,
    schema: { format },
    texts: { ...HOSTILE_TEXTS, ...HOSTILE_STRINGS },
  })),
  ...SHAPES,
  ...[...KEYWORD_ROWS, ...SHAPES].map((row): Row => ({ ...row, name: `${row.name}, of a response`, isResponse: true })),
  ...LOCATIONS,
  MULTIPART,
];
