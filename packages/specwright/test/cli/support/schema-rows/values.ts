/** Types, values and boolean schemas. */
import { number, object, string, type Row } from './row.ts';

export const VALUES: readonly Row[] = [
  ['a list of types', { type: ['string', 'integer'] }, ['a', 1], [null, true, {}, []]],
  ['a type or null', { type: ['string', 'null'] }, ['a', null], [1, {}]],
  [
    'an object, a list or null',
    { type: ['object', 'array', 'null'], properties: { a: string }, required: ['a'], items: number },
    [{ a: 'x' }, [1], [], null],
    [{}, ['x'], 'x', { a: 1 }],
  ],
  ['a list with one type', { type: ['boolean'] }, [true], ['true', null]],
  ['the type null', { type: 'null' }, [null], [0, '', {}]],
  ['const with a text', { const: 'a' }, ['a'], ['b', null]],
  ['const with a number', { const: -1.5 }, [-1.5], [1.5, '-1.5']],
  ['const with a boolean', { const: false }, [false], [true, null]],
  ['const with null', { const: null }, [null], ['a', 0, {}]],
  ['const with an object', { const: { a: [1, null] } }, [{ a: [1, null] }], [{}, { a: [1] }, { a: [1, null], b: 1 }]],
  ['const with an empty object', { const: {} }, [{}], [{ a: 1 }, null, 'a']],
  ['const with a list', { const: [1, 'a'] }, [[1, 'a']], [[1], ['a', 1], [1, 'a', 1]]],
  ['enum with null, and the type that allows it', { type: ['string', 'null'], enum: ['a', null] }, ['a', null], ['b']],
  ['enum with null, and a type that does not', { type: 'string', enum: ['a', null] }, ['a'], [null, 'b']],
  ['enum without null, and null among the types', { type: ['string', 'null'], enum: ['a'] }, ['a'], [null, 'b']],
  [
    'enum of mixed values without a type',
    { enum: [1, 'a', true, null, { b: 1 }] },
    [1, 'a', true, null, { b: 1 }],
    [2, false, { b: 2 }, {}],
  ],
  ['enum of objects', { type: 'object', enum: [{ a: 1 }, { a: 2 }], properties: { a: number } }, [{ a: 1 }], [{ a: 3 }, {}, 'a']],
  [
    'enum of lists',
    { type: 'array', items: { enum: [[1, 2]] } },
    [
      [],
      [[1, 2]],
      [
        [1, 2],
        [1, 2],
      ],
    ],
    [[1, 2], [[1]]],
  ],
  [
    'format, contentEncoding and contentMediaType',
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    ['aGk='],
    [1, null],
  ],
  ['the schema true', object({ a: true }, { required: ['a'] }), [{ a: 1 }, { a: null }], [{}]],
  ['the schema false', object({ a: false }), [{}], [{ a: 1 }, { a: null }]],
  ['not', { type: ['string', 'number'], not: { type: 'number' } }, ['a'], [true], { wider: ['TypeScript has no complement of a type', 1] }],
  ['no keywords', {}, [1, null, 'a', {}, []], []],
];
