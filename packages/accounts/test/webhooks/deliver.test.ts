/** One delivery: the request, which responses accept it, and that it never reaches an address that is not public. */
import { afterEach, expect, test } from '@jest/globals';
import net, { type AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { scaleTimeout, startReceiver, type Receiver, type Respond } from 'specwright/testing';
import { deliver, readRetryAfter, type DeliverOptions } from '../../src/webhooks/deliver.ts';
import { createSecret, type Sign } from '../../src/webhooks/sign.ts';

const PAYLOAD = { type: 'noted', data: { text: 'Ré 🐕' } };
const DELIVERY = { id: 'msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10', body: JSON.stringify(PAYLOAD) };
const SECRET = createSecret();

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
async function receive(respond?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(respond);
  receivers.push(receiver);
  return receiver;
}

const tryOnce = (url: string, options: Partial<DeliverOptions> = {}, secret: string | undefined = SECRET, delivery = DELIVERY) =>
  deliver({ url, secret }, delivery, {
    timeout: scaleTimeout(2000),
    signal: new AbortController().signal,
    allowPrivate: true,
    ...options,
  });

/** @returns why it has failed, if it has. */
const send = async (url: string, options?: Partial<DeliverOptions>) => (await tryOnce(url, options)).failure?.text;

test('sends the message in the format of Standard Webhooks, whose library verifies it', async () => {
  const { url, received } = await receive();
  expect(await send(`${url}?a=b`)).toBeUndefined();
  const [{ method, path, headers, body }] = received as [(typeof received)[number]];
  expect({ method, path, type: headers['content-type'] }).toEqual({ method: 'POST', path: '/hook?a=b', type: 'application/json' });
  expect(headers['webhook-id']).toBe(DELIVERY.id);
  expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(5);
  expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toEqual(PAYLOAD);
  expect(() => new Webhook(SECRET).verify(`${body} `, headers as Record<string, string>)).toThrow();
  expect(Object.keys(headers).filter((name) => name.startsWith('x-'))).toEqual([]);
});

test('signs and names itself as it is told', async () => {
  const { url, received } = await receive();
  const sign: Sign = (secret, { id, timestamp, body }) => ({
    body: body.toUpperCase(),
    headers: { 'X-Own': `${id} ${timestamp > 0} ${secret === SECRET}` },
  });
  expect(await send(url, { sign, userAgent: 'example/1' })).toBeUndefined();
  const [{ headers, body }] = received as [(typeof received)[number]];
  expect([body, headers['x-own'], headers['user-agent']]).toEqual([DELIVERY.body.toUpperCase(), `${DELIVERY.id} true true`, 'example/1']);
  expect(headers['webhook-id']).toBeUndefined();
});

test('a delivery without a secret has no signature, and one without a body no media type', async () => {
  const { url, received } = await receive();
  const target = { url, secret: undefined };
  const options = { timeout: scaleTimeout(2000), signal: new AbortController().signal, allowPrivate: true };
  expect(await deliver(target, { id: 'msg_1', body: '', method: 'PUT' }, options)).toEqual({ answer: 204 });
  const [{ method, headers, body }] = received as [(typeof received)[number]];
  expect({ method, body, type: headers['content-type'], signature: headers['webhook-signature'] }).toEqual({ method: 'PUT', body: '' });
});

test.each([200, 201, 202, 204, 299])('%i accepts the message', async (status) => {
  const { url } = await receive(() => ({ status }));
  expect(await send(url)).toBeUndefined();
});

test('tells the status of the response', async () => {
  const { url } = await receive((_, count) => ({ status: count === 1 ? 202 : 404 }));
  expect(await tryOnce(url)).toEqual({ answer: 202 });
  expect(await tryOnce(url)).toEqual({ answer: 404, failure: { kind: 'status', text: 'it answered 404' } });
});

test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])('%i does not accept the message', async (status) => {
  const { url } = await receive(() => ({ status }));
  expect(await send(url)).toBe(`it answered ${status}`);
});

test('says of what kind a failure is, and how long the receiver asks to be left alone', async () => {
  const answers: Parameters<typeof receive>[0][] = [
    () => ({ status: 429, headers: { 'Retry-After': '60' } }),
    () => ({ status: 410 }),
    () => undefined,
  ];
  const failures = [];
  for (const respond of answers) failures.push((await tryOnce((await receive(respond)).url, { timeout: scaleTimeout(200) })).failure);
  const closed = await startReceiver();
  await closed.close();
  const broken = async () => Promise.reject(Object.assign(new Error('no'), { code: 'EAI_AGAIN' }));
  failures.push((await tryOnce(closed.url)).failure, (await tryOnce('http://nowhere.example/', { resolveHost: broken })).failure);
  failures.push((await tryOnce(closed.url, { allowPrivate: false })).failure);
  expect(failures.map((failure) => [failure?.kind, failure?.retryAfter])).toEqual([
    ['status', 60_000],
    ['gone', undefined],
    ['timeout', undefined],
    ['connection', undefined],
    ['dns', undefined],
    ['address', undefined],
  ]);
  expect(failures[4]?.text).toBe('EAI_AGAIN');
});

test('Retry-After is a number of seconds or a date, up to a day', () => {
  const now = Date.parse('2026-11-24T10:00:00Z');
  const read = (field?: string) => readRetryAfter(field, now);
  expect([read('0'), read('86400'), read('86401')]).toEqual([0, 86_400_000, 86_400_000]);
  expect([read('Tue, 24 Nov 2026 10:00:30 GMT'), read('Tue, 24 Nov 2026 09:00:00 GMT')]).toEqual([30_000, 0]);
  expect([read(), read('soon'), read('')]).toEqual([undefined, undefined, undefined]);
});

test('does not follow a redirect', async () => {
  const elsewhere = await receive();
  const { url } = await receive(() => ({ status: 307, headers: { Location: elsewhere.url } }));
  expect(await send(url)).toBe('it answered 307');
  expect(elsewhere.received).toEqual([]);
});

test('times out when the receiver does not answer or its name is not resolved', async () => {
  const { url } = await receive(() => undefined);
  expect(await send(url, { timeout: 100 })).toBe('it did not answer within 100 ms');
  const resolveHost = () => new Promise<string[]>(() => undefined);
  expect(await send('http://slow.example/', { timeout: 100, resolveHost })).toBe('it did not answer within 100 ms');
});

test('does not wait for the end of the response body', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).resume();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n...');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  expect(await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBeUndefined();
  await new Promise((resolve) => server.close(resolve));
});

test('ends when its signal is aborted, before or during the request', async () => {
  const stop = new AbortController();
  const { url, received } = await receive(() => undefined);
  const sent = send(url, { signal: stop.signal });
  while (received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  stop.abort();
  expect(await sent).toBe('it was interrupted');
  expect(await send(url, { signal: stop.signal })).toBe('it was interrupted');
});

test('failures are described without the URL, which may contain a secret', async () => {
  const receiver = await startReceiver();
  await receiver.close();
  expect(await send(`${receiver.url}?token=abc`)).toBe('ECONNREFUSED');
  expect(await send('http://nowhere.invalid/?token=abc', { resolveHost: async () => [] })).toBe('its name has no address');
});

// With a resolver of its own, as a name's owner has, and a receiver that would be reached.
const NOT_PUBLIC = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  'fe80::1',
  '0.0.0.0',
];
test.each(NOT_PUBLIC)('rejects a name that resolves to %s, also beside a public address', async (address) => {
  const { port, received } = await receive();
  const url = `http://rebind.example:${port}/`;
  for (const addresses of [[address], ['93.184.215.14', address]]) {
    expect(await send(url, { allowPrivate: false, resolveHost: async () => addresses })).toBe(`its address ${address} is not public`);
  }
  expect(received).toEqual([]);
});

test('rejects a stored URL whose address is not public', async () => {
  const { url, received } = await receive();
  expect(await send(url, { allowPrivate: false })).toBe('body/url must have a public address');
  expect(received).toEqual([]);
});

test('connects to the address that was checked: the name is resolved once', async () => {
  const { port, received } = await receive();
  let lookups = 0;
  const resolveHost = async () => (++lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
  expect(await send(`http://rebind.example:${port}/`, { resolveHost })).toBeUndefined();
  expect({ lookups, host: received[0]?.headers.host }).toEqual({ lookups: 1, host: `rebind.example:${port}` });
});

test('a look-up that fails after the delivery was interrupted is not an unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const remember = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', remember);
  const resolveHost = () => Promise.reject(new Error('no such name'));
  expect(await send('http://hooks.example/', { signal: AbortSignal.abort(), resolveHost })).toBe('it was interrupted');
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', remember);
  expect(unhandled).toEqual([]);
});
