/** What a service passes on of its configuration, however that is read. */
import type { Environment, RATE_LIMIT_VARIABLES, SERVER_VARIABLES } from './environment.ts';

/** What of `SERVER_VARIABLES` is an option of `createServer`, so that a new variable needs no line in a service. */
export const serverOptions = (config: Environment<typeof SERVER_VARIABLES>) => ({
  responseValidation: config.responseValidation,
  requestTimeoutMs: config.requestTimeout,
  maxBodyBytes: config.maxBodyBytes,
  bodyBudgetBytes: config.bodyBudget,
  spoolBudgetBytes: config.spoolBudget,
  compression: config.compression,
  background: config.profile === 'server',
  streams: { total: config.maxStreams, perCaller: config.maxStreamsPerCaller },
  cors: config.corsOrigins && { origins: config.corsOrigins },
  docs: config.docs && { oauth: { clientId: config.docsClientId, issuer: config.docsIssuer }, reload: config.docsReload },
  metrics: config.metrics,
  metricsPort: config.metricsPort,
  logRequests: config.logRequests,
});

/** What of `RATE_LIMIT_VARIABLES` is in the option `rateLimit`. */
export const rateLimitOptions = (config: Environment<typeof RATE_LIMIT_VARIABLES> & { readonly workers: number }) => ({
  trustProxy: config.trustProxy,
  instances: config.instances * config.workers,
  timeoutMs: config.rateLimitTimeout,
});
