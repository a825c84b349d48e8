/** Pairs of documents, each edit in every direction and place: no break is missed, and none is reported that is none. */
import { expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { compareSpecs } from '../src/breaking/compare-specs.ts';
import { withName } from './support/breaking-alternatives.ts';

type Fields = Record<string, unknown>;
type Verdict = 'break' | 'warning' | 'none';
/** What a value of a schema is sent or received as: JSON, or a text. */
type Meets = 'sent' | 'text' | 'received';
type Edit = readonly [name: string, before: Fields, after: Fields, meets: Partial<Record<Meets, Verdict>>];
interface Pair {
  readonly name: string;
  readonly before: Fields;
  readonly after: Fields;
  readonly expected: Verdict;
}

/** Parts of a document of 3.1: an item of a path or a webhook, by their keys there, and components. */
const path = (item: Fields, parameter = ''): Fields => ({ paths: { [`/@${parameter}`]: item } });
const hook = (item: Fields): Fields => ({ webhooks: { '@': item } });
const json = (schema: Fields, type = 'application/json'): Fields => ({ content: { [type]: { schema } } });
const ok = (fields: Fields = {}): Fields => ({ responses: { 200: { description: 'd', ...fields } } });
const callback = (item: Fields): Fields => path({ post: { ...ok(), callbacks: { done: { '{$request.query.url}': item } } } });
const parameter = (location: string, schema: Fields, fields: Fields = {}): Fields => ({
  ...ok(),
  parameters: [{ name: 'q', in: location, ...(location === 'path' && { required: true }), schema, ...fields }],
});
const part = (type: string, schema: Fields): Fields =>
  path({ post: { ...ok(), requestBody: json({ type: 'object', properties: { q: schema } }, type) } });
const text: Fields = { type: 'string' };

/** All places where a value is, and how clients meet it there. */
const PLACES: readonly (readonly [place: string, meets: Meets, at: (schema: Fields) => Fields])[] = [
  ['a request', 'sent', (schema) => path({ post: { ...ok(), requestBody: json(schema) } })],
  ['a component', 'sent', (schema) => ({ ...path({ post: { ...ok(), requestBody: json(ref('W')) } }), schemas: { '@W': schema } })],
  ['a response', 'received', (schema) => path({ get: ok(json(schema)) })],
  ['a webhook', 'received', (schema) => hook({ post: { ...ok(), requestBody: { required: true, ...json(schema) } } })],
  ['an answer to a webhook', 'sent', (schema) => hook({ post: ok(json(schema)) })],
  ['a callback', 'received', (schema) => callback({ post: { ...ok(), requestBody: { required: true, ...json(schema) } } })],
  ['an answer to a callback', 'sent', (schema) => callback({ post: ok(json(schema)) })],
  ['a query', 'text', (schema) => path({ get: parameter('query', schema) })],
  ['a path', 'text', (schema) => path({ get: parameter('path', schema) }, '/{q}')],
  ['a request header', 'text', (schema) => path({ get: parameter('header', schema) })],
  ['a cookie', 'text', (schema) => path({ get: parameter('cookie', schema) })],
  ['a form', 'text', (schema) => part('application/x-www-form-urlencoded', schema)],
  ['a part', 'text', (schema) => part('multipart/form-data', schema)],
  ['a response header', 'received', (schema) => path({ get: ok({ headers: { 'X-A': { schema } } }) })],
  ['a header of a webhook', 'received', (schema) => hook({ post: parameter('header', schema) })],
  ['a header of an answer to a callback', 'text', (schema) => callback({ post: ok({ headers: { 'X-A': { schema } } }) })],
];
const isWritten = (place: string) =>
  /^(?:a request|a component|a response|a webhook|an answer to a (?:webhook|callback)|a callback)$/.test(place);
const ref = (name: string): Fields => ({ $ref: `#/components/schemas/@${name}` });

const short = { type: 'string', maxLength: 5 };
const long = { type: 'string', minLength: 3 };
const NARROWER: Edit[3] = { sent: 'break', text: 'break' };
const WIDER: Edit[3] = { received: 'break' };
const BOTH: Edit[3] = { ...NARROWER, ...WIDER };
const OTHER_TYPE: Edit[3] = { sent: 'break', received: 'break' };
/** Of values that can be anywhere. What is not named is no break. */
const VALUES: readonly Edit[] = [
  ['a branch that overlaps', { oneOf: [short] }, { oneOf: [short, long] }, BOTH],
  ['anyOf made oneOf', { anyOf: [short, long] }, { oneOf: [short, long] }, NARROWER],
  ['oneOf made anyOf', { oneOf: [short, long] }, { anyOf: [short, long] }, {}],
  ['integer made one of number', { type: 'integer' }, { oneOf: [{ type: 'integer' }, { type: 'number' }] }, BOTH],
  ['a value of an enum removed', { enum: ['a', 'b'] }, { enum: ['a'] }, NARROWER],
  ['a value of an enum added', { enum: ['a'] }, { enum: ['a', 'b'] }, WIDER],
  ['int32 made int64', { type: 'integer', format: 'int32' }, { type: 'integer', format: 'int64' }, WIDER],
  ['int64 made int32', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int32' }, NARROWER],
  ['an integer made a text', { type: 'integer' }, text, OTHER_TYPE],
  ['a boolean made its texts', { type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }, OTHER_TYPE],
  ['listed numbers made their texts', { type: 'integer', enum: [1, 2] }, { type: 'string', enum: ['1', '2'] }, OTHER_TYPE],
  ['a text made an integer', text, { type: 'integer' }, BOTH],
  ['not loosened', { type: 'string', not: { enum: ['a', 'b'] } }, { type: 'string', not: { const: 'a' } }, WIDER],
  ['not tightened', { type: 'string', not: { const: 'a' } }, { type: 'string', not: { enum: ['a', 'b'] } }, NARROWER],
  ['a longer text', short, { type: 'string', maxLength: 9 }, WIDER],
  ['a shorter text', { type: 'string', maxLength: 9 }, short, NARROWER],
  ['words', { type: 'string', description: 'a' }, { type: 'string', description: 'b', title: 'c', examples: ['d'] }, {}],
];

const pet = (kind: string, name = 'name'): Fields => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { const: kind }, [name]: text },
});
const union = (names: readonly string[], discriminator?: Fields): Fields => ({
  oneOf: names.map(ref),
  ...(discriminator && { discriminator }),
});
const mapped = (...pairs: readonly (readonly [tag: string, name: string])[]): Fields => ({
  propertyName: 'kind',
  mapping: Object.fromEntries(pairs.map(([tag, name]) => [tag, ref(name)['$ref']])),
});
const open = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more });
const [A, B] = [text, { type: 'integer' }];
const PETS = { Cat: pet('cat'), Dog: pet('dog') };
/** Of objects. `$components` are those of the document. */
const OBJECTS: readonly Edit[] = [
  ['a property that leaves', open({ a: A, b: B }), open({ a: A }), { sent: 'warning', received: 'break' }],
  ['a readOnly property that leaves', open({ a: A, b: { ...B, readOnly: true } }), open({ a: A }), { received: 'break' }],
  [
    'a property of a map that leaves',
    open({ a: A, b: A }, { additionalProperties: A }),
    open({ a: A }, { additionalProperties: A }),
    WIDER,
  ],
  [
    'a property that a closed one loses',
    open({ a: A, b: B }, { additionalProperties: false }),
    open({ a: A }, { additionalProperties: false }),
    OTHER_TYPE,
  ],
  ['a property that comes', open({ a: A }), open({ a: A, b: B }), {}],
  ['a required one that comes', open({ a: A }), open({ a: A, b: B }, { required: ['b'] }), { sent: 'break' }],
  ['a required one with a default made optional', open({ a: A }, { required: ['a'] }), open({ a: { ...A, default: 'x' } }), WIDER],
  [
    'a renamed schema in oneOf',
    { oneOf: [ref('Old'), ref('B')], $components: { Old: withName('x'), B: withName('y') } },
    { oneOf: [ref('New'), ref('B')], $components: { New: withName('x'), B: withName('y') } },
    {},
  ],
  [
    'a discriminator beside constants removed',
    { ...union(['Cat', 'Dog'], { propertyName: 'kind' }), $components: PETS },
    { ...union(['Cat', 'Dog']), $components: PETS },
    {},
  ],
  [
    'a discriminator beside constants added',
    { ...union(['Cat', 'Dog']), $components: PETS },
    { ...union(['Cat', 'Dog'], mapped(['cat', 'Cat'], ['dog', 'Dog'])), $components: PETS },
    {},
  ],
  [
    'schemas renamed where constants decide',
    { ...union(['Cat', 'Dog'], mapped(['cat', 'Cat'], ['dog', 'Dog'])), $components: PETS },
    { ...union(['Lion', 'Dog'], mapped(['cat', 'Lion'], ['dog', 'Dog'])), $components: { Lion: pet('cat'), Dog: pet('dog') } },
    {},
  ],
  [
    'another constant',
    { ...union(['Cat', 'Dog'], { propertyName: 'kind' }), $components: PETS },
    { ...union(['Cat', 'Dog'], { propertyName: 'kind' }), $components: { Cat: pet('lion'), Dog: pet('dog') } },
    OTHER_TYPE,
  ],
  [
    'a mapping that names others',
    { ...union(['K', 'L'], mapped(['k', 'K'], ['l', 'L'])), $components: { K: withName('kind'), L: withName('kind') } },
    { ...union(['K', 'L'], mapped(['x', 'K'], ['l', 'L'])), $components: { K: withName('kind'), L: withName('kind') } },
    OTHER_TYPE,
  ],
];

/** `@` is the name of a pair. */
const named = (fields: Fields, name: string): Fields => JSON.parse(JSON.stringify(fields).replaceAll('@', name)) as Fields;
function placed(at: (schema: Fields) => Fields, { $components = {}, ...schema }: Fields): Fields {
  const { schemas = {}, ...fields } = at(schema);
  const own = Object.entries($components as Fields).map(([name, one]) => [`@${name}`, one] as const);
  return { ...fields, schemas: { ...(schemas as Fields), ...Object.fromEntries(own) } };
}
const inPlaces = (edits: readonly Edit[], places: typeof PLACES): Pair[] =>
  edits.flatMap(([name, before, after, meets]) =>
    places.map(([place, met, at]) => ({
      name: `${name}, in ${place}`,
      before: placed(at, before),
      after: placed(at, after),
      expected: meets[met] ?? 'none',
    })),
  );

const template = (schema: Fields): Fields => ({
  '/@/{id}': { get: { ...parameter('path', schema), parameters: [{ name: 'id', in: 'path', required: true, schema }] } },
});
/** A path beside one with a parameter, and whether it takes over its requests. */
const shadowed = (name: string, added: string, schema: Fields, expected: Verdict, before: Fields = {}): Pair => ({
  name,
  before: { paths: { ...template(schema), ...before } },
  after: {
    paths: {
      ...template(schema),
      ...before,
      [added]: {
        ...(before[added] as Fields | undefined),
        get: ok(),
        ...(added.includes('{') && { parameters: [{ name: 'x', in: 'path', required: true, schema: text }] }),
      },
    },
  },
  expected,
});
const SHADOWED: readonly Pair[] = [
  shadowed('a literal path of a text', '/@/mine', text, 'break'),
  shadowed('a literal path of an integer', '/@/mine', { type: 'integer' }, 'none'),
  shadowed('a number beside integers', '/@/7', { type: 'integer' }, 'break'),
  shadowed('a number out of their range', '/@/7', { type: 'integer', maximum: 5 }, 'none'),
  shadowed('a word beside identifiers', '/@/mine', { type: 'string', format: 'uuid' }, 'none'),
  shadowed('a word beside other words', '/@/mine', { enum: ['yours'] }, 'none'),
  shadowed('a longer path', '/@/mine/more', text, 'none'),
  shadowed('a template within', '/@/my-{x}', text, 'break'),
  shadowed('a path of another start', '/@-other/mine', text, 'none'),
  shadowed('a path that was there', '/@/mine', text, 'none', { '/@/mine': { post: ok() } }),
];

const bearer = { type: 'http', scheme: 'bearer' };
const oauth = { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://a.test/token', scopes: { read: '', write: '' } } } };
const pair = (name: string, before: Fields, after: Fields, expected: Verdict): Pair => ({ name, before, after, expected });
const withScheme = (name: string, scheme: Fields, ...scopes: readonly string[]): Fields => ({
  ...path({ get: { ...ok(), security: [{ [name]: scopes }] } }),
  securitySchemes: { [name]: scheme },
});
const [OLD, NEW] = ['@old', '@new'] as const;
const WHOLE: readonly Pair[] = [
  pair('a scheme renamed', withScheme(OLD, bearer), withScheme(NEW, { ...bearer, description: 'd' }), 'none'),
  pair('a scheme renamed and changed', withScheme(OLD, bearer), withScheme(NEW, { ...bearer, scheme: 'basic' }), 'break'),
  pair('a scheme renamed, with a scope more', withScheme(OLD, oauth, 'read'), withScheme(NEW, oauth, 'read', 'write'), 'break'),
  pair('a scheme renamed, with a scope less', withScheme(OLD, oauth, 'read', 'write'), withScheme(NEW, oauth, 'read'), 'none'),
];

const PAIRS: readonly Pair[] = [
  ...inPlaces(VALUES, PLACES),
  ...inPlaces(
    OBJECTS,
    PLACES.filter(([place]) => isWritten(place)),
  ),
  ...SHADOWED,
  ...WHOLE,
];

/** All pairs in one document. No scheme is that of another pair. */
function documentOf(side: 'before' | 'after') {
  const parts = PAIRS.map((pair, i) => named(pair[side], `pair${i}.`));
  const all = (key: string): Fields => Object.assign({}, ...parts.map((one) => one[key] ?? {})) as Fields;
  const schemes = Object.entries(all('securitySchemes')).map(([name, scheme]) => [
    name,
    { ...(scheme as Fields), 'x-pair': name.split('.')[0] },
  ]);
  const paths = Object.entries(all('paths')).map(([key, item]) => [key, withIds(item as Fields, key)]);
  const components = { schemas: all('schemas'), securitySchemes: Object.fromEntries(schemes) as Fields };
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    webhooks: all('webhooks'),
    paths: Object.fromEntries(paths) as Fields,
    components,
  };
  return parseSource(`${side}.json`, JSON.stringify(document));
}
const withIds = (item: Fields, key: string): Fields =>
  Object.fromEntries(
    Object.entries(item).map(([method, one]) => [
      method,
      ['get', 'post'].includes(method) ? { operationId: `${method}${key.replaceAll(/\W/g, '_')}`, ...(one as Fields) } : one,
    ]),
  );

test('of more than 250 pairs none is missed, and none is reported that is none', async () => {
  const found = await compareSpecs(documentOf('before'), documentOf('after'), new Date('2026-06-01T00:00:00Z'));
  const unexpected = PAIRS.flatMap(({ name, expected }, i) => {
    const own = found.filter(({ operations, at }) => [...operations, at].some((one) => one.includes(`pair${i}.`)));
    const breaks = own.filter(({ isWarning }) => isWarning !== true);
    const verdict: Verdict = breaks.length > 0 ? 'break' : own.length > 0 ? 'warning' : 'none';
    return verdict === expected
      ? []
      : [`${name}: ${verdict}, not ${expected}: ${own.map(({ change, rule }) => `${change} (${rule})`).join(' ')}`];
  });
  expect(unexpected).toEqual([]);
  expect(PAIRS.length).toBeGreaterThan(250);
  expect(found.filter(({ at, operations }) => ![at, ...operations].join().includes('pair'))).toEqual([]);
});
