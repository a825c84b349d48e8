/** The entry for tools, `@specwright/server/document`: reads, checks and compiles OpenAPI documents. */

export {
  METHODS,
  isObject,
  listOperations,
  methodsOf,
  operationAt,
  operationKeys,
  parametersOf,
  pointerKeys,
  pointerTo,
  resolve,
  resolveAt,
  sentMethod,
  valueAt,
  withOperation,
} from './contract/document/openapi.ts';
export type * from './contract/document/openapi.ts';
export { formatYaml, parseYaml, type ParsedYaml } from './contract/document/parse-yaml.ts';
export { proveSpec, type ProvenSpec } from './contract/document/generated-document.ts';
export type { ReadText, SourceFile } from './contract/document/document-parts.ts';
export { parseSource, readDocument, readText, type ParseOptions, type SourceDocument } from './contract/document/source-document.ts';
export { checkDocument } from './contract/document/check-document.ts';
export { versionProblem } from './contract/document/openapi-version.ts';
export { nameKeyword } from './contract/document/structure-message.ts';
export { ContractError, displayFile, formatProblem, type Locate, type Problem } from './contract/document/problems.ts';
export { defaultOf } from './contract/schema/default-value.ts';
export { fieldEncoding, type FieldEncoding } from './contract/requests/form-fields.ts';
export { formProblems, type FormProblem } from './contract/requests/form-problems.ts';
export { callbackExpressions, callbackUrl, unsupportedExpressions } from './contract/outgoing/runtime-expression.ts';
export { listOutgoing, outgoingBody, outgoingTable, unsentReason } from './contract/outgoing/list-outgoing.ts';
export type { DocumentOutgoing, OutgoingBody, OutgoingEntry } from './contract/outgoing/list-outgoing.ts';
export { groupUnsupported } from './contract/group-unsupported.ts';
export { listUnsupported } from './contract/unsupported.ts';
export type { UnsupportedFeature } from './contract/unsupported-feature.ts';
export { assertSchemasCompile } from './contract/load-contract.ts';
export { describesEvents, itemSchemaOf, sequenceKind, type SequenceKind } from './contract/responses/item-schema.ts';
export { bodyKind, type BodyKind } from './contract/requests/media-types.ts';
export { multipartParts, type FileRule, type MultipartParts } from './contract/requests/multipart/multipart-parts.ts';
export { operationTable, type Operation, type OperationTable } from './contract/document/operation-table.ts';
export { bodyLimitOf, DEFAULT_MAX_BODY_BYTES } from './contract/extensions/body-limit.ts';
export { jsonContentOf, toolExtensionOf, type ToolExtension } from './contract/extensions/tools.ts';
export { acceptsIdempotencyKey } from './contract/requests/header-parameters.ts';
export { securityRequirementsOf, type RequiredScheme, type SecuritySchemeDefinition } from './contract/requests/security-requirements.ts';
export { rateLimitPlans } from './contract/extensions/rate-limit-extensions.ts';
export { mapSchemas, visitDocument, type DocumentPath, type DocumentVisitor } from './contract/document/visit-schemas.ts';
export { unmetOperationDefaults } from './contract/extensions/unmet-defaults.ts';
export { compilePattern, namePattern, type CompiledPattern } from './contract/schema/pattern.ts';
export { isKnownFormat, KNOWN_FORMATS } from './contract/schema/formats.ts';
export { isDate, isDateTime } from './contract/schema/rfc3339.ts';
export { createSchemaCompiler, type CompileSchemaAt } from './contract/schema/schema-compiler.ts';
export { describesBigInteger, hasBigIntegers } from './contract/schema/big-integers.ts';
export { schemaShape, type SchemaShape } from './contract/schema/schema-shape.ts';
export { modelOf } from './contract/schema/build-model.ts';
export { createDynamicScopes, type DynamicScope } from './contract/schema/dynamic-scope.ts';
export { tagsOf as discriminatorTags } from './contract/schema/discriminator.ts';
export * from './contract/schema/model.ts';
export * from './contract/schema/applicators.ts';
export { toPlainSchema, toPlainSchemas, type Direction } from './contract/schema/plain-schema.ts';
export {
  boundsOf,
  hasKeyword,
  locateExamples,
  locateValues,
  objectKeywordOf,
  type Bound,
  type LocatedValue,
} from './contract/schema/keyword-locations.ts';
export { hasNullable, locateNull, type WrittenDocument } from './contract/schema/written-schema.ts';
export { withOptionalOneWay, withoutValues } from './contract/schema/relaxed-document.ts';
export { INT64_EXTENSION, int64ChoiceOf } from './contract/extensions/int64.ts';
