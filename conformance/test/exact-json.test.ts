/** JSON is compared by value, numbers by every digit. */
import { expect, test } from '@jest/globals';
import { isEqual, parseExactly } from '../src/exact-json.ts';

test.each([
  ['1', '1.0', true],
  ['1e2', '100', true],
  ['0.5', '5e-1', true],
  ['-0', '0', true],
  ['1200', '12E+2', true],
  ['9007199254740993', '9007199254740992', false],
  ['0.1', '0.10000000000000000001', false],
  ['1e400', '1e401', false],
  ['-1', '1', false],
  ['1', '"1"', false],
  ['"1.0"', '"1"', false],
  ['{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
  ['{"a":1}', '{"a":1,"b":null}', false],
  ['{"a":1}', '{"b":1}', false],
  ['[1,2]', '[2,1]', false],
  ['[]', '{}', false],
  ['null', '{}', false],
  ['{"\\"3":3}', '{"\\"3":3.0}', true],
])('%s and %s: %s', (left, right, expected) => {
  expect(isEqual(parseExactly(left), parseExactly(right))).toBe(expected);
});

test('what is no JSON is an error', () => {
  expect(() => parseExactly('01')).toThrow(SyntaxError);
});
