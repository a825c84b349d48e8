/** Creates the server of a contract, or of several: `http.createServer` of their handler. */
import type { Server } from 'node:http';
import type { ContractTypes } from '@specwright/contract';
import type { ListenOptions, RequiredDb, ServerOptions, ServicesOptions, UntypedOptions } from './options.ts';
import { closeWith, startWith } from './process/listen.ts';
import { createBoundReads } from './pipeline/bound-reads.ts';
import { limitConnections, maxConnections } from './pipeline/connections.ts';
import { createHttpServer, DRAINING } from './pipeline/http-server.ts';
import { noteConnection } from './pipeline/rate-limit/told-at.ts';
import { ServerCore } from './server-core.ts';

/**
 * Makes the server of a contract, or of several (`services`). It does not listen yet.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createServer<T extends ContractTypes, Caller, const Types extends readonly ContractTypes[] = [], Db = unknown>(
  options: ((ServerOptions<T, Caller, Db> & RequiredDb<Db>) | ServicesOptions<Types, Caller>) & ListenOptions,
): Server {
  const core = new ServerCore(options as UntypedOptions & ListenOptions);
  const reads = createBoundReads(core.room);
  const server = createHttpServer(core.expressApp, reads.counting(core), core.refuse, options.tls);
  const connection = options.tls === undefined ? 'connection' : 'secureConnection';
  reads.watch(server, limitConnections(server, connection, maxConnections(), options.log));
  server.on(connection, noteConnection);
  const { metricsPort, log } = options;
  if (metricsPort !== undefined)
    startWith(server, async () => (await import('./process/metrics-listener.ts')).serveMetrics(server, core.scrape, metricsPort, log));
  server.once('listening', () => {
    core.compileSoon();
    core.startWhenReady((error) => server.emit('error', error));
  });
  server.once(DRAINING, core.stop);
  closeWith(server, core.close);
  return server;
}
