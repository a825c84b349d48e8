/** Starts a server listening, and stops it without dropping a request. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Listens.
 *
 * @returns the port, which the system chooses if `port` is 0.
 * @throws Error with what to do if the port cannot be had.
 */
export async function listen(server: Server, port: number, host: string | undefined): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new Error(formatListenError(error, port, host), { cause: error })));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function formatListenError({ code, message }: NodeJS.ErrnoException, port: number, host: string | undefined): string {
  const other = 'choose another: PORT=3001 npm start';
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop what listens there, or ${other}`;
  if (code === 'EACCES') return `port ${port} may not be used by this user: ${other}`;
  return `cannot listen on ${host ?? 'any address'}, port ${port}: ${message}`;
}

/** Takes no new connection, lets requests under way end, and after `timeout` ms cuts those that have not. */
export async function close(server: Server, timeout: number): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), timeout);
  // A connection that is kept alive is idle once its request has ended. No event says so, and it would stay for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
  clearInterval(sweep);
}
