/** Lists and tuples. */
import { number, object, ref, string, type SchemaRow } from './row.ts';

export const LISTS: readonly SchemaRow[] = [
  { name: 'a list without items', schema: { type: 'array' }, valid: [[], [1, 'a', null]], invalid: [{ a: 1 }, 'a'] },
  { name: 'a list of anything', schema: { type: 'array', items: true }, valid: [[], [1, 'a']], invalid: ['a'] },
  { name: 'a list that is empty', schema: { type: 'array', items: false }, valid: [[]], invalid: [[1], 'a'] },
  {
    name: 'a list of lists by composition',
    schema: { type: 'array', items: { anyOf: [{ type: 'array', items: string }] } },
    valid: [[['a']], []],
    invalid: [['a'], [[1]]],
  },
  {
    name: 'a list of one value or null',
    schema: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
    valid: [null, ['a', null]],
    invalid: [[1]],
  },
  {
    name: 'prefixItems',
    schema: { type: 'array', prefixItems: [string, number] },
    valid: [[], ['a'], ['a', 1], ['a', 1, true]],
    invalid: [[1], ['a', 'b']],
  },
  {
    name: 'prefixItems with items false',
    schema: { type: 'array', prefixItems: [string, number], items: false },
    valid: [[], ['a'], ['a', 1]],
    invalid: [['a', 1, 2], [1]],
  },
  {
    name: 'prefixItems with items',
    schema: { type: 'array', prefixItems: [string], items: number },
    valid: [['a', 1, 2]],
    invalid: [['a', 'b'], [1]],
  },
  {
    name: 'prefixItems with minItems',
    schema: { type: 'array', prefixItems: [string, number], minItems: 2, items: false },
    valid: [['a', 1]],
    invalid: [[], ['a'], ['a', 1, 1]],
  },
  {
    name: 'prefixItems of objects in a list',
    schema: { type: 'array', items: { type: 'array', prefixItems: [object({ a: string }), ref('Tree')] } },
    valid: [[[{ a: 'x' }, { value: 1 }]], [[]]],
    invalid: [[[{ a: 1 }]], [{ a: 'x' }]],
  },
  {
    name: 'prefixItems beside a composition',
    schema: { type: 'array', prefixItems: [string], anyOf: [{ minItems: 1 }, { maxItems: 3 }] },
    valid: [['a'], []],
    invalid: [[1], 'a'],
  },
  {
    name: 'contains',
    schema: { type: 'array', contains: { const: 1 } },
    valid: [[1], ['a', 1]],
    invalid: ['a'],
    wider: ['a list has one type for all items', ['a']],
  },
  {
    name: 'minItems without prefixItems',
    schema: { type: 'array', items: string, minItems: 1 },
    valid: [['a']],
    invalid: [[1]],
    wider: ["lengths are the validator's", []],
  },
];
