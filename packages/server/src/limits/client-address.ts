/** The address of a client and its bucket: an IPv4 address, or the /56 of an IPv6 address, which one customer gets. */
import { isIP, isIPv4, isIPv6 } from 'node:net';

export const ADDRESS_BUCKET_PREFIX = 'ip:';

/**
 * The bucket of an address; all that are not valid share one.
 *
 * An IPv4 address that is mapped into IPv6 (RFC 4291, section 2.5.5.2) is that IPv4 address.
 */
export function addressBucket(address: string | undefined): string {
  const text = (address?.split('%', 1)[0] ?? '').toLowerCase();
  if (isIPv4(text)) return `${ADDRESS_BUCKET_PREFIX}${text}`;
  if (!isIPv6(text)) return `${ADDRESS_BUCKET_PREFIX}unknown`;
  const groups = parseIpv6Groups(text);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return `${ADDRESS_BUCKET_PREFIX}${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  }
  // 56 bits: three groups and the upper half of the fourth.
  const [a = 0, b = 0, c = 0, d = 0] = groups;
  return `${ADDRESS_BUCKET_PREFIX}${[a, b, c, d & 0xff00].map((group) => group.toString(16)).join(':')}::/56`;
}

function parseIpv6Groups(text: string): number[] {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const plain = dotted
    ? `${dotted[1] ?? ''}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : text;
  const [head = '', tail] = plain.split('::');
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  if (tail === undefined) return read(head);
  const [front, back] = [read(head), read(tail)];
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back];
}

/** The address of `192.0.2.1:5678`, `[2001:db8::1]:80` and `[2001:db8::1]`, as some proxies write it; other text unchanged. */
const withoutPort = (text: string): string => /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text)?.slice(1).find(Boolean) ?? text;

/** An IPv4 address that a socket for both families has as `::ffff:192.0.2.1`, as IPv4 writes it; other text unchanged. */
export const withoutMapping = (address: string | undefined): string | undefined =>
  address?.startsWith('::ffff:') && isIPv4(address.slice('::ffff:'.length)) ? address.slice('::ffff:'.length) : address;

/** Which header of a proxy names the client, and how many proxies are in front of this server. */
export interface TrustedProxy {
  /** Lower case. */
  readonly header: string;
  readonly hops: number;
}

/**
 * The address of the client, as the trusted proxies report it.
 *
 * Each proxy appends the address of its client, so the client is `hops` from the right; anything further left may have
 * been sent by the client itself.
 *
 * @param header returns the values of a header; @param socket the address of the connection, used if the header has no
 *   address at that position.
 */
export function clientAddress(
  trusted: TrustedProxy | undefined,
  header: (name: string) => string | undefined,
  socket: string | undefined,
): string | undefined {
  if (trusted === undefined) return withoutMapping(socket);
  const addresses = (header(trusted.header) ?? '').split(',').map((part) => part.trim());
  const address = withoutPort(addresses.at(-trusted.hops) ?? '');
  return withoutMapping(isIP(address) > 0 ? address : socket);
}
