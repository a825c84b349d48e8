/** Checks the options of a server when it is made, so that what is wrong with them is thrown before it listens. */
import { assertHandlersAndSecuritySchemes, ContractError, type Contract, type ContractOperation } from '@specwright/contract';
import type { TrustedProxy } from './limits/client-address.ts';
import type { Log } from './log/logger.ts';
import type { ListenOptions, UntypedOptions, UntypedService } from './options.ts';
import { type Authenticator, unimplementedScheme } from './pipeline/authentication/authenticators.ts';
import type { CorsOptions } from './pipeline/cors/cors.ts';
import { ANY_ORIGIN, originProblems } from './pipeline/cors/origins.ts';
import type { Middleware } from './pipeline/middleware.ts';
import { workerNumber } from './workers/worker-process.ts';

/** @throws Error; ContractError if handlers, authenticators or middleware do not fit a contract. */
export function checkOptions(options: UntypedOptions & Pick<ListenOptions, 'metricsPort'>, services: readonly UntypedService[]): void {
  assertNode();
  const { cors, log, metrics = false, metricsPort, rateLimit } = options;
  if (options.routes !== undefined && options.unmatched === 'next')
    throw new Error('`routes` and `unmatched: "next"` are both for what the contract does not have: add the routes to the application');
  if (metrics !== false && metricsPort === undefined && workerNumber() !== undefined)
    throw new Error(
      'GET /metrics at PORT would show one of several workers: set METRICS_PORT; each worker after the first has the next port',
    );
  if (cors !== undefined && cors.origins.length > 0) assertCors(cors);
  assertProxies(rateLimit?.trustProxy);
  for (const service of services) checkService(service, log);
  if (rateLimit === undefined && services.some(({ contract }) => contract.rateLimitPlans !== undefined))
    throw new Error('the contract has x-rate-limit-plans: give createServer the option `rateLimit`');
  if (services.every(({ contract }) => contract.operations.length === 0))
    log.warn({}, 'the contract has no operations, so every request is answered 404: add them to its paths');
}

/** @throws Error in Bun: its `node:http` loses the bodies of responses that are sent at once with their head, such as refusals. */
function assertNode(): void {
  const { bun } = process.versions;
  if (bun !== undefined)
    throw new Error(`Bun ${bun} cannot serve this: it loses bodies of refused requests. Start the same program by \`node\``);
}

function checkService({ contract, handlers, security, use = [], mock, idempotency }: UntypedService, log: Log): void {
  assertHandlersAndSecuritySchemes(contract, Object.keys(handlers), Object.keys(security));
  assertMiddleware(contract, use);
  if (mock === undefined) warnOfUnimplementedSchemes(security, log);
  if (idempotency === undefined) warnOfUnusedKeys(contract.operations, log);
}

/** @throws ContractError for operations that the contract does not have. */
function assertMiddleware(
  { file, operations, omitted }: Pick<Contract, 'file' | 'omitted' | 'operations'>,
  all: readonly Middleware[],
): void {
  const ids = new Set(operations.map(({ id }) => id));
  const named = all.flatMap((one) => (typeof one === 'function' ? [] : (one.operations ?? [])));
  const unknown = [...new Set(named)].filter((id) => !ids.has(id) && !omitted.has(id));
  const problems = unknown.map((id) => ({
    message: `the operation ${id} of \`use\` is not in the contract: correct its name, or remove it`,
  }));
  if (problems.length > 0) throw new ContractError(file, problems);
}

/** Warns of a header that the contract declares and nothing acts on. It must not stop a service whose handlers do that themselves. */
function warnOfUnusedKeys(operations: readonly ContractOperation[], log: Log): void {
  const ids = operations.filter(({ acceptsIdempotencyKey }) => acceptsIdempotencyKey).map(({ id }) => id);
  if (ids.length === 0) return;
  const message = 'the contract declares Idempotency-Key, but retries are not recognised: give createServer the option `idempotency`';
  log.warn({ operations: ids }, message);
}

function warnOfUnimplementedSchemes(authenticators: Readonly<Record<string, Authenticator>>, log: Log): void {
  for (const [scheme, authenticator] of Object.entries(authenticators)) {
    if (authenticator === unimplementedScheme)
      log.warn({ scheme }, `the security scheme ${scheme} is not written yet, so what needs it answers 501: src/security.ts`);
  }
}

function assertCors({ origins, credentials, maxAge }: CorsOptions): void {
  const [problem] = originProblems(origins);
  if (problem !== undefined) throw new Error(`cors.origins: ${JSON.stringify(problem.origin)} ${problem.message}`);
  if (credentials === true && origins.includes(ANY_ORIGIN))
    throw new Error('cors.credentials: browsers send no cookies where origins are "*": name the origins, or leave credentials out');
  if (maxAge !== undefined && (!Number.isSafeInteger(maxAge) || maxAge < 0))
    throw new Error(`cors.maxAge: ${maxAge} is no time: give a whole number of seconds from 0 on`);
}

/** With another number of proxies a client would choose its address, by a header that it sends itself. */
function assertProxies(trusted: TrustedProxy | undefined): void {
  if (trusted === undefined) return;
  const { header, hops } = trusted;
  if (header !== header.toLowerCase()) throw new Error(`rateLimit.trustProxy.header: write "${header.toLowerCase()}"`);
  if (!Number.isSafeInteger(hops) || hops < 1)
    throw new Error(`rateLimit.trustProxy.hops: ${hops} is no number of proxies: give a whole number from 1 on, or leave trustProxy out`);
}
