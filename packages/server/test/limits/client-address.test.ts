/** The address of a client: from its socket or from a trusted proxy, an IPv4 address always written as one. */
import { expect, test } from '@jest/globals';
import { clientAddress, withoutMapping } from '../../src/limits/client-address.ts';

test.each([
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['::ffff:1:2', '::ffff:1:2'],
  [undefined, undefined],
])('%s is %s', (address, plain) => {
  expect(withoutMapping(address)).toBe(plain);
  expect(clientAddress({ header: 'x-forwarded-for', hops: 1 }, () => address, '::ffff:10.0.0.1')).toBe(plain ?? '10.0.0.1');
});
