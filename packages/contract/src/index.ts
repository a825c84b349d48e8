/** The public API of `@specwright/contract`: a contract, loaded, and what validates its requests and responses. */

// ---- A contract, loaded ------------------------------------------------------------------------------------------

export type { Contract, ContractOperation, GeneratedContract } from './contract.ts';
export { assertHandlersAndSecuritySchemes, loadContract, type LoadOptions } from './load-contract.ts';
export { openContract, type PlainRequest, type PlainResponse, validateRequest, validateResponse } from './plain-validators.ts';

// ---- The document ------------------------------------------------------------------------------------------------

export { didYouMean, editDistance } from './document/nearest-name.ts';
export { type Reference, isSafe, resolve, sentMethod } from './document/openapi.ts';
export type { Operation } from './reading/operation-table.ts';
export { formatYaml } from './reading/load-yaml.ts';
export { printable, printableCommands, printableLines } from './document/printable.ts';
export { parsePathTemplate, shapeWithoutFragment } from './document/path-template.ts';
export { ContractError, MAX_VALIDATION_ERRORS } from './document/problems.ts';
export { COMPLEXITY } from './schema/validation-run.ts';

// ---- Extensions --------------------------------------------------------------------------------------------------

export { DEFAULT_MAX_BODY_BYTES, HIGHEST_BODY_LIMIT } from './extensions/body-limit.ts';
export { type PlanHolder, type PlanTable, type Quota, quotaOf } from './extensions/plans.ts';

// ---- Requests ----------------------------------------------------------------------------------------------------

export { restoreIntegers } from './codec/big-integer-values.ts';
export type { RequestItemValidator } from './requests/item-bodies.ts';
export type { JsonPath } from './json/altered-numbers.ts';
export { type BodyKind, bodyKind, declaredType, isJson, matchesType } from './http/media-types.ts';
export type { Field } from './requests/multipart/field-decoder.ts';
export type { FileRule, MultipartParts } from './requests/multipart/multipart-parts.ts';
export type { IncomingRequest, RequestValidation, ValidInput } from './requests/request-validator.ts';
export type { RequiredScheme, SecuritySchemeDefinition } from './requests/security-requirements.ts';
export { jsonOf, parseStrictJson } from './codec/strict-json.ts';

// ---- Values of schemas -------------------------------------------------------------------------------------------

export type { StandardIssue, StandardSchema } from './standard-schema.ts';

// ---- Responses ---------------------------------------------------------------------------------------------------

export type { ErrorParts, ErrorProblem } from './responses/error-values.ts';
export { RATE_LIMIT_HEADERS } from './http/header-fields.ts';
export type { ValidatedResponse, ValidContent } from './responses/response-validator.ts';
export type { ItemValidator } from './responses/stream-validator.ts';

// ---- Webhooks and callbacks --------------------------------------------------------------------------------------

export type { OutgoingEntry, OutgoingSource } from './outgoing/list-outgoing.ts';
export type { ContractOutgoing, ValidatedPayload } from './outgoing/outgoing-validators.ts';
export { type ExpressionInput, callbackUrl } from './outgoing/runtime-expression.ts';

// ---- Values ------------------------------------------------------------------------------------------------------

export { inBackground, isThenable } from './promises.ts';
export { remember } from './remember.ts';
export { dateOf } from './json/date-time.ts';
export { isDateTime } from './json/date-formats.ts';

// ---- Types of handlers -------------------------------------------------------------------------------------------

export type {
  ContractTypes,
  DeclaredCode,
  HasLimits,
  Input,
  OmitOperations,
  OperationId,
  Payload,
  Read,
  Reply,
  RequestInput,
  RequiredOperation,
  Row,
  Scope,
  ScopedScheme,
  SecurityScheme,
  Status,
} from './types/contract-types.ts';
export {
  HandlerResponse,
  type ReplyPayload,
  type UnvalidatedResponse,
  type ByteRange,
  type ByteSource,
  type ByteStream,
  type ItemStream,
  type StreamedBody,
  assertLength,
  isByteStream,
} from './responses/handler-response.ts';
export type { IsJson } from './types/contract-types.ts';
export type { GeneratedOutgoing, OutgoingCallback, OutgoingWebhook } from './outgoing/outgoing-validators.ts';
export type { SpooledFile, StreamedFiles, UploadedFile, UploadedFiles } from './types/uploaded-files.ts';

// ---- HTTP --------------------------------------------------------------------------------------------------------

export { parseCookies } from './http/field-parameters.ts';
export { parseFieldParameters, trimBlanks } from './http/field-parameters.ts';
export { type FieldValues, HeaderFields, distinctNames, isList } from './http/header-fields.ts';
export { stringifyJson } from './json/write-json.ts';
export { serializeBody } from './responses/serialize-body.ts';
