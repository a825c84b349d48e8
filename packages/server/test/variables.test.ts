/** Variables of the environment: which texts are values, and what is said of the others. */
import { expect, test } from '@jest/globals';
import { integer, oneOf, secretText } from '@specwright/server';

test.each(['2', '3', '007'])('the number %s is within its bounds', (text) => {
  expect(integer(2, 7).read(text)).toEqual({ value: Number(text) });
});

test.each(['1', '8', '', ' 3', '3.5', '-3', '3e0', '0x3'])('%j is no number within its bounds', (text) => {
  expect(integer(2, 7).read(text)).toEqual({ problem: 'must be a whole number from 2 to 7' });
});

test('a secret has as many characters as it must have, or more', () => {
  expect(secretText(4).read('abcd')).toEqual({ value: 'abcd' });
  expect(secretText(4).read('abc')).toEqual({ problem: 'must have 4 characters or more' });
});

test('what is not set is a problem unless it is optional or has a default', () => {
  expect(oneOf('all', 'errors').read(undefined)).toEqual({ problem: 'must be set' });
  expect(oneOf('all', 'errors').optional().read(undefined)).toEqual({ value: undefined });
  expect(oneOf('all', 'errors').default('all').read(undefined)).toEqual({ value: 'all' });
  expect(oneOf('all', 'errors', 'none').read('some')).toEqual({ problem: 'must be all, errors or none' });
});
