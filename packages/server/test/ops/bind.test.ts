/** Listening on a port: a problem says what to do, and a server that listens reports its later errors itself. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { bind } from '../../src/process/bind.ts';

test('a port in use is an error that names its variable; after a success no listener stays', async () => {
  const [server, second] = [createServer(), createServer()];
  await bind(server, 0, '127.0.0.1', 'PORT');
  const { port } = server.address() as AddressInfo;
  expect(server.listenerCount('error')).toBe(0);
  await expect(bind(second, port, '127.0.0.1', 'PORT')).rejects.toThrow(`port ${port} is in use`);
  await expect(bind(second, port, '127.0.0.1', '--port')).rejects.toThrow(/or choose another with --port$/);
  expect(second.listenerCount('error')).toBe(0);
  await new Promise((resolve) => server.close(resolve));
});

test.each([NaN, -1, 1.5, 65_536])('%d is not a port: the error names the variable', async (port) => {
  await expect(bind(createServer(), port, '127.0.0.1', 'PORT')).rejects.toThrow(`PORT must be a port from 0 to 65535, not ${port}`);
});
