/** Which URLs and addresses a webhook may have, in every notation. */
import { expect, test } from '@jest/globals';
import { checkWebhookUrl, isPublicAddress } from '../../src/webhooks/webhook-url.ts';

const NOT_PUBLIC = [
  ['unspecified', '0.0.0.0 0.1.2.3 ::'],
  ['loopback', '127.0.0.1 127.255.255.254 ::1'],
  ['private', '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 fc00::1 fd12:3456::1'],
  ['link-local, where clouds keep their metadata', '169.254.169.254 fe80::1 fe80::1%eth0 febf::1'],
  ['shared by a carrier (CGNAT)', '100.64.0.1 100.127.255.255'],
  ['multicast', '224.0.0.1 239.255.255.255 ff02::1 ff0e::1'],
  ['reserved and broadcast', '240.0.0.1 255.255.255.255 192.0.0.8 198.18.0.1 198.19.255.255'],
  ['for documents', '192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1'],
  [
    'IPv4 within IPv6',
    '::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1::1 2001:0:7f00:1::1 2001:1ff::1',
  ],
  ['site-local, discard-only, unassigned', 'fec0::1 100::1 4000::1 5f00::1'],
  ['of one zone', '2606:4700::1111%eth0'],
  ['no address', 'localhost 1.2.3 1.2.3.4.5 01.2.3.4 256.1.1.1 example.com'],
].flatMap(([kind = '', addresses = '']) => addresses.split(' ').map((address) => [address, kind] as const));

test.each(NOT_PUBLIC)('%s is not public: %s', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

const PUBLIC =
  '1.1.1.1 8.8.8.8 93.184.215.14 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.1.1 223.255.255.255 2606:4700::1111 2a00:1450::1 2001:200::1';
test.each(PUBLIC.split(' '))('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['ftp://example.com/', /must begin with/],
  ['http://', /is not a URL/],
  ['http://exa mple.com/', /is not a URL/],
  ['http://user@example.com/', /user name or password/],
  ['http://:word@example.com/', /user name or password/],
  ['http://example.com/#part', /fragment/],
  ['http://example.com:25/', /port/],
  ['http://example.com:0/', /port/],
  ['http://example.com:1023/', /port/],
  ['https://example.com:22/', /port/],
  ['http://localhost/', /public/],
  ['http://LOCALHOST./', /public/],
  ['http://a.localhost/', /public/],
  ['http://127.0.0.1/', /public/],
  ['http://127.1/', /public/],
  ['http://2130706433/', /public/],
  ['http://0x7f.0.0.1/', /public/],
  ['http://0177.0.0.1/', /public/],
  ['http://①②⑦.0.0.1/', /public/],
  ['http://[::1]/', /public/],
  ['http://[::ffff:127.0.0.1]/', /public/],
  ['http://[::ffff:7f00:1]/', /public/],
])('rejects %s', (url, why) => {
  expect(() => checkWebhookUrl(url, {})).toThrow(why);
});

test.each([
  'http://example.com',
  'https://example.com:443/',
  'https://example.com:8443/a?b=c',
  'http://example.com:1024/',
  'http://[2606:4700::1111]/',
  'http://intranet/',
])('accepts %s', (url) => {
  expect(checkWebhookUrl(url, {}).href).toMatch(/^https?:/);
});

test('says where the URL is', () => {
  expect(() => checkWebhookUrl('http://[::1]/', {}, 'body/callbackUrl')).toThrow('body/callbackUrl must have a public address');
});

test('allowPrivate admits loopback, and no other URL that is rejected', () => {
  expect(checkWebhookUrl('http://127.0.0.1:3000/', { allowPrivate: true }).port).toBe('3000');
  expect(() => checkWebhookUrl('http://u:p@127.0.0.1/', { allowPrivate: true })).toThrow(/password/);
});
