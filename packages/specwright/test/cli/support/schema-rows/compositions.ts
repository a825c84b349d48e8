/** `allOf`, `anyOf`, `oneOf` and discriminators. */
import { CONDITION, UNION, number, object, ref, string, type SchemaRow } from './row.ts';

export const COMPOSITIONS: readonly SchemaRow[] = [
  {
    name: 'anyOf with null and a $ref',
    schema: { anyOf: [ref('Named'), { type: 'null' }] },
    valid: [null, { name: 'x' }],
    invalid: [1, { name: 1 }],
  },
  { name: 'oneOf with null and a $ref', schema: { oneOf: [{ type: 'null' }, ref('Text')] }, valid: [null, 'a'], invalid: [1, {}] },
  {
    name: 'anyOf with null and a schema',
    schema: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
    valid: [null, 'a'],
    invalid: [1],
  },
  {
    name: 'anyOf of a property',
    schema: object({ a: { anyOf: [string, { type: 'array', items: string }] } }),
    valid: [{ a: 'x' }, { a: ['x'] }],
    invalid: [{ a: 1 }, { a: [1] }],
  },
  {
    name: 'anyOf beside properties',
    schema: object({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    valid: [{ a: 'x' }, { b: 'y' }, { a: 'x', b: 'y' }],
    invalid: [{}, { a: 1 }],
  },
  {
    name: 'anyOf beside properties, and null',
    schema: { type: ['object', 'null'], properties: { a: string }, anyOf: [{ type: 'null' }, { type: 'object', required: ['a'] }] },
    valid: [null, { a: 'x' }],
    invalid: [{}, { a: 1 }, 'a'],
  },
  { name: 'oneOf beside a type', schema: { type: 'string', oneOf: [string, number] }, valid: ['a'], invalid: [1] },
  {
    name: 'oneOf of texts, each a const',
    schema: { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] },
    valid: ['a', 'b'],
    invalid: ['c', 1],
  },
  {
    name: 'oneOf that two branches match',
    schema: { oneOf: [ref('Named'), object({ age: number })] },
    valid: [],
    undeclared: [{ name: 'x', age: 'y' }],
    invalid: [1, 'a'],
    wider: [UNION, { name: 'x' }, {}],
  },
  {
    name: 'oneOf and anyOf',
    schema: {
      type: 'object',
      oneOf: [object({ a: string }, { required: ['a'] }), object({ b: string }, { required: ['b'] })],
      anyOf: [object({ c: number }, { required: ['c'] }), object({ d: number }, { required: ['d'] })],
    },
    valid: [
      { a: 'x', c: 1 },
      { b: 'x', d: 1 },
    ],
    invalid: [{ a: 'x' }, { c: 1 }, { a: 1, c: 1 }],
  },
  {
    name: 'allOf with required of another part',
    schema: { allOf: [ref('Named'), { required: ['name'] }] },
    valid: [{ name: 'x' }],
    invalid: [{}, { name: 1 }],
  },
  {
    name: 'allOf with required of a part of a part',
    schema: { allOf: [ref('Aged')], required: ['name', 'age'] },
    valid: [{ name: 'x', age: 1 }],
    invalid: [{}, { name: 'x' }, { age: 1 }],
  },
  {
    name: 'allOf of objects that may be null',
    schema: { type: ['object', 'null'], properties: { a: string }, allOf: [{ type: ['object', 'null'], properties: { b: number } }] },
    valid: [null, { a: 'x', b: 1 }],
    invalid: [{ a: 1 }, { b: 'x' }, 'a'],
  },
  {
    name: 'allOf of an object, beside a type that allows null',
    schema: { type: ['object', 'null'], allOf: [ref('Named')] },
    valid: [{ name: 'x' }],
    invalid: [null, { name: 1 }],
  },
  {
    name: 'allOf with a part that has only a type',
    schema: { type: 'object', allOf: [ref('Named'), { type: 'object' }] },
    valid: [{ name: 'x' }, {}],
    invalid: [{ name: 1 }, 'a'],
    undeclared: [{ b: 1 }],
  },
  {
    name: 'allOf with conditions',
    schema: { allOf: [ref('Named'), { if: { required: ['name'] }, then: { properties: { x: number } } }] },
    valid: [{ name: 'x', x: 1 }, { x: 'any' }],
    invalid: [{ name: 1 }],
    wider: [CONDITION, { name: 'x', x: 'y' }],
  },
  {
    name: 'allOf with properties beside additionalProperties',
    schema: { allOf: [ref('Named')], type: 'object', properties: { a: number }, additionalProperties: { type: ['string', 'number'] } },
    valid: [{ name: 'x', a: 1, b: 'y' }],
    invalid: [{ name: 1 }, { b: true }],
  },
  {
    name: 'a discriminator',
    schema: {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    valid: [
      { kind: 'cat', lives: 9 },
      { kind: 'dog', tricks: ['sit'] },
    ],
    invalid: [{ lives: 9 }, { kind: 'bird' }, { kind: 'cat' }, { kind: 'dog', tricks: [1] }],
  },
  {
    name: 'a schema that a discriminator names, elsewhere',
    schema: ref('Cat'),
    valid: [{ lives: 9 }, { lives: 9, kind: 'any' }],
    invalid: [{}, { lives: 9, kind: 1 }],
  },
  {
    name: 'a discriminator without a mapping',
    schema: { anyOf: [ref('Cat'), ref('Named')], discriminator: { propertyName: 'kind' } },
    valid: [
      { kind: 'Cat', lives: 9 },
      { kind: 'Named', name: 'x' },
    ],
    invalid: [{ kind: 'cat', lives: 9 }, { name: 'x' }, { kind: 'Cat' }],
  },
  {
    name: 'const as a tag of oneOf',
    schema: {
      oneOf: [object({ t: { const: 1 }, a: string }, { required: ['t'] }), object({ t: { const: 2 }, b: number }, { required: ['t'] })],
    },
    valid: [
      { t: 1, a: 'x' },
      { t: 2, b: 1 },
    ],
    invalid: [{ t: 3 }, { t: 1, a: 1 }, {}],
  },
  { name: 'a branch false', schema: { anyOf: [false, string] }, valid: ['a'], invalid: [1, null] },
  {
    name: 'a composition in which the branches name no type',
    schema: { type: ['object', 'string'], properties: { a: string }, anyOf: [{ required: ['a'] }, { minLength: 3 }] },
    valid: [{ a: 'x' }, 'abc', 'a'],
    invalid: [1, { a: 1 }],
  },
];
