/** The public API of `@specwright/server`. */

// ---- Serving a contract ------------------------------------------------------------------------------------------

export {
  loadContract,
  type LoadOptions,
  type Contract,
  type ContractOperation,
  type GeneratedContract,
  HeaderFields,
  type FieldValues,
  type ContractTypes,
  type DeclaredCode,
  type Input,
  type OmitOperations,
  type OperationId,
  type Payload,
  type Read,
  type Reply,
  type RequestInput,
  type Scope,
  type ScopedScheme,
  type SecurityScheme,
  type Status,
  type GeneratedOutgoing,
  type OutgoingCallback,
  type OutgoingWebhook,
  callbackUrl,
  type ExpressionInput,
  type OutgoingEntry,
  type OutgoingSource,
  type ContractOutgoing,
  type ValidatedPayload,
  type ByteRange,
  type ByteSource,
  type ByteStream,
  type ItemStream,
  type SpooledFile,
  type StreamedFiles,
  type UploadedFile,
  HandlerResponse,
  type UnvalidatedResponse,
  type RequiredScheme,
  type SecuritySchemeDefinition,
  quotaOf,
  type PlanHolder,
  type PlanTable,
  type Quota,
  inBackground,
  remember,
  isThenable,
  type ErrorProblem,
} from '@specwright/contract';
export { createRequestHandler } from './create-request-handler.ts';
export { createServer } from './create-server.ts';
export type {
  ListenOptions,
  MountOptions,
  RequestHandler,
  Security,
  ServerOptions,
  ServiceExchange,
  ServiceOptions,
  ServicesOptions,
  ServiceStep,
  ServiceSteps,
  SharedOptions,
} from './options.ts';
export type { Middleware } from './pipeline/middleware.ts';
export { addMockHeader, loadMock, type Mock, type MockRequest, type MockResponse } from './mock.ts';
export type { CorsOptions } from './pipeline/cors/cors.ts';
export type { DocsOAuth, DocsOptions } from './endpoints/docs-login.ts';
export type { ErrorOptions } from './pipeline/error-formatter.ts';
export type {
  CallOperation,
  ContractTools,
  OperationRequest,
  OperationResponse,
  ToolAnswer,
  ToolMessage,
  ToolServer,
} from './tools/tool-server.ts';
export type { RateLimitOptions, RateLimitSubject } from './pipeline/rate-limit/rate-limit.ts';
export type { IdempotencyStore, IdempotentRequest, IdempotentWork, RepeatableWork, SingleWork } from './pipeline/idempotency.ts';
export { repeatInBackground, type Repeatable } from '@specwright/contract/runtime';
export type { Readiness } from './endpoints/probes.ts';
export type { ResponseValidation } from './pipeline/send-response.ts';

// ---- Handlers ----------------------------------------------------------------------------------------------------

export type { Context, Handler, Handlers, RateLimits } from './types/handlers.ts';
export type { RateLimitDecision, RateLimitWindow } from './limits/limiter.ts';
export { createdResponse, etag, isFresh, precondition, recordResponse, replyWithRecord } from './http/conditional.ts';
export { requireVersion, type Page, type Precondition, type Stored } from '@specwright/contract/runtime';
export { pageResponse, parsePage } from './http/pagination.ts';
export { toUtc } from './http/to-utc.ts';

// ---- Security schemes --------------------------------------------------------------------------------------------

export { apiKey, basic, bearer, byScheme, unimplementedScheme, type Authenticator } from './pipeline/authentication/authenticators.ts';
export { ALL_SCOPES, type Scoped } from './pipeline/authentication/scopes.ts';
export type { LookUpLimit, SchemeContext } from './pipeline/authentication/credentials.ts';

// ---- Errors ------------------------------------------------------------------------------------------------------

export {
  AppError,
  FRAMEWORK_ERRORS,
  FrameworkError,
  isAppError,
  type AppErrorOptions,
  type ErrorStatuses,
  type FrameworkErrorCode,
} from '@specwright/contract/runtime';
export { ConfigError, formatFatalError, notImplemented } from './errors.ts';

// ---- Running as a process ----------------------------------------------------------------------------------------

export { fitLines } from './errors.ts';
export { close, listen } from './process/listen.ts';
export type { ServerPart } from './process/part-lifecycle.ts';
export { checkPause, onPause } from '@specwright/contract/runtime';
export { inTime, linkSignals, type LinkedSignal } from './ops/time-limits.ts';
export { createLogger, type Log } from './log/logger.ts';
export { showsColors, type LogFormat } from './log/pretty-log.ts';
export type { Greeting } from './process/greeting.ts';
export type { TraceHeaders } from './http/traceparent.ts';
export { traceClientRequest } from './ops/telemetry.ts';
export { createReadiness, type Degraded, type ReadinessOptions, type ReadinessProbe, type WatchedReadiness } from './process/readiness.ts';
export { runService, workTimeout, type ProcessConfig, type ServiceProcess, type StopService } from './process/run.ts';
export { rateLimitOptions, serverOptions } from './server-options.ts';

// ---- Tools -------------------------------------------------------------------------------------------------------

export { createBoundedCache, type BoundedCache } from './limits/bounded-cache.ts';
export { readFlags } from './command/arguments.ts';
export { byLabel, counter, gauge, type Metric, type MetricSource, type MetricValue } from '@specwright/contract/runtime';
