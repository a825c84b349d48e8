/** Lists and tuples. */
import { number, object, ref, string, type Row } from './row.ts';

export const LISTS: readonly Row[] = [
  ['a list without items', { type: 'array' }, [[], [1, 'a', null]], [{ a: 1 }, 'a']],
  ['a list of anything', { type: 'array', items: true }, [[], [1, 'a']], ['a']],
  ['a list that is empty', { type: 'array', items: false }, [[]], [[1], 'a']],
  [
    'a list of lists by composition',
    { type: 'array', items: { anyOf: [{ type: 'array', items: string }] } },
    [[['a']], []],
    [['a'], [[1]]],
  ],
  ['a list of one value or null', { type: ['array', 'null'], items: { type: ['string', 'null'] } }, [null, ['a', null]], [[1]]],
  ['prefixItems', { type: 'array', prefixItems: [string, number] }, [[], ['a'], ['a', 1], ['a', 1, true]], [[1], ['a', 'b']]],
  [
    'prefixItems with items false',
    { type: 'array', prefixItems: [string, number], items: false },
    [[], ['a'], ['a', 1]],
    [['a', 1, 2], [1]],
  ],
  ['prefixItems with items', { type: 'array', prefixItems: [string], items: number }, [['a', 1, 2]], [['a', 'b'], [1]]],
  [
    'prefixItems with minItems',
    { type: 'array', prefixItems: [string, number], minItems: 2, items: false },
    [['a', 1]],
    [[], ['a'], ['a', 1, 1]],
  ],
  [
    'prefixItems of objects in a list',
    { type: 'array', items: { type: 'array', prefixItems: [object({ a: string }), ref('Tree')] } },
    [[[{ a: 'x' }, { value: 1 }]], [[]]],
    [[[{ a: 1 }]], [{ a: 'x' }]],
  ],
  [
    'prefixItems beside a composition',
    { type: 'array', prefixItems: [string], anyOf: [{ minItems: 1 }, { maxItems: 3 }] },
    [['a'], []],
    [[1], 'a'],
  ],
  ['contains', { type: 'array', contains: { const: 1 } }, [[1], ['a', 1]], ['a'], { wider: ['a list has one type for all items', ['a']] }],
  [
    'minItems without prefixItems',
    { type: 'array', items: string, minItems: 1 },
    [['a']],
    [[1]],
    { wider: ["lengths are the validator's", []] },
  ],
];
