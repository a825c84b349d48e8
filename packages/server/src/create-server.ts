/** Creates the server of a contract, or of several: `http.createServer` of their handler. */
import type { RequestListener, Server } from 'node:http';
import type { Request, Response } from 'express';
import type { ContractTypes } from '@specwright/contract';
import type { ListenOptions, RequiredDb, ServerOptions, ServicesOptions, UntypedOptions } from './options.ts';
import { closeWith, startWith } from './process/listen.ts';
import { boundReads, limitConnections } from './pipeline/connections.ts';
import { connectionEvent, createHttpServer, DRAINING } from './pipeline/http-server.ts';
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
  const core = new ServerCore(options as UntypedOptions & ListenOptions, () => countWithoutSlot());
  const composing: RequestListener = (request, response) => core.handle(request as Request, response as Response);
  const server = createHttpServer(core.expressApp, composing, core.refuse, options.tls);
  // From then on nothing is between Node and the pipeline.
  core.whenComposed(({ handle }) => server.off('request', composing).prependListener('request', handle as RequestListener));
  const event = connectionEvent(options.tls);
  const countWithoutSlot = boundReads(server, limitConnections(server, event, options.log), core.room);
  server.on(event, noteConnection);
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
