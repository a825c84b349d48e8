/** Makes a server listen, and says what to do if it cannot. */
import type { Server } from 'node:http';
import { ConfigError } from '../errors.ts';

/**
 * How many connections may wait to be accepted; the system's own bound is lower or the same. Beyond it the system drops what clients send,
 * and they try again after 1, 3, 7 s: with Node's 511 a burst waits for that, while the server has nothing to do.
 */
const BACKLOG = 4096;

/**
 * Listens on a port.
 *
 * @param host the address; `undefined` for all. @param setting what a person chooses the port with: an environment variable, or an option of a command.
 * @throws Error with what to do if the port is not available, ConfigError if it is none.
 */
export async function bind(server: Server, port: number, host: string | undefined, setting: string): Promise<void> {
  // Node's own error does not name the variable that a program has made the number of.
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError([`${setting} must be a port from 0 to 65535, not ${port}`]);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(new Error(formatProblem(error, port, host, setting), { cause: error }));
    server.once('error', fail);
    // Workers share PORT alone: requests to it must not reach the metrics of one whose number leads there.
    server.listen({ port, backlog: BACKLOG, exclusive: setting === 'METRICS_PORT', ...(host === undefined ? {} : { host }) }, () => {
      // It would hide a later error of the server.
      server.off('error', fail);
      resolve();
    });
  });
}

function formatProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string | undefined, setting: string): string {
  const another = `choose another with ${setting}`;
  if (code === 'EADDRINUSE') return `port ${port} is in use: stop the process that listens there, or ${another}`;
  if (code === 'EACCES') return `port ${port} may not be used by this user: ${another}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `this machine has no address ${host ?? ''}: correct HOST`;
  return `cannot listen on ${host ?? 'any address'}, port ${port}: ${message}`;
}
