/** The flags of a service: an argument that it does not know is refused, with the one that was meant. */
import { expect, test } from '@jest/globals';
import { readFlags } from '@specwright/server';

test('a flag is true if it is given', () => {
  expect(readFlags(['migrate', 'once'], ['--migrate'])).toEqual({ migrate: true, once: false });
  expect(readFlags(['migrate'], [])).toEqual({ migrate: false });
});

test.each([
  ['--migrat', /^unknown option --migrat: did you mean --migrate\?$/],
  ['--wait', /^unknown option --wait$/],
  ['migrate', /^Unexpected argument 'migrate'/],
  ['--migrate=no', /^Option '--migrate' does not take an argument$/],
])('%s is refused', (argument, message) => {
  expect(() => readFlags(['migrate'], [argument])).toThrow(message);
});
