/** Creates the handler of requests, for another application. */
import type { ContractTypes } from '@specwright/contract';
import type { Listener } from './listener.ts';
import type { MountOptions, RequestHandler, RequiredDb, ServerOptions, ServicesOptions, UntypedOptions } from './options.ts';
import { ServerCore } from './server-core.ts';

/**
 * Creates a handler that serves contracts in another application: `app.use('/v1', handler)` of Express, or any server of `node:http`.
 *
 * The path that Express mounts it at is part of `Location`, `Link`, the documentation and the published contract.
 *
 * @throws ContractError if handlers or authenticators do not fit the contract.
 */
export function createRequestHandler<T extends ContractTypes, Caller, const Types extends readonly ContractTypes[] = [], Db = unknown>(
  options: ((ServerOptions<T, Caller, Db> & RequiredDb<Db>) | ServicesOptions<Types, Caller>) & MountOptions,
): RequestHandler {
  const core = new ServerCore(options as UntypedOptions);
  core.compileSoon();
  core.startWhenReady((err) => options.log.error({ err }, 'a part of the server could not be started'));
  const handler: Listener = (request, response, next) => core.handle(request, response, next);
  return Object.assign(handler as unknown as RequestHandler, { close: core.close });
}
