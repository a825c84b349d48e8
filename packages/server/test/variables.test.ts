/** Variables of the environment: which texts are values, and what is said of the others. */
import { expect, test } from '@jest/globals';
import { integer, oneOf, optional, readEnvironment, secretText, type Variable, withDefault } from '@specwright/server/environment';
import { z } from 'zod';

/** Reads `A`. @returns its value, or what the message says of it. */
function read(variable: Variable<unknown>, text: string | undefined): unknown {
  try {
    return readEnvironment({ A: variable }, { A: text }).a;
  } catch (error) {
    return (error as Error).message.replace('the environment is not valid:\n  ', '');
  }
}

test.each(['2', '3', '007'])('the number %s is within its bounds', (text) => {
  expect(read(integer(2, 7), text)).toBe(Number(text));
});

test.each(['1', '8', ' ', ' 3', '3.5', '-3', '3e0', '0x3', '9'.repeat(400)])('%j is no number within its bounds', (text) => {
  expect(read(integer(2, 7), text)).toBe(`A must be a whole number from 2 to 7, not ${JSON.stringify(text)}`);
});

test('a secret has as many characters as it must have, or more', () => {
  expect(readEnvironment({ A_SECRET: secretText(4) }, { A_SECRET: 'abcd' })).toEqual({ aSecret: 'abcd' });
  expect(() => readEnvironment({ A_SECRET: secretText(4) }, { A_SECRET: 'abc' })).toThrow(/A_SECRET must have 4 characters or more$/);
});

test.each([undefined, ''])('%j is a problem unless the variable is optional or has a default', (text) => {
  expect(read(oneOf('all', 'errors'), text)).toBe('A must be set');
  expect(read(integer(2, 7), text)).toBe('A must be set');
  expect(read(secretText(4), text)).toBe('A must be set');
  expect(read(optional(oneOf('all', 'errors')), text)).toBeUndefined();
  expect(read(withDefault(oneOf('all', 'errors'), 'all'), text)).toBe('all');
});

test('a default does not make another text valid', () => {
  expect(read(oneOf('all', 'errors', 'none'), 'some')).toBe('A must be all, errors or none, not "some"');
  expect(read(withDefault(oneOf('all', 'errors'), 'all'), 'ALL')).toBe('A must be all or errors, not "ALL"');
  expect(read(optional(integer(2, 7)), '8')).toBe('A must be a whole number from 2 to 7, not "8"');
});

test('a schema of zod is a variable', () => {
  const port = z.coerce.number('must be a port').max(65_535, 'must be a port').default(3000);
  expect([read(port, '80'), read(port, undefined)]).toEqual([80, 3000]);
  expect(read(port, '70000')).toBe('A must be a port, not "70000"');
  expect(read(withDefault(z.email('must be an address'), 'a@example.com'), undefined)).toBe('a@example.com');
});
