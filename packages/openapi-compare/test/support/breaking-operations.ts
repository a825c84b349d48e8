/** Changes of operations, of what they take and what they answer, with the rules that have to find them. */
import { get, header, OBJECT, operation, parameters, query, request, response, responses, type Case } from './breaking.ts';

/** A request with a body of at most so many bytes. */
const limited = (bytes: number) => ({ post: { ...request(OBJECT).post, 'x-body-limit': bytes } });

export const OPERATIONS: readonly Case[] = [
  // Operations and what they answer.
  { name: 'an operation removed', before: { ...get(), post: operation() }, after: get(), finds: ['operation-removed'] },
  { name: 'an operation added', before: get(), after: { ...get(), post: operation() }, finds: [] },
  { name: 'an operationId changed', before: get(), after: get({ operationId: 'other' }), finds: ['operation-id-changed'] },
  { name: 'words and tags changed', before: get({ summary: 'a' }), after: get({ summary: 'b', description: 'c', tags: ['t'] }), finds: [] },
  { name: 'operations in another order', before: { ...get(), delete: operation() }, after: { delete: operation(), ...get() }, finds: [] },
  { name: 'a status removed', before: responses('200', '404'), after: responses('200'), finds: ['response-removed'] },
  { name: 'a status changed', before: responses('200'), after: responses('201'), finds: ['response-removed'] },
  { name: 'a status added', before: responses('200'), after: responses('200', '409'), finds: [] },
  { name: 'a response body removed', before: response(OBJECT), after: get(), finds: ['media-type-removed'] },
  {
    name: 'a media type removed from a response',
    before: response(OBJECT, ['text/json', 'application/json']),
    after: response(OBJECT),
    finds: ['media-type-removed'],
  },
  {
    name: 'a media type added to a response',
    before: response(OBJECT),
    after: response(OBJECT, ['text/json', 'application/json']),
    finds: [],
  },
  {
    name: 'a response header removed',
    before: header({ schema: { type: 'string' } }),
    after: header(),
    finds: ['response-header-removed'],
  },
  {
    name: 'a response header made optional',
    before: header({ required: true, schema: { type: 'string' } }),
    after: header({ schema: { type: 'string' } }),
    finds: ['response-header-became-optional'],
  },
  {
    name: 'the type of a response header changed',
    before: header({ schema: { type: 'string' } }),
    after: header({ schema: { type: 'integer' } }),
    finds: ['schema-type-changed'],
  },
  { name: 'a response header added', before: header(), after: header({ schema: { type: 'string' } }), finds: [] },
  {
    name: 'a response header in another case',
    before: header({ schema: { type: 'string' } }),
    after: header({ schema: { type: 'string' } }, 'x-a'),
    finds: [],
  },
  {
    name: 'all response headers removed, each told',
    before: response(OBJECT, undefined, { 'X-A': { schema: { type: 'string' } }, 'X-B': { schema: { type: 'string' } } }),
    after: response(OBJECT),
    finds: ['response-header-removed', 'response-header-removed'],
  },

  // Parameters.
  {
    name: 'a parameter removed',
    before: parameters(query(), query({ name: 'p' })),
    after: parameters(query()),
    finds: ['parameter-removed'],
  },
  {
    name: 'all parameters removed, each told',
    before: parameters(query(), query({ name: 'p' })),
    after: get(),
    finds: ['parameter-removed', 'parameter-removed'],
  },
  { name: 'a parameter renamed', before: parameters(query()), after: parameters(query({ name: 'p' })), finds: ['parameter-removed'] },
  {
    name: 'a parameter moved to a header',
    before: parameters(query()),
    after: parameters(query({ in: 'header' })),
    finds: ['parameter-removed'],
  },
  { name: 'an optional parameter added', before: parameters(query()), after: parameters(query(), query({ name: 'p' })), finds: [] },
  {
    name: 'a required parameter added',
    before: parameters(query()),
    after: parameters(query(), query({ name: 'p', required: true })),
    finds: ['parameter-became-required'],
  },
  {
    name: 'a parameter made required',
    before: parameters(query()),
    after: parameters(query({ required: true })),
    finds: ['parameter-became-required'],
  },
  { name: 'a parameter made optional', before: parameters(query({ required: true })), after: parameters(query()), finds: [] },
  {
    name: 'a parameter written in another style',
    before: parameters(query({ schema: { type: 'array', items: { type: 'string' } } })),
    after: parameters(query({ explode: false, schema: { type: 'array', items: { type: 'string' } } })),
    finds: ['parameter-serialization-changed'],
  },
  {
    name: 'the default of a parameter changed',
    before: parameters(query({ schema: { type: 'integer', default: 20 } })),
    after: parameters(query({ schema: { type: 'integer', default: 10 } })),
    finds: ['default-changed'],
  },
  {
    name: 'the range of a parameter narrowed',
    before: parameters(query({ schema: { type: 'integer', maximum: 100 } })),
    after: parameters(query({ schema: { type: 'integer', maximum: 50 } })),
    finds: ['schema-constraint-changed'],
  },
  {
    name: 'the range of a parameter widened',
    before: parameters(query({ schema: { type: 'integer', maximum: 100 } })),
    after: parameters(query({ schema: { type: 'integer', maximum: 500 } })),
    finds: [],
  },
  {
    name: 'parameters in another order',
    before: parameters(query(), query({ name: 'p' })),
    after: parameters(query({ name: 'p' }), query()),
    finds: [],
  },
  {
    name: 'the defaults of a parameter written out',
    before: parameters(query()),
    after: parameters(query({ required: false, style: 'form', explode: true, deprecated: false })),
    finds: [],
  },
  {
    name: 'a parameter of an operation made one of its path',
    before: parameters(query({ required: true })),
    after: { summary: 'a', parameters: [query({ required: true })], ...get() },
    finds: [],
  },
  {
    name: 'a parameter of a path removed',
    before: { parameters: [query({ name: 'p' })], ...parameters(query()) },
    after: parameters(query()),
    finds: ['parameter-removed'],
  },
  {
    name: 'a parameter made a component',
    before: parameters(query()),
    after: parameters({ $ref: '#/components/parameters/Q' }),
    finds: [],
  },

  // Request bodies.
  { name: 'a request body removed', before: request(OBJECT), after: { post: operation() }, finds: ['request-body-removed'] },
  { name: 'a required request body added', before: { post: operation() }, after: request(OBJECT), finds: ['request-body-became-required'] },
  { name: 'an optional request body added', before: { post: operation() }, after: request(OBJECT, { required: false }), finds: [] },
  {
    name: 'a request body made required',
    before: request(OBJECT, { required: false }),
    after: request(OBJECT),
    finds: ['request-body-became-required'],
  },
  { name: 'a request body made optional', before: request(OBJECT), after: request(OBJECT, { required: false }), finds: [] },
  {
    name: 'a media type removed from a request',
    before: request(OBJECT, { types: ['text/json', 'application/json'] }),
    after: request(OBJECT),
    finds: ['media-type-removed'],
  },
  { name: 'a new body limit', before: request(OBJECT), after: limited(1000), finds: ['body-limit-lowered'] },
  { name: 'a new body limit above that of the server', before: request(OBJECT), after: limited(100_000), finds: [] },
  { name: 'a body limit lowered', before: limited(1000), after: limited(999), finds: ['body-limit-lowered'] },
  { name: 'a body limit raised', before: limited(1000), after: limited(1001), finds: [] },
  {
    name: 'a body limit above that of the server removed',
    before: limited(100_000),
    after: request(OBJECT),
    finds: ['body-limit-lowered'],
  },
  { name: 'a body limit of an operation without a body', before: get(), after: get({ 'x-body-limit': 1 }), finds: [] },
];
