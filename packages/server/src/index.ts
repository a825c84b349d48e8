/** The public API of `@specwright/server`. */

// A contract, and the server that serves it.
export { loadContract, assertSchemasCompile, type Contract, type GeneratedContract } from './contract/load-contract.ts';
export { createServer, type Security, type ServerOptions } from './create-server.ts';
export { listen, close } from './ops/listen.ts';
export { createLogger } from './ops/logger.ts';
export { createReadiness, type ReadinessOptions, type WatchedReadiness } from './ops/readiness.ts';
export { runService, type StopService } from './ops/run.ts';
export type { Readiness } from './pipeline/probes.ts';
export type { Log } from './pipeline/exchange.ts';
export type { ResponseValidation } from './pipeline/send-response.ts';

// What handlers are made of.
export type * from './contract/handler-types.ts';
export { HandlerResponse, type UnvalidatedResponse } from './contract/handler-response.ts';
export { etag, ifMatch, isFresh } from './http/conditional.ts';
export { parsePage, pageResponse } from './http/pagination.ts';
export { requireVersion, type Page, type Precondition, type Stored } from './http/record.ts';

// Errors, and the environment.
export {
  AppError,
  FRAMEWORK_ERRORS,
  FrameworkError,
  formatFatalError,
  notImplemented,
  type AppErrorOptions,
  type ErrorStatuses,
  type FrameworkErrorCode,
} from './errors.ts';
export type { ErrorOptions } from './pipeline/error-response.ts';
export {
  ConfigError,
  RATE_LIMIT_VARIABLES,
  SERVER_VARIABLES,
  integer,
  onOff,
  readEnvironment,
  trueFalse,
  type Environment,
} from './environment.ts';

// Security schemes.
export { apiKey, basic, bearer, unimplementedScheme, type Authenticator, type SchemeContext } from './pipeline/authenticate.ts';
export type { SecuritySchemeDefinition, RequiredScheme } from './contract/security-requirements.ts';

// Rate limits, and what a store of their counters keeps.
export type { RateLimitOptions, RateLimitSubject } from './pipeline/rate-limit.ts';
export { createLimiter, type Limiter } from './limits/limiter.ts';
export { createMemoryStore } from './limits/memory-store.ts';
export { quotaOf, type PlanTable, type Quota } from './limits/plans.ts';
export type { ActiveBans, CounterStore, ApiKeyBan, ApiKeyRef } from './limits/counter-store.ts';
export { afterRefusal, NO_STRIKES, type StrikeRecord, type Refusal } from './limits/strikes.ts';
export type { RateLimitRequest, RateLimitResult } from './limits/windows.ts';

// Documents, for tools.
export { checkDocument } from './contract/check-document.ts';
export { isKnownFormat } from './contract/formats.ts';
export * from './contract/openapi.ts';
export { operationTable, type Operation, type OperationTable } from './contract/operation-table.ts';
export { ContractError, formatProblem, type Problem } from './contract/problems.ts';
export { rateLimitPlans } from './contract/rate-limit-extensions.ts';
export { createRequestValidators, type IncomingRequest } from './contract/request-validator.ts';
export { createResponseValidators, type ResponseValidator } from './contract/response-validator.ts';
export { createSchemaCompiler, type CompileSchemaAt } from './contract/schema-compiler.ts';
export { parseYaml, type ParsedYaml } from './contract/parse-yaml.ts';
export { parseSource, readDocument, type SourceDocument } from './contract/source-document.ts';
export { listUnsupported, type UnsupportedFeature } from './contract/unsupported.ts';
