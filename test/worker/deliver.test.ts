/** One delivery: what is sent, what counts as accepted, and that it never reaches an address that is not public. */
import { afterEach, expect, test } from '@jest/globals';
import { createHmac } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import { type Receiver, type Respond, startReceiver } from '@specwright/testing';
import { deliver, type DeliverOptions } from '../../src/messages/deliver.ts';

const MESSAGE = { id: 'msg_019aa5d2-7b1c-7e45-9d5c-3f6a2b8c4d10', message: 'Ré 🐕', createdAt: '2026-11-21T09:00:00.000Z' };
const SECRET = 'whsec_0000000000000000000000000000000000000000000';

const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close();
});
async function receive(behave?: Respond): Promise<Receiver> {
  const receiver = await startReceiver(behave);
  receivers.push(receiver);
  return receiver;
}

const send = (url: string, options: Partial<DeliverOptions> = {}) =>
  deliver({ url, secret: SECRET }, MESSAGE, { timeout: 2000, signal: new AbortController().signal, allowPrivate: true, ...options });

test('sends the message as JSON, with its id, the time, and a signature that verifies', async () => {
  const { url, received } = await receive();
  expect(await send(`${url}?a=b`)).toBeUndefined();
  const [{ method, path, headers, body }] = received as [(typeof received)[number]];
  expect({ method, path, body: JSON.parse(body) as unknown }).toEqual({ method: 'POST', path: '/hook?a=b', body: MESSAGE });
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-webhook-id': MESSAGE.id });
  const timestamp = String(headers['x-webhook-timestamp']);
  expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(5);
  // As the document tells a receiver to compute it.
  const expected = createHmac('sha256', SECRET).update(`${timestamp}.${body}`).digest('hex');
  expect(headers['x-webhook-signature']).toBe(`v1=${expected}`);
});

test.each([200, 201, 202, 204, 299])('%i is accepted', async (status) => {
  const { url } = await receive(() => ({ status }));
  expect(await send(url)).toBeUndefined();
});

test.each([300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])('%i is not accepted', async (status) => {
  const { url } = await receive(() => ({ status }));
  expect(await send(url)).toBe(`it answered ${status}`);
});

test('a redirect is not followed', async () => {
  const elsewhere = await receive();
  const { url } = await receive(() => ({ status: 307, headers: { Location: elsewhere.url } }));
  expect(await send(url)).toBe('it answered 307');
  expect(elsewhere.received).toEqual([]);
});

test('a receiver that does not answer in time is given up, and so is a name that is not resolved in time', async () => {
  const { url } = await receive(() => undefined);
  expect(await send(url, { timeout: 100 })).toBe('it did not answer within 100 ms');
  const resolveHost = () => new Promise<string[]>(() => undefined);
  expect(await send('http://slow.example/', { timeout: 100, resolveHost })).toBe('it did not answer within 100 ms');
});

test('a body that never ends is not waited for', async () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).resume();
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n...');
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  expect(await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).toBeUndefined();
  await new Promise((settle) => server.close(settle));
});

test('one that is told to end, ends', async () => {
  const stop = new AbortController();
  const { url, received } = await receive(() => undefined);
  const sent = send(url, { signal: stop.signal });
  while (received.length === 0) await new Promise((settle) => setTimeout(settle, 5));
  stop.abort();
  expect(await sent).toBe('it was interrupted');
  expect(await send(url, { signal: stop.signal })).toBe('it was interrupted');
});

test('what goes wrong is told without the URL, which may hold a secret', async () => {
  const receiver = await startReceiver();
  await receiver.close();
  expect(await send(`${receiver.url}?token=abc`)).toBe('ECONNREFUSED');
  expect(await send('http://nowhere.invalid/?token=abc', { resolveHost: async () => [] })).toBe('its name has no address');
});

// With a resolver of its own, as a name's owner has, and a receiver that would be reached.
const HIDDEN = [
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
test.each(HIDDEN)('a name that leads to %s is refused, also if it leads to a public address as well', async (address) => {
  const { port, received } = await receive();
  const url = `http://rebind.example:${port}/`;
  for (const addresses of [[address], ['93.184.215.14', address]]) {
    expect(await send(url, { allowPrivate: false, resolveHost: async () => addresses })).toBe(`its address ${address} is not public`);
  }
  expect(received).toEqual([]);
});

test('an address that is not public is refused at delivery too, however it came to be stored', async () => {
  const { url, received } = await receive();
  expect(await send(url, { allowPrivate: false })).toBe('body/url must have a public address');
  expect(received).toEqual([]);
});

test('the address that was checked is the one that is connected to: the name is looked up once', async () => {
  const { port, received } = await receive();
  let lookups = 0;
  const resolveHost = async () => (++lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1']);
  expect(await send(`http://rebind.example:${port}/`, { resolveHost })).toBeUndefined();
  expect({ lookups, host: received[0]?.headers.host }).toEqual({ lookups: 1, host: `rebind.example:${port}` });
});
