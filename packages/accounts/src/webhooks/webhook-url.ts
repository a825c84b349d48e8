/** Which addresses a webhook may have: public ones. What a client names must not reach what only this server can reach. */
import { BlockList, isIP, isIPv4 } from 'node:net';
import { AppError, type FrameworkErrorCode } from '@specwright/server';

export interface WebhookRules {
  /** Allows loopback, private and other addresses that are not public. For tests: with it, clients can reach what is inside. */
  readonly allowPrivate?: boolean;
}

// https://www.iana.org/assignments/iana-ipv4-special-registry, with multicast (224/4) and what is reserved (240/4).
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

// https://www.iana.org/assignments/iana-ipv6-special-registry: what is special within global unicast, 2000::/3. All else
// is refused: loopback, link-local, unique local, multicast, and the forms that lead to an IPv4 address (::ffff:0:0/96,
// 64:ff9b::/96, 64:ff9b:1::/48), as are Teredo (in 2001::/23) and 6to4 (2002::/16).
const NOT_PUBLIC_6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const;

const special = new BlockList();
for (const [net, prefix] of NOT_PUBLIC_4) special.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of NOT_PUBLIC_6) special.addSubnet(net, prefix, 'ipv6');
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is a public one. What is not an IP address is not; neither is one with a zone. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  return globalUnicast.check(address, 'ipv6') && !special.check(address, 'ipv6');
}

/** The host of a URL as a name or an address to connect to: an IPv6 address without its brackets. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

/**
 * The URL of a webhook, if it may be one as far as can be told without asking the DNS.
 *
 * @param location of the URL in the request, for the message. @throws AppError invalid_webhook_url
 */
export function checkWebhookUrl(text: string, { allowPrivate = false }: WebhookRules, location = 'body/url'): URL {
  const refuse = (why: string) => new WebhookError('invalid_webhook_url', `${location} ${why}`);
  if (!URL.canParse(text)) throw refuse('is not a URL');
  const url = new URL(text);
  if (!['http:', 'https:'].includes(url.protocol)) throw refuse('must begin with http:// or https://');
  if (url.username !== '' || url.password !== '') throw refuse('must not have a user name or password');
  if (text.includes('#')) throw refuse('must not have a fragment');
  const port = Number(url.port || (url.protocol === 'http:' ? 80 : 443));
  // Below are services that are no web servers: mail, names, remote shells.
  if (port !== 80 && port !== 443 && port < 1024) throw refuse('must have port 80, 443 or one from 1024 on');
  const host = hostOf(url);
  const named = isIP(host) === 0;
  const local = named ? /(^|\.)localhost\.?$/.test(host) : !isPublicAddress(host);
  if (local && !allowPrivate) throw refuse('must have a public address');
  return url;
}

// The errors of webhooks.

/** Error codes of this package and their HTTP statuses: a service adds them to its own. */
export const WEBHOOK_ERRORS = { invalid_webhook_url: 400 } as const;

/** An `AppError` that takes only codes of this package and of the framework. */
export const WebhookError = AppError<FrameworkErrorCode | keyof typeof WEBHOOK_ERRORS>;
