/** The address of a client: from its socket or from a trusted proxy, an IPv4 address always written as one. */
import { expect, test } from '@jest/globals';
import { createServer } from '@specwright/server';
import { clientAddress, withoutMapping } from '../../src/limits/client-address.ts';
import { optionsOf } from '../support/serve.ts';

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

test.each([
  [
    { header: 'x-forwarded-for', hops: 0 },
    'rateLimit.trustProxy.hops: 0 is no number of proxies: give a whole number from 1 on, or leave trustProxy out',
  ],
  [
    { header: 'x-forwarded-for', hops: NaN },
    'rateLimit.trustProxy.hops: NaN is no number of proxies: give a whole number from 1 on, or leave trustProxy out',
  ],
  [{ header: 'X-Forwarded-For', hops: 1 }, 'rateLimit.trustProxy.header: write "x-forwarded-for"'],
])('%j, with which a client would choose its address, does not boot', async (trustProxy, message) => {
  const options = await optionsOf('paths: {}\n', { rateLimit: { trustProxy } as never });
  expect(() => createServer(options)).toThrow(new Error(message));
});
