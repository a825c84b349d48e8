/** References by pointer, anchor and dynamic anchor. */
import { number, object, ref, type SchemaRow } from './row.ts';

export const REFERENCES: readonly SchemaRow[] = [
  { name: 'a $ref with siblings', schema: { ...ref('Named'), required: ['name'] }, valid: [{ name: 'x' }], invalid: [{}, { name: 1 }] },
  {
    name: 'a $ref with properties',
    schema: { ...ref('Named'), description: 'with an age', properties: { age: number } },
    valid: [{ name: 'x', age: 1 }],
    invalid: [{ name: 1 }, { age: 'x' }],
  },
  { name: 'a $ref with a narrower type', schema: { ...ref('Text'), enum: ['a'] }, valid: ['a'], invalid: [1, 'b'] },
  { name: 'a $ref to one of $defs', schema: ref('Book/$defs/Isbn'), valid: ['1'], invalid: [1] },
  { name: 'a schema with $defs', schema: ref('Book'), valid: [{}, { isbn: '1' }], invalid: [{ isbn: 1 }, 'a'] },
  {
    name: '$defs of its own',
    schema: { type: 'object', $defs: { Part: { type: 'integer' } }, properties: { part: { $ref: '#/components/schemas/Row/$defs/Part' } } },
    valid: [{ part: 1 }, {}],
    invalid: [{ part: 'x' }],
  },
  { name: 'an $anchor', schema: object({ price: { $ref: '#price' } }), valid: [{ price: 1 }], invalid: [{ price: 'x' }] },
  {
    name: 'a recursive schema',
    schema: ref('Tree'),
    valid: [{ value: 1, children: [{ value: 2, children: [] }] }],
    invalid: [{ value: 1, children: [{}] }, {}],
  },
  {
    name: 'a schema that contains itself',
    schema: object({ self: ref('Row'), n: number }),
    valid: [{ self: { self: {}, n: 1 } }],
    invalid: [{ self: { self: { n: 'x' } } }],
  },
  { name: 'a $dynamicRef that nothing extends', schema: ref('Page'), valid: [{ items: [1, 'a'] }], invalid: [{}, { items: 1 }] },
  {
    name: 'a $dynamicRef, extended',
    schema: {
      $id: 'https://example.com/texts',
      $ref: 'https://example.com/page',
      $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
    },
    valid: [{ items: ['a'] }, { items: [] }],
    invalid: [{ items: [1] }, {}],
  },
  {
    name: 'a $dynamicRef, extended another way',
    schema: {
      $id: 'https://example.com/trees',
      $ref: 'page',
      $defs: { item: { $dynamicAnchor: 'item', type: 'object', required: ['value'] } },
    },
    valid: [{ items: [{ value: 1 }] }],
    invalid: [{ items: [{}] }, {}],
  },
  { name: 'a property of another schema', schema: ref('Tree/properties/children'), valid: [[], [{ value: 1 }]], invalid: [[{}], {}] },
];
