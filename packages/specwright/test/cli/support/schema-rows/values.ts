/** Types, values and boolean schemas. */
import { number, object, string, type SchemaRow } from './row.ts';

export const VALUES: readonly SchemaRow[] = [
  { name: 'a list of types', schema: { type: ['string', 'integer'] }, valid: ['a', 1], invalid: [null, true, {}, []] },
  { name: 'a type or null', schema: { type: ['string', 'null'] }, valid: ['a', null], invalid: [1, {}] },
  {
    name: 'an object, a list or null',
    schema: { type: ['object', 'array', 'null'], properties: { a: string }, required: ['a'], items: number },
    valid: [{ a: 'x' }, [1], [], null],
    invalid: [{}, ['x'], 'x', { a: 1 }],
  },
  { name: 'a list with one type', schema: { type: ['boolean'] }, valid: [true], invalid: ['true', null] },
  { name: 'the type null', schema: { type: 'null' }, valid: [null], invalid: [0, '', {}] },
  { name: 'const with a text', schema: { const: 'a' }, valid: ['a'], invalid: ['b', null] },
  { name: 'const with a number', schema: { const: -1.5 }, valid: [-1.5], invalid: [1.5, '-1.5'] },
  { name: 'const with a boolean', schema: { const: false }, valid: [false], invalid: [true, null] },
  { name: 'const with null', schema: { const: null }, valid: [null], invalid: ['a', 0, {}] },
  {
    name: 'const with an object',
    schema: { const: { a: [1, null] } },
    valid: [{ a: [1, null] }],
    invalid: [{}, { a: [1] }, { a: [1, null], b: 1 }],
  },
  { name: 'const with an empty object', schema: { const: {} }, valid: [{}], invalid: [{ a: 1 }, null, 'a'] },
  { name: 'const with a list', schema: { const: [1, 'a'] }, valid: [[1, 'a']], invalid: [[1], ['a', 1], [1, 'a', 1]] },
  {
    name: 'enum with null, and the type that allows it',
    schema: { type: ['string', 'null'], enum: ['a', null] },
    valid: ['a', null],
    invalid: ['b'],
  },
  { name: 'enum with null, and a type that does not', schema: { type: 'string', enum: ['a', null] }, valid: ['a'], invalid: [null, 'b'] },
  {
    name: 'enum without null, and null among the types',
    schema: { type: ['string', 'null'], enum: ['a'] },
    valid: ['a'],
    invalid: [null, 'b'],
  },
  {
    name: 'enum of mixed values without a type',
    schema: { enum: [1, 'a', true, null, { b: 1 }] },
    valid: [1, 'a', true, null, { b: 1 }],
    invalid: [2, false, { b: 2 }, {}],
  },
  {
    name: 'enum of objects',
    schema: { type: 'object', enum: [{ a: 1 }, { a: 2 }], properties: { a: number } },
    valid: [{ a: 1 }],
    invalid: [{ a: 3 }, {}, 'a'],
  },
  {
    name: 'enum of lists',
    schema: { type: 'array', items: { enum: [[1, 2]] } },
    valid: [
      [],
      [[1, 2]],
      [
        [1, 2],
        [1, 2],
      ],
    ],
    invalid: [[1, 2], [[1]]],
  },
  {
    name: 'format, contentEncoding and contentMediaType',
    schema: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    valid: ['aGk='],
    invalid: [1, null],
  },
  { name: 'the schema true', schema: object({ a: true }, { required: ['a'] }), valid: [{ a: 1 }, { a: null }], invalid: [{}] },
  { name: 'the schema false', schema: object({ a: false }), valid: [{}], invalid: [{ a: 1 }, { a: null }] },
  {
    name: 'not',
    schema: { type: ['string', 'number'], not: { type: 'number' } },
    valid: ['a'],
    invalid: [true],
    wider: ['TypeScript has no complement of a type', 1],
  },
  { name: 'no keywords', schema: {}, valid: [1, null, 'a', {}, []], invalid: [] },
];
