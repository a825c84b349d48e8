/** Changes of operations, of what they take and what they answer, with the rules that have to find them. */
import { get, header, OBJECT, operation, parameters, query, request, response, responses, type Case } from './breaking.ts';

/** A request with a body of at most so many bytes. */
const limited = (bytes: number) => ({ post: { ...request(OBJECT).post, 'x-body-limit': bytes } });

export const OPERATIONS: readonly Case[] = [
  // Operations and what they answer.
  ['an operation removed', { ...get(), post: operation() }, get(), ['operation-removed']],
  ['an operation added', get(), { ...get(), post: operation() }, []],
  ['an operationId changed', get(), get({ operationId: 'other' }), ['operation-id-changed']],
  ['words and tags changed', get({ summary: 'a' }), get({ summary: 'b', description: 'c', tags: ['t'] }), []],
  ['operations in another order', { ...get(), delete: operation() }, { delete: operation(), ...get() }, []],
  ['a status removed', responses('200', '404'), responses('200'), ['response-removed']],
  ['a status changed', responses('200'), responses('201'), ['response-removed']],
  ['a status added', responses('200'), responses('200', '409'), []],
  ['a response body removed', response(OBJECT), get(), ['media-type-removed']],
  ['a media type removed from a response', response(OBJECT, ['text/json', 'application/json']), response(OBJECT), ['media-type-removed']],
  ['a media type added to a response', response(OBJECT), response(OBJECT, ['text/json', 'application/json']), []],
  ['a response header removed', header({ schema: { type: 'string' } }), header(), ['response-header-removed']],
  [
    'a response header made optional',
    header({ required: true, schema: { type: 'string' } }),
    header({ schema: { type: 'string' } }),
    ['response-header-became-optional'],
  ],
  [
    'the type of a response header changed',
    header({ schema: { type: 'string' } }),
    header({ schema: { type: 'integer' } }),
    ['schema-type-changed'],
  ],
  ['a response header added', header(), header({ schema: { type: 'string' } }), []],
  ['a response header in another case', header({ schema: { type: 'string' } }), header({ schema: { type: 'string' } }, 'x-a'), []],
  [
    'all response headers removed, each told',
    response(OBJECT, undefined, { 'X-A': { schema: { type: 'string' } }, 'X-B': { schema: { type: 'string' } } }),
    response(OBJECT),
    ['response-header-removed', 'response-header-removed'],
  ],

  // Parameters.
  ['a parameter removed', parameters(query(), query({ name: 'p' })), parameters(query()), ['parameter-removed']],
  ['all parameters removed, each told', parameters(query(), query({ name: 'p' })), get(), ['parameter-removed', 'parameter-removed']],
  ['a parameter renamed', parameters(query()), parameters(query({ name: 'p' })), ['parameter-removed']],
  ['a parameter moved to a header', parameters(query()), parameters(query({ in: 'header' })), ['parameter-removed']],
  ['an optional parameter added', parameters(query()), parameters(query(), query({ name: 'p' })), []],
  [
    'a required parameter added',
    parameters(query()),
    parameters(query(), query({ name: 'p', required: true })),
    ['parameter-became-required'],
  ],
  ['a parameter made required', parameters(query()), parameters(query({ required: true })), ['parameter-became-required']],
  ['a parameter made optional', parameters(query({ required: true })), parameters(query()), []],
  [
    'a parameter written in another style',
    parameters(query({ schema: { type: 'array', items: { type: 'string' } } })),
    parameters(query({ explode: false, schema: { type: 'array', items: { type: 'string' } } })),
    ['parameter-serialization-changed'],
  ],
  [
    'the default of a parameter changed',
    parameters(query({ schema: { type: 'integer', default: 20 } })),
    parameters(query({ schema: { type: 'integer', default: 10 } })),
    ['default-changed'],
  ],
  [
    'the range of a parameter narrowed',
    parameters(query({ schema: { type: 'integer', maximum: 100 } })),
    parameters(query({ schema: { type: 'integer', maximum: 50 } })),
    ['schema-constraint-changed'],
  ],
  [
    'the range of a parameter widened',
    parameters(query({ schema: { type: 'integer', maximum: 100 } })),
    parameters(query({ schema: { type: 'integer', maximum: 500 } })),
    [],
  ],
  ['parameters in another order', parameters(query(), query({ name: 'p' })), parameters(query({ name: 'p' }), query()), []],
  [
    'the defaults of a parameter written out',
    parameters(query()),
    parameters(query({ required: false, style: 'form', explode: true, deprecated: false })),
    [],
  ],
  [
    'a parameter of an operation made one of its path',
    parameters(query({ required: true })),
    { summary: 'a', parameters: [query({ required: true })], ...get() },
    [],
  ],
  [
    'a parameter of a path removed',
    { parameters: [query({ name: 'p' })], ...parameters(query()) },
    parameters(query()),
    ['parameter-removed'],
  ],
  ['a parameter made a component', parameters(query()), parameters({ $ref: '#/components/parameters/Q' }), []],

  // Request bodies.
  ['a request body removed', request(OBJECT), { post: operation() }, ['request-body-removed']],
  ['a required request body added', { post: operation() }, request(OBJECT), ['request-body-became-required']],
  ['an optional request body added', { post: operation() }, request(OBJECT, { required: false }), []],
  ['a request body made required', request(OBJECT, { required: false }), request(OBJECT), ['request-body-became-required']],
  ['a request body made optional', request(OBJECT), request(OBJECT, { required: false }), []],
  [
    'a media type removed from a request',
    request(OBJECT, { types: ['text/json', 'application/json'] }),
    request(OBJECT),
    ['media-type-removed'],
  ],
  ['a new body limit', request(OBJECT), limited(1000), ['body-limit-lowered']],
  ['a new body limit above that of the server', request(OBJECT), limited(100_000), []],
  ['a body limit lowered', limited(1000), limited(999), ['body-limit-lowered']],
  ['a body limit raised', limited(1000), limited(1001), []],
  ['a body limit above that of the server removed', limited(100_000), request(OBJECT), ['body-limit-lowered']],
  ['a body limit of an operation without a body', get(), get({ 'x-body-limit': 1 }), []],
];
