/** Creates the server of a contract, or of several: `http.createServer` of their handler. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { ContractTypes } from '@specwright/contract';
import { createServerParts } from './create-request-handler.ts';
import { serveMetrics } from './process/metrics-listener.ts';
import type { ListenOptions, RequiredDb, ServerOptions, ServicesOptions, UntypedOptions } from './options.ts';
import { closeWith } from './process/listen.ts';
import { createBoundReads } from './pipeline/bound-reads.ts';
import { limitConnections, maxConnections } from './pipeline/connections.ts';
import { createHttpServer, DRAINING } from './pipeline/http-server.ts';
import { noteConnection } from './pipeline/rate-limit/sent-after.ts';

/**
 * Makes the server of a contract, or of several (`services`). It does not listen yet.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createServer<T extends ContractTypes, Caller, const Types extends readonly ContractTypes[] = [], Db = unknown>(
  options: ((ServerOptions<T, Caller, Db> & RequiredDb<Db>) | ServicesOptions<Types, Caller>) & ListenOptions,
): Server {
  const parts = createServerParts(options as UntypedOptions & ListenOptions);
  const { expressApp, handler, refuse, room, compileSoon, startWhenReady, stop, scrape } = parts;
  const reads = createBoundReads(room);
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    reads.count();
    handler(request, response);
  };
  const server = createHttpServer(expressApp, serve, refuse, options.tls);
  const connection = options.tls === undefined ? 'connection' : 'secureConnection';
  reads.watch(server, limitConnections(server, connection, maxConnections(), options.log));
  server.on(connection, noteConnection);
  if (scrape !== undefined && options.metricsPort !== undefined) serveMetrics(server, scrape, options.metricsPort, options.log);
  server.once('listening', () => {
    compileSoon();
    startWhenReady((error) => server.emit('error', error));
  });
  server.once(DRAINING, stop);
  closeWith(server, handler.close);
  return server;
}
