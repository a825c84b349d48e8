/** Schemas with alternatives: a value that is valid in two of a `oneOf` is refused. */

type Fields = Record<string, unknown>;

/** An object that requires one text. */
export const withName = (name: string, more: Fields = {}): Fields => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string' } },
  ...more,
});
const tagged = (kind: string, more: Fields = {}): Fields => ({
  type: 'object',
  required: ['kind'],
  properties: { kind: { enum: [kind] }, ...more },
});

/** Of `oneOf` exactly one alternative may be valid: a request that was valid in one, or in any, is valid in two. */
export const EXCLUSIVE: readonly (readonly [name: string, before: Fields, after: Fields])[] = [
  ['an alternative that overlaps', { oneOf: [withName('a')] }, { oneOf: [withName('a'), withName('b')] }],
  ['anyOf made oneOf', { anyOf: [withName('a'), withName('b')] }, { oneOf: [withName('a'), withName('b')] }],
  ['integer made an alternative of number', { type: 'integer' }, { oneOf: [{ type: 'integer' }, { type: 'number' }] }],
  [
    'anyOf made oneOf, in a property',
    { type: 'object', properties: { p: { anyOf: [withName('a'), withName('b')] } } },
    { type: 'object', properties: { p: { oneOf: [withName('a'), withName('b')] } } },
  ],
  [
    'anyOf made oneOf, in items',
    { type: 'array', items: { anyOf: [withName('a'), withName('b')] } },
    { type: 'array', items: { oneOf: [withName('a'), withName('b')] } },
  ],
];

/** Alternatives of which no value is in two: what tells them apart is a type, a constant, a required name, a bound or a format. */
export const APART: readonly (readonly [name: string, before: Fields, after: Fields])[] = [
  [
    'anyOf made oneOf of two types',
    { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  ],
  ['anyOf made oneOf of two constants', { anyOf: [tagged('a'), tagged('b')] }, { oneOf: [tagged('a'), tagged('b')] }],
  ['an alternative of another constant', { oneOf: [tagged('a')] }, { oneOf: [tagged('a'), tagged('b')] }],
  [
    'an alternative told apart within a property',
    { oneOf: [withName('p', { properties: { p: tagged('a') } })] },
    { oneOf: [withName('p', { properties: { p: tagged('a') } }), withName('p', { properties: { p: tagged('b') } })] },
  ],
  [
    'an alternative that lacks a required name',
    { oneOf: [withName('a')] },
    { oneOf: [withName('a'), withName('b', { additionalProperties: false })] },
  ],
  [
    'an alternative of another range',
    { oneOf: [{ type: 'integer', maximum: 3 }] },
    {
      oneOf: [
        { type: 'integer', maximum: 3 },
        { type: 'integer', minimum: 4 },
      ],
    },
  ],
  [
    'an alternative of another format',
    { oneOf: [{ type: 'string', format: 'date' }] },
    {
      oneOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'uuid' },
      ],
    },
  ],
  [
    'an optional property added to one that overlaps another',
    { oneOf: [withName('a'), withName('b')] },
    { oneOf: [withName('a'), { ...withName('b'), properties: { b: { type: 'string' }, c: { type: 'integer' } } }] },
  ],
  ['oneOf made anyOf', { oneOf: [withName('a'), withName('b')] }, { anyOf: [withName('a'), withName('b')] }],
];
