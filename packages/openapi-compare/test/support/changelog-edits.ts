/** Edits of a small spec, each with the lines that a changelog has to say of it. */
import { request, response, changed, OBJECT, get, header, operation, parameters, query, responses } from './breaking.ts';

type Fields = Record<string, unknown>;

/** Path items, or whole documents; and the lines, `kind  where: what`, of the operation or the whole API. */
export type Edit = readonly [name: string, before: Fields, after: Fields, ...lines: string[]];

const object = (place: string, keywords: Fields) => request(changed(place, keywords));
const body = request(OBJECT);
const enumOf = (...values: unknown[]) => response({ type: 'string', enum: values });
const link = (fields?: Fields) =>
  get({ responses: { 200: { description: 'ok', ...(fields && { links: { next: fields } }) }, 404: { description: 'none' } } });
const callback = (fields?: Fields) => get(fields && { callbacks: { done: { '{$request.query.url}': { post: operation(fields) } } } });
const lists = (fields: Fields) => parameters(query({ schema: { type: 'array', items: { type: 'string', ...fields } } }));
const file = (bytes: number) =>
  request(
    { type: 'object', properties: { photo: { type: 'string', format: 'binary', 'x-max-bytes': bytes } } },
    { types: ['multipart/form-data'] },
  );

/** Of paths, in OpenAPI 3.0. */
export const PATH_EDITS: readonly Edit[] = [
  // Added.
  ['an operation', get(), { ...get(), post: operation({ summary: 'Make one.' }) }, 'added operation added: Make one'],
  [
    'an experimental operation',
    get(),
    { ...get(), post: operation({ 'x-stability': 'experimental' }) },
    'added operation added (experimental)',
  ],
  ['an optional parameter', get(), parameters(query()), 'added optional query parameter `q` added'],
  ['a required parameter', get(), parameters(query({ required: true })), 'added required query parameter `q` added'],
  ['a header parameter', get(), parameters(query({ in: 'header', name: 'X-A' })), 'added optional header parameter `X-A` added'],
  ['a request body', { post: operation() }, request({ type: 'string' }, { required: false }), 'added optional request body added'],
  ['an optional property', body, object('properties', { tag: { type: 'string' } }), 'added request body: optional property `tag` added'],
  [
    'a property in a list of objects',
    body,
    object('properties.list.items.properties', { tag: { type: 'string' } }),
    'added request body: optional property `list[].tag` added',
  ],
  ['a status', responses('200'), responses('200', '409'), 'added response 409 added'],
  ['a response header', header(), header({ schema: { type: 'string' } }), 'added response 200: optional header `X-A` added'],
  ['a media type', response(OBJECT), response(OBJECT, ['application/json', 'text/csv']), 'added response 200: `text/csv` added'],
  ['a value of an enum', enumOf('a'), enumOf('a', 'b'), 'added response 200: value `b` added'],
  ['two values of an enum', enumOf('a'), enumOf('a', 'b', 'c'), 'added response 200: values `b`, `c` added'],
  [
    'an alternative',
    request({ oneOf: [{ type: 'string' }] }),
    request({ oneOf: [{ type: 'string' }, { type: 'integer' }] }),
    'added request body: alternative `integer` added',
  ],
  ['a link', link(), link({ operationId: 'op' }), 'added response 200: link `next` added'],
  ['a callback', callback(), callback({}), 'added callback `done` added'],
  ['another scheme', get(), get({ security: [{ key: [] }, { other: [] }] }), 'added `other` accepted as well'],
  ['a tag', get(), get({ tags: ['pets'] }), 'added tag `pets` added'],
  // Changed.
  [
    'a maximum',
    parameters(query({ schema: { type: 'integer', maximum: 100 } })),
    parameters(query({ schema: { type: 'integer', maximum: 50 } })),
    'changed query parameter `q`: `maximum` lowered from `100` to `50`',
  ],
  [
    'a default',
    parameters(query({ schema: { type: 'integer', default: 20 } })),
    parameters(query({ schema: { type: 'integer', default: 50 } })),
    'changed query parameter `q`: `default` raised from `20` to `50`',
  ],
  [
    'a length of items',
    lists({ maxLength: 5 }),
    lists({ maxLength: 9 }),
    'changed query parameter `q`, items: `maxLength` raised from `5` to `9`',
  ],
  [
    'a pattern',
    body,
    object('properties.name', { pattern: '^b' }),
    'changed request body, property `name`: `pattern` changed from `^a` to `^b`',
  ],
  ['a format', body, object('properties.kind', { format: 'email' }), 'changed request body, property `kind`: `format` `email` added'],
  [
    'a bound that is gone',
    body,
    object('properties.name', { maxLength: undefined }),
    'changed request body, property `name`: `maxLength` `10` removed',
  ],
  [
    'a type',
    body,
    object('properties.name', { type: 'integer' }),
    'changed request body, property `name`: `type` changed from `string` to `integer`',
  ],
  ['a nullable property', body, object('properties.name', { nullable: true }), 'changed request body, property `name`: null allowed'],
  ['a property made required', body, object('', { required: ['name', 'age'] }), 'changed request body, property `age`: now required'],
  ['a property made optional', body, object('', { required: undefined }), 'changed request body, property `name`: now optional'],
  [
    'a read-only property',
    body,
    object('properties.kind', { readOnly: true }),
    'changed request body, property `kind`: now read-only: only in responses',
  ],
  ['undeclared properties', body, object('', { additionalProperties: true }), 'changed request body: undeclared properties allowed'],
  [
    'undeclared properties with a schema',
    request({ type: 'object', additionalProperties: { type: 'string' } }),
    request({ type: 'object', additionalProperties: { type: 'integer' } }),
    'changed request body, undeclared properties: `type` changed from `string` to `integer`',
  ],
  [
    'an enum where any value was',
    response({ type: 'string' }),
    enumOf('a', 'b'),
    'changed response 200: restricted to the values `a`, `b`',
  ],
  [
    'a style',
    lists({}),
    parameters(query({ explode: false, schema: { type: 'array', items: { type: 'string' } } })),
    'changed query parameter `q`: `explode` changed from `true` to `false`',
  ],
  [
    'an operationId',
    get(),
    get({ operationId: 'other' }),
    'changed operationId changed from `op-get-0` to `other-get-0`, which names functions of generated clients',
  ],
  [
    'a path parameter of another name',
    { ...get(), parameters: [query({ in: 'path', name: 'a', required: true })] },
    { ...get(), parameters: [query({ in: 'path', name: 'b', required: true })] },
    'changed path parameter `b`: `name` changed from `a` to `b`',
  ],
  ['a stability', get({ 'x-stability': 'beta' }), get(), 'changed stability changed from `beta` to `stable`'],
  ['a cost', get(), get({ 'x-rate-limit-cost': 5 }), 'changed cost in the rate limit raised from `1` to `5`'],
  [
    'a body limit',
    body,
    { post: { ...body.post, 'x-body-limit': 1000 } },
    'changed request body: largest body in bytes lowered from `65536` to `1000`',
  ],
  ['the size of a file', file(100), file(200), 'changed request body, property `photo`: largest file in bytes raised from `100` to `200`'],
  ['credentials', get(), get({ security: [{ other: ['read'] }] }), 'changed credentials changed from `key` to `other (read)`'],
  [
    'a link to another operation',
    link({ operationId: 'op' }),
    link({ operationId: 'other' }),
    'changed response 200, link `next`: `operationId` changed from `op` to `other`',
  ],
  [
    'a reference to another schema',
    response({ $ref: '#/components/schemas/Same' }),
    response({ $ref: '#/components/schemas/Word' }),
    'changed response 200: `type` changed from `object` to `string`',
    '+',
  ],
  // Deprecated.
  ['an operation', get(), get({ deprecated: true }), 'deprecated deprecated'],
  [
    'an operation with an end and a successor',
    get(),
    get({ deprecated: true, 'x-deprecated-sunset': '2027-12-31', 'x-deprecated-successor': 'op-post-0' }),
    'deprecated deprecated, answers 410 from 2027-12-31 on; use `op-post-0`',
  ],
  [
    'an end',
    get({ deprecated: true }),
    get({ deprecated: true, 'x-deprecated-sunset': '2027-12-31' }),
    'deprecated ends: answers 410 from 2027-12-31 on',
  ],
  [
    'another end',
    get({ deprecated: true, 'x-deprecated-sunset': '2027-12-31' }),
    get({ deprecated: true, 'x-deprecated-sunset': '2027-06-30' }),
    'deprecated end moved from 2027-12-31 to 2027-06-30',
  ],
  ['a successor', get({ deprecated: true }), get({ deprecated: true, 'x-deprecated-successor': 'x' }), 'deprecated successor is now `x`'],
  ['a parameter', parameters(query()), parameters(query({ deprecated: true })), 'deprecated query parameter `q`: deprecated'],
  ['a property', body, object('properties.kind', { deprecated: true }), 'deprecated request body, property `kind`: deprecated'],
  [
    'a property beside a reference',
    request({ type: 'object', properties: { a: { $ref: '#/components/schemas/Same' } } }),
    request({ type: 'object', properties: { a: { deprecated: true, allOf: [{ $ref: '#/components/schemas/Same' }] } } }),
    'deprecated request body, property `a`: deprecated',
  ],
  ['a deprecation taken back', get({ deprecated: true }), get(), 'changed no longer deprecated'],
  // Removed.
  ['an operation', { ...get(), put: operation() }, get(), 'removed operation removed'],
  [
    'an operation after its end',
    { put: operation(), ...get({ deprecated: true, 'x-deprecated-sunset': '2026-01-01' }) },
    { put: operation() },
    'removed operation removed, after its end on 2026-01-01',
  ],
  ['a parameter', parameters(query()), get(), 'removed optional query parameter `q` removed'],
  ['a request body', request({ type: 'string' }), { post: operation() }, 'removed required request body removed'],
  ['a property', body, object('properties', { kind: undefined }), 'removed request body: optional property `kind` removed'],
  ['a status', responses('200', '404'), responses('200'), 'removed response 404 removed'],
  ['a header', header({ required: true, schema: { type: 'string' } }), header(), 'removed response 200: required header `X-A` removed'],
  ['a media type', response(OBJECT, ['application/json', 'text/csv']), response(OBJECT), 'removed response 200: `text/csv` removed'],
  ['a value of an enum', enumOf('a', 'b'), enumOf('a'), 'removed response 200: value `b` removed'],
  ['a link', link({ operationId: 'op' }), link(), 'removed response 200: link `next` removed'],
  // Nothing that a client notices.
  ['words and examples', get({ summary: 'a' }), get({ summary: 'b', description: 'c' })],
  ['an unknown extension', get(), get({ 'x-internal': true })],
  [
    'values that x-enumDescriptions explains',
    enumOf('a'),
    response({ type: 'string', enum: ['a'], 'x-enumDescriptions': { a: 'The first.' } }),
  ],
];

/** Of paths, in OpenAPI 3.1. */
export const PATH_EDITS_31: readonly Edit[] = [
  ['null in a list of types', response({ type: 'string' }), response({ type: ['string', 'null'] }), 'changed response 200: null allowed'],
  [
    'null beside a reference',
    response({ $ref: '#/components/schemas/Same' }),
    response({ anyOf: [{ $ref: '#/components/schemas/Same' }, { type: 'null' }] }),
    'changed response 200: null allowed',
  ],
  [
    'a const',
    response({ const: 'a' }),
    response({ const: 'b' }),
    'added response 200: value `b` added',
    'removed response 200: value `a` removed',
  ],
  [
    'an exclusive bound',
    request({ type: 'number', exclusiveMinimum: 1 }),
    request({ type: 'number', exclusiveMinimum: 2 }),
    'changed request body: `exclusiveMinimum` raised from `1` to `2`',
  ],
  [
    'a first item',
    request({ prefixItems: [{ type: 'string' }] }),
    request({ prefixItems: [{ type: 'integer' }] }),
    'changed request body, item `[0]`: `type` changed from `string` to `integer`',
  ],
  [
    'a schema of names',
    request({ type: 'object', patternProperties: { '^x': { type: 'string' } } }),
    request({ type: 'object', patternProperties: { '^x': { type: 'integer' } } }),
    'changed request body, property `{^x}`: `type` changed from `string` to `integer`',
  ],
  [
    'a dependency',
    request({ type: 'object' }),
    request({ type: 'object', dependentRequired: { a: ['b'] } }),
    'changed request body: `dependentRequired` `{"a":["b"]}` added',
  ],
  [
    'a deprecation beside a reference',
    response({ type: 'object', properties: { a: { $ref: '#/components/schemas/Same' } } }),
    response({ type: 'object', properties: { a: { $ref: '#/components/schemas/Same', deprecated: true } } }),
    'deprecated response 200, property `a`: deprecated',
  ],
  [
    'a requirement beside a reference',
    request({ allOf: [{ $ref: '#/components/schemas/Same' }] }),
    request({ allOf: [{ $ref: '#/components/schemas/Same' }], required: ['age'] }),
    'changed request body: `age` now required',
  ],
];
