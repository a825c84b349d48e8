/** Starts and stops a server, without dropping a request. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Starts a server.
 *
 * @param host the address to listen on; `undefined` for all. @returns the port, which the system chooses if `port` is 0.
 * @throws Error with what to do if the port is not available.
 */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(formatListenError(error, port, host), { cause: error })));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function formatListenError({ code, message }: NodeJS.ErrnoException, port: number, host: string | undefined): string {
  const another = 'choose another with PORT';
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop the process that listens there, or ${another}`;
  if (code === 'EACCES') return `port ${port} may not be used by this user: ${another}`;
  return `cannot listen on ${host ?? 'any address'}, port ${port}: ${message}`;
}

/** Stops a server: no new connections; requests under way may end within `timeout` ms, then their connections are closed. */
export async function close(server: Server, timeout: number): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), timeout);
  // A kept-alive connection becomes idle when its request ends. There is no event for that, and it would stay open for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(deadline);
  clearInterval(sweep);
}
