/** The schemas that rows refer to, by their names in components. */
export const SHARED_SCHEMAS = {
  Text: { type: 'string' },
  Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } }, required: ['lives'] },
  Dog: { type: 'object', properties: { kind: { const: 'dog' }, tricks: { type: 'array', items: { type: 'string' } } }, required: ['kind'] },
  Named: { type: 'object', properties: { name: { type: 'string' } } },
  Aged: { allOf: [{ $ref: '#/components/schemas/Named' }, { type: 'object', properties: { age: { type: 'integer' } } }] },
  Stamp: { type: 'string', readOnly: true },
  Tree: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'number' }, children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  },
  Page: {
    $id: 'https://example.com/page',
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array', items: { $dynamicRef: '#item' } } },
    $defs: { any: { $dynamicAnchor: 'item' } },
  },
  Book: {
    type: 'object',
    $defs: { Isbn: { type: 'string' }, Price: { $anchor: 'price', type: 'number' } },
    properties: { isbn: { $ref: '#/components/schemas/Book/$defs/Isbn' } },
  },
};
