/** The entry for tools, `@specwright/contract/document`: reads, checks and compiles OpenAPI documents. */

export {
  METHODS,
  decodePercent,
  isObject,
  isSafe,
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
} from './document/openapi.ts';
export type * from './document/openapi.ts';
export { formatYaml } from './reading/load-yaml.ts';
export { parseYaml, type ParsedYaml } from './reading/parse-yaml.ts';
export type { ProvenSpec } from './reading/generated-document.ts';
export { proveSpec } from './reading/prove-spec.ts';
export type { ReadText, SourceFile } from './reading/document-parts.ts';
export { parseSource, readDocument, textWithPointers, type ParseOptions, type SourceDocument } from './reading/source-document.ts';
export { assertWithinProject, createPartReader, type ReadOptions } from './reading/project-files.ts';
export { readText } from './reading/read-text.ts';

export { versionProblem } from './document/openapi-version.ts';
export { checkDocument, nameKeyword } from './reading/check-document.ts';
export { OPENAPI_TYPES } from './reading/openapi-types.ts';
export { printable, printableCommands, printableLines, printableSource } from './document/printable.ts';
export { codeSpan, escapeMarkdown } from './document/markdown.ts';
export { quotedPath } from './document/quoted-path.ts';
export { ContractError, displayFile, formatProblem, type Locate, type Problem } from './document/problems.ts';
export { defaultOf } from './schema/default-value.ts';
export { encodeCookies } from './codec/encode-cookies.ts';
export { encodePairs, encodeText, isComposite, type EncodedField } from './codec/encode.ts';
export { encodeField, type EncodedFormField } from './codec/encode-field.ts';
export { encodePart } from './codec/encode-part.ts';
export type { FieldEncoding } from './codec/field-encoding.ts';
export { fieldEncoding } from './codec/form-encoding.ts';
export { formProblems, type FormProblem } from './codec/form-problems.ts';
export { callbackExpressions, unsupportedExpressions } from './outgoing/callback-expressions.ts';
export { callbackUrl } from './outgoing/runtime-expression.ts';
export { listOutgoing, outgoingBody, outgoingTable, unsentReason } from './outgoing/list-outgoing.ts';
export type { DocumentOutgoing, OutgoingBody, OutgoingEntry } from './outgoing/list-outgoing.ts';
export { listUnsatisfiableResponses, type UnsatisfiableResponse } from './unsatisfiable-responses.ts';
export { listUnsupported } from './unsupported.ts';
export { groupUnsupported, type UnsupportedFeature } from './unsupported-feature.ts';
export { assertSchemasCompile } from './open-contract.ts';
export { describesEvents, itemSchemaOf, sequenceKind, type SequenceKind } from './schema/item-schema.ts';
export { bodyKind, type BodyKind, concreteType } from './http/media-types.ts';
export { refusalKey, refusalStatuses } from './responses/refusal-statuses.ts';
export { multipartParts, type FileRule, type MultipartParts } from './requests/multipart/multipart-parts.ts';
export { operationTable, type Operation, type OperationTable } from './reading/operation-table.ts';
export { bodyLimitOf, DEFAULT_MAX_BODY_BYTES } from './extensions/body-limit.ts';
export { jsonContentOf, toolExtensionOf, type ToolExtension } from './extensions/tools.ts';
export { type DeclaredQuery, declaredQueryOf, encodeQuery } from './requests/whole-query.ts';
export { acceptsIdempotencyKey } from './document/openapi.ts';
export { securityRequirementsOf, type RequiredScheme, type SecuritySchemeDefinition } from './requests/security-requirements.ts';
export { rateLimitPlans } from './extensions/rate-limit-extensions.ts';
export { mapSchemas, visitDocument, type DocumentPath, type DocumentVisitor } from './document/visit-schemas.ts';
export { unmetOperationDefaults } from './extensions/unmet-defaults.ts';
export { compilePattern, type CompiledPattern } from './patterns/pattern.ts';
export { namePattern } from './patterns/pattern-format.ts';
export { patternTestOf, type PatternTest } from './patterns/pattern-test.ts';
export { isConstrainingFormat, isKnownFormat, KNOWN_FORMATS } from './schema/formats.ts';
export { isDate, isDateTime } from './json/date-formats.ts';
export type { CompileSchemaAt } from './schema/compile-schema.ts';
export { describesBigInteger } from './schema/big-integers.ts';
export { dateOf, dateText } from './json/date-time.ts';
export { hasNativeValues } from './schema/native-values.ts';
export { schemaShape, type SchemaShape } from './schema/schema-shape.ts';
export { createSchemaCompiler, modelOf } from './schema/model-of.ts';
export { withInheritance } from './schema/inheritance.ts';
export { createDynamicScopes, type DynamicScope } from './schema/dynamic-scope.ts';
export { tagAlternatives } from './schema/discriminator.ts';
export { tagsOf as discriminatorTags } from './schema/discriminator-tags.ts';
export * from './document/subschemas.ts';
export * from './schema/model.ts';
export * from './schema/model.ts';
export { toPlainSchema, toPlainSchemas } from './schema/plain-schema.ts';
export {
  boundsOf,
  hasKeyword,
  locateExamples,
  locateValues,
  objectKeywordOf,
  type Bound,
  type LocatedValue,
} from './schema/keyword-locations.ts';
export { hasNullable, locateNull, type WrittenDocument } from './schema/written-schema.ts';
export { withOptionalOneWay, withoutValues } from './schema/plain-schema.ts';
