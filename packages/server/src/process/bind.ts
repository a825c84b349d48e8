/** Makes a server listen, and says what to do if it cannot. */
import type { Server } from 'node:http';

/**
 * How many connections may wait to be accepted; the system's own bound is lower or the same. Beyond it the system drops what clients send,
 * and they try again after 1, 3, 7 s: with Node's 511 a burst waits for that, while the server has nothing to do.
 */
const BACKLOG = 4096;

/**
 * Listens on a port.
 *
 * @param host the address; `undefined` for all. @param variable the environment variable that chooses the port.
 * @throws Error with what to do if the port is not available.
 */
export async function bind(server: Server, port: number, host: string | undefined, variable: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new Error(formatProblem(error, port, host, variable), { cause: error }));
    server.once('error', fail);
    server.listen({ port, backlog: BACKLOG, ...(host === undefined ? {} : { host }) }, () => {
      // It would hide a later error of the server.
      server.off('error', fail);
      resolve();
    });
  });
}

function formatProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string | undefined, variable: string): string {
  const another = `choose another with ${variable}`;
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop the process that listens there, or ${another}`;
  if (code === 'EACCES') return `port ${port} may not be used by this user: ${another}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `this machine has no address ${host ?? ''}: correct HOST`;
  return `cannot listen on ${host ?? 'any address'}, port ${port}: ${message}`;
}
