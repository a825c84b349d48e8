/** `allOf`, `anyOf`, `oneOf` and discriminators. */
import { CONDITION, UNION, number, object, ref, string, type Row } from './row.ts';

export const COMPOSITIONS: readonly Row[] = [
  ['anyOf with null and a $ref', { anyOf: [ref('Named'), { type: 'null' }] }, [null, { name: 'x' }], [1, { name: 1 }]],
  ['oneOf with null and a $ref', { oneOf: [{ type: 'null' }, ref('Text')] }, [null, 'a'], [1, {}]],
  ['anyOf with null and a schema', { anyOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] }, [null, 'a'], [1]],
  [
    'anyOf of a property',
    object({ a: { anyOf: [string, { type: 'array', items: string }] } }),
    [{ a: 'x' }, { a: ['x'] }],
    [{ a: 1 }, { a: [1] }],
  ],
  [
    'anyOf beside properties',
    object({ a: string, b: string }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    [{ a: 'x' }, { b: 'y' }, { a: 'x', b: 'y' }],
    [{}, { a: 1 }],
  ],
  [
    'anyOf beside properties, and null',
    { type: ['object', 'null'], properties: { a: string }, anyOf: [{ type: 'null' }, { type: 'object', required: ['a'] }] },
    [null, { a: 'x' }],
    [{}, { a: 1 }, 'a'],
  ],
  ['oneOf beside a type', { type: 'string', oneOf: [string, number] }, ['a'], [1]],
  ['oneOf of texts, each a const', { type: 'string', oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] }, ['a', 'b'], ['c', 1]],
  [
    'oneOf that two branches match',
    { oneOf: [ref('Named'), object({ age: number })] },
    [],
    [1, 'a'],
    { undeclared: [{ name: 'x', age: 'y' }], wider: [UNION, { name: 'x' }, {}] },
  ],
  [
    'oneOf and anyOf',
    {
      type: 'object',
      oneOf: [object({ a: string }, { required: ['a'] }), object({ b: string }, { required: ['b'] })],
      anyOf: [object({ c: number }, { required: ['c'] }), object({ d: number }, { required: ['d'] })],
    },
    [
      { a: 'x', c: 1 },
      { b: 'x', d: 1 },
    ],
    [{ a: 'x' }, { c: 1 }, { a: 1, c: 1 }],
  ],
  ['allOf with required of another part', { allOf: [ref('Named'), { required: ['name'] }] }, [{ name: 'x' }], [{}, { name: 1 }]],
  [
    'allOf with required of a part of a part',
    { allOf: [ref('Aged')], required: ['name', 'age'] },
    [{ name: 'x', age: 1 }],
    [{}, { name: 'x' }, { age: 1 }],
  ],
  [
    'allOf of objects that may be null',
    { type: ['object', 'null'], properties: { a: string }, allOf: [{ type: ['object', 'null'], properties: { b: number } }] },
    [null, { a: 'x', b: 1 }],
    [{ a: 1 }, { b: 'x' }, 'a'],
  ],
  [
    'allOf of an object, beside a type that allows null',
    { type: ['object', 'null'], allOf: [ref('Named')] },
    [{ name: 'x' }],
    [null, { name: 1 }],
  ],
  [
    'allOf with a part that has only a type',
    { type: 'object', allOf: [ref('Named'), { type: 'object' }] },
    [{ name: 'x' }, {}],
    [{ name: 1 }, 'a'],
    { undeclared: [{ b: 1 }] },
  ],
  [
    'allOf with conditions',
    { allOf: [ref('Named'), { if: { required: ['name'] }, then: { properties: { x: number } } }] },
    [{ name: 'x', x: 1 }, { x: 'any' }],
    [{ name: 1 }],
    { wider: [CONDITION, { name: 'x', x: 'y' }] },
  ],
  [
    'allOf with properties beside additionalProperties',
    { allOf: [ref('Named')], type: 'object', properties: { a: number }, additionalProperties: { type: ['string', 'number'] } },
    [{ name: 'x', a: 1, b: 'y' }],
    [{ name: 1 }, { b: true }],
  ],
  [
    'a discriminator',
    {
      oneOf: [ref('Cat'), ref('Dog')],
      discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat', dog: 'Dog' } },
    },
    [
      { kind: 'cat', lives: 9 },
      { kind: 'dog', tricks: ['sit'] },
    ],
    [{ lives: 9 }, { kind: 'bird' }, { kind: 'cat' }, { kind: 'dog', tricks: [1] }],
  ],
  ['a schema that a discriminator names, elsewhere', ref('Cat'), [{ lives: 9 }, { lives: 9, kind: 'any' }], [{}, { lives: 9, kind: 1 }]],
  [
    'a discriminator without a mapping',
    { anyOf: [ref('Cat'), ref('Named')], discriminator: { propertyName: 'kind' } },
    [
      { kind: 'Cat', lives: 9 },
      { kind: 'Named', name: 'x' },
    ],
    [{ kind: 'cat', lives: 9 }, { name: 'x' }, { kind: 'Cat' }],
  ],
  [
    'const as a tag of oneOf',
    {
      oneOf: [object({ t: { const: 1 }, a: string }, { required: ['t'] }), object({ t: { const: 2 }, b: number }, { required: ['t'] })],
    },
    [
      { t: 1, a: 'x' },
      { t: 2, b: 1 },
    ],
    [{ t: 3 }, { t: 1, a: 1 }, {}],
  ],
  ['a branch false', { anyOf: [false, string] }, ['a'], [1, null]],
  [
    'a composition in which the branches name no type',
    { type: ['object', 'string'], properties: { a: string }, anyOf: [{ required: ['a'] }, { minLength: 3 }] },
    [{ a: 'x' }, 'abc', 'a'],
    [1, { a: 1 }],
  ],
];
