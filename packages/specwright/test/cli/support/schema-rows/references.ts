/** References by pointer, anchor and dynamic anchor. */
import { number, object, ref, type Row } from './row.ts';

export const REFERENCES: readonly Row[] = [
  ['a $ref with siblings', { ...ref('Named'), required: ['name'] }, [{ name: 'x' }], [{}, { name: 1 }]],
  [
    'a $ref with properties',
    { ...ref('Named'), description: 'with an age', properties: { age: number } },
    [{ name: 'x', age: 1 }],
    [{ name: 1 }, { age: 'x' }],
  ],
  ['a $ref with a narrower type', { ...ref('Text'), enum: ['a'] }, ['a'], [1, 'b']],
  ['a $ref to one of $defs', ref('Book/$defs/Isbn'), ['1'], [1]],
  ['a schema with $defs', ref('Book'), [{}, { isbn: '1' }], [{ isbn: 1 }, 'a']],
  [
    '$defs of its own',
    { type: 'object', $defs: { Part: { type: 'integer' } }, properties: { part: { $ref: '#/components/schemas/Row/$defs/Part' } } },
    [{ part: 1 }, {}],
    [{ part: 'x' }],
  ],
  ['an $anchor', object({ price: { $ref: '#price' } }), [{ price: 1 }], [{ price: 'x' }]],
  ['a recursive schema', ref('Tree'), [{ value: 1, children: [{ value: 2, children: [] }] }], [{ value: 1, children: [{}] }, {}]],
  [
    'a schema that contains itself',
    object({ self: ref('Row'), n: number }),
    [{ self: { self: {}, n: 1 } }],
    [{ self: { self: { n: 'x' } } }],
  ],
  ['a $dynamicRef that nothing extends', ref('Page'), [{ items: [1, 'a'] }], [{}, { items: 1 }]],
  [
    'a $dynamicRef, extended',
    {
      $id: 'https://example.com/texts',
      $ref: 'https://example.com/page',
      $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
    },
    [{ items: ['a'] }, { items: [] }],
    [{ items: [1] }, {}],
  ],
  [
    'a $dynamicRef, extended another way',
    {
      $id: 'https://example.com/trees',
      $ref: 'page',
      $defs: { item: { $dynamicAnchor: 'item', type: 'object', required: ['value'] } },
    },
    [{ items: [{ value: 1 }] }],
    [{ items: [{}] }, {}],
  ],
  ['a property of another schema', ref('Tree/properties/children'), [[], [{ value: 1 }]], [[{}], {}]],
];
