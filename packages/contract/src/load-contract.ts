/** Loads a contract from its file: reads it, checks it, compares it with what was generated, prepares its validators. */
import { fileURLToPath } from 'node:url';
import { bodyLimitOf } from './extensions/body-limit.ts';
import { hasItems } from './schema/item-schema.ts';
import { streamLengths } from './extensions/stream-bodies.ts';
import { createErrorBodies, type ErrorBody } from './responses/error-body.ts';
import { checkDocument } from './reading/check-document.ts';
import { readGenerated } from './reading/generated-document.ts';
import { EXTENSION } from './extensions/operation-defaults.ts';
import { readDocument, readFast, type SourceDocument } from './reading/source-document.ts';
import { formatYaml } from './reading/parse-yaml.ts';
import { ContractError, type Problem } from './document/problems.ts';
import { listOperations, operationKeys, type Document } from './document/openapi.ts';
import { acceptsIdempotencyKey, headerParameters } from './requests/header-parameters.ts';
import { itemBodiesOf } from './requests/item-bodies.ts';
import { formDataOf, withFieldSchemas } from './requests/multipart/field-schemas.ts';
import { multipartParts, type MultipartParts } from './requests/multipart/multipart-parts.ts';
import { securityRequirementsOf, type RequiredScheme } from './requests/security-requirements.ts';
import { createOperationValidators, type OperationValidators } from './operation-validators.ts';
import { createOutgoing, type ContractOutgoing } from './outgoing/outgoing-validators.ts';
import { basePaths } from './document/base-paths.ts';
import { operationTable, type Operation, type OperationTable } from './reading/operation-table.ts';
import { modelOf } from './schema/build-model.ts';
import { createSchemaCompiler } from './schema/schema-compiler.ts';
import { runWhenIdle } from './schema/run-in-slices.ts';
import { rateLimitPlans } from './extensions/rate-limit-extensions.ts';
import type { ContractTypes } from './types/contract-types.ts';
import type { PlanTable } from './extensions/plans.ts';

/** An operation, ready to be served. */
export interface ContractOperation extends Operation, OperationValidators {
  readonly id: string;
  /** `security`, with the definition of each scheme. */
  readonly requirements: readonly (readonly RequiredScheme[])[];
  /** The paths of its servers' URLs: it is served below each of them, and at the root. */
  readonly basePaths: readonly string[];
  /** The names of its parameters in headers. */
  readonly headerParameters: readonly string[];
  /** Whether the header `Idempotency-Key` is one of its parameters. Never, for a method that is safe. */
  readonly acceptsIdempotencyKey: boolean;
  /** `x-body-limit`, in bytes, if the document has it. */
  readonly bodyLimit: number | undefined;
  /** Whether one of its responses is a sequence of declared items. */
  readonly hasItems: boolean;
  /** The media types of its request whose items the handler gets one by one. */
  readonly itemTypes: readonly string[];
  /** How many bytes a streamed body of a type may have, by its schema. */
  readonly streamLengths: (type: string) => { readonly minLength: number; readonly maxLength: number };
  /** What a body of multipart/form-data is made of, if it may have one. */
  readonly multipart: MultipartParts | undefined;
  /** The body that the contract declares for an error with this status. */
  readonly errorBody: (status: number) => ErrorBody;
}

/** A contract that can be served. `T` are its types, which handlers have to fit. */
export interface Contract<T extends ContractTypes = ContractTypes> {
  readonly types?: T;
  readonly file: string;
  readonly title: string;
  readonly version: string;
  readonly operations: readonly ContractOperation[];
  /** What the service sends, by name: webhooks and callbacks. */
  readonly outgoing: ReadonlyMap<string, ContractOutgoing>;
  /** The document with `x-operation-defaults` applied, as clients and their tools get it. */
  readonly published: Document;
  /** Its model: schemas are JSON Schema 2020-12, whatever version of OpenAPI it is written in. */
  readonly document: Document;
  /** The document as YAML, or JSON, which is YAML too: the text of the file, unless it has operation defaults. */
  readonly toYaml: () => string;
  /** `x-rate-limit-plans`, if the document has them. */
  readonly rateLimitPlans: PlanTable | undefined;
  /** The body of errors of requests that are no operation's. */
  readonly errorBody: (status: number) => ErrorBody;
  /**
   * Compiles all schemas, so that no request has to wait for it. Servers do it in idle time once they listen.
   *
   * @param signal ends it; operations that are not compiled yet are compiled for their first request.
   */
  readonly compileAhead: (signal?: AbortSignal) => Promise<void>;
}

/** What was generated from the document: `contract` of `generated/contract.ts`. */
export interface GeneratedContract<T extends ContractTypes> {
  /** The operation table. */
  readonly operations: T['table'];
  /** SHA-256 of the document's content, in hex. */
  readonly digest: string;
  /** `x-rate-limit-plans`; `null` if the document has none. */
  readonly rateLimitPlans: T['rateLimitPlans'];
}

/**
 * Loads the contract from an OpenAPI file.
 *
 * A document that is, but for comments, the one that `npm run generate` has checked is not checked again.
 *
 * @throws ContractError with everything that is wrong: syntax, structure, rules, drift from what was generated,
 *   schemas that do not compile.
 */
export async function loadContract<T extends ContractTypes>(location: string | URL, expected: GeneratedContract<T>): Promise<Contract<T>> {
  const file = typeof location === 'string' ? location : fileURLToPath(location);
  const generated = readGenerated(file, expected.digest);
  if (generated !== undefined) {
    const { source, published } = generated;
    // Its name may also be in a comment: then the document is written anew, which says the same.
    const toYaml = source === undefined || source.includes(EXTENSION) ? undefined : () => source;
    return toContract<T>({ file, published, toYaml }, expected.operations);
  }
  const read = readFast(file);
  if (read?.digest === expected.digest) return toContract<T>(servedBy(read), expected.operations);

  const source = readDocument(file);
  if (source.digest === expected.digest) return toContract<T>(servedBy(source), expected.operations);
  const problems = await checkIfInstalled(source);
  const drift = { message: 'generated/ was made from another version of this file: run `npm run generate`' };
  throw new ContractError(file, problems.length > 0 ? problems : [drift]);
}

/** The problems of a document; none where what checks it is not installed, as where contracts are only served. */
export const checkIfInstalled = (source: SourceDocument): Promise<Problem[]> =>
  checkDocument(source).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return [];
  });

interface ServedDocument {
  readonly file: string;
  readonly published: Document;
  /** The text of the file, if the document was not changed since it was read there. */
  readonly toYaml: (() => string) | undefined;
}

export const servedBy = ({
  file,
  published,
  source,
  text,
}: Pick<SourceDocument, 'file' | 'source' | 'published' | 'text'>): ServedDocument => ({
  file,
  published,
  toYaml: text === source ? () => source : undefined,
});

/** Nothing is compiled yet. */
export function toContract<T extends ContractTypes>({ file, published, toYaml }: ServedDocument, table: OperationTable): Contract<T> {
  const document = modelOf(published);
  const validated = withFieldSchemas(document);
  const compileResponse = createSchemaCompiler(validated, 'response', 'required');
  const validatorsOf = createOperationValidators(validated, compileResponse);
  const validators = listOperations(validated).map(validatorsOf);
  const outgoing = createOutgoing(validated, compileResponse);
  const errorBodyOf = createErrorBodies(document);
  const operations = listOperations(document).map((operation, i): ContractOperation => {
    const formData = formDataOf(document, operation);
    return Object.assign(validators[i] as OperationValidators, {
      ...(table[operation.id] as Operation),
      id: operation.id,
      requirements: securityRequirementsOf(document, operation),
      basePaths: basePaths(document, operation),
      headerParameters: headerParameters(document, operation),
      acceptsIdempotencyKey: acceptsIdempotencyKey(document, operation),
      bodyLimit: bodyLimitOf(document, operation.operation),
      hasItems: hasItems(document, operation),
      itemTypes: itemBodiesOf(document, operation).map(({ type }) => type),
      streamLengths: (type: string) => streamLengths(document, operation, type),
      multipart: formData && multipartParts(document, formData.media),
      errorBody: (status: number) => errorBodyOf(operation.operation, status),
    });
  });
  return {
    file,
    published,
    document,
    toYaml: toYaml ?? (() => formatYaml(published)),
    title: document.info.title,
    version: document.info.version,
    rateLimitPlans: (rateLimitPlans(document) ?? undefined) as PlanTable | undefined,
    operations,
    outgoing: new Map(outgoing.map((one) => [one.name, one])),
    errorBody: (status) => errorBodyOf(undefined, status),
    compileAhead: (signal) => runWhenIdle(prepareAll([...operations, ...outgoing]), signal),
  };
}

/** What does not compile is reported by the request that needs it. */
function* prepareAll(parts: readonly { readonly prepare: () => Generator<void> }[]): Generator<void> {
  for (const { prepare } of parts) {
    try {
      yield* prepare();
    } catch {
      continue;
    }
  }
}

/**
 * Compiles everything that a server compiles for its first requests, so that no request has to find out.
 *
 * @throws ContractError with every operation whose schemas do not compile.
 */
export function assertSchemasCompile(source: SourceDocument): void {
  const { operations, outgoing } = toContract(servedBy(source), operationTable(source.document));
  const problems: Problem[] = [];
  for (const { id, path, method, schemas } of operations) {
    const failed = new Set<string>();
    for (const { purpose, compile } of schemas) {
      try {
        for (const steps = compile(); steps.next().done !== true;);
      } catch (error) {
        const message = `${id}: the schema of ${purpose} does not compile: ${(error as Error).message}`;
        if (!failed.has(message)) problems.push({ ...source.locate(operationKeys({ path, method })), message });
        failed.add(message);
      }
    }
  }
  for (const { name, path, prepare } of outgoing.values()) {
    try {
      for (const steps = prepare(); steps.next().done !== true;);
    } catch (error) {
      problems.push({ ...source.locate(path), message: `${name}: the schema of its body does not compile: ${(error as Error).message}` });
    }
  }
  if (problems.length > 0) throw new ContractError(source.file, problems);
}

/**
 * Checks handlers and authenticators at boot, for a program that was started without type checking.
 *
 * @param handlers the operations that have a handler; @param schemes the security schemes that have an authenticator.
 * @throws ContractError with every operation without handler, handler without operation, and scheme without authenticator.
 */
export function assertHandlersAndSecuritySchemes(
  { file, operations }: Contract,
  handlers: readonly string[],
  schemes: readonly string[],
): void {
  const ids = new Set(operations.map(({ id }) => id));
  const handled = new Set(handlers);
  const required = new Set(operations.flatMap((operation) => operation.security.flat()));
  const problems: Problem[] = [
    ...[...ids].filter((id) => !handled.has(id)).map((id) => ({ message: `operation ${id} has no handler: add one` })),
    ...handlers
      .filter((id) => !ids.has(id))
      .map((id) => ({ message: `the handler ${id} has no operation: remove it, or add the operation to the contract` })),
    ...[...required]
      .filter((scheme) => !schemes.includes(scheme))
      .map((scheme) => ({ message: `the security scheme ${scheme} has no authenticator: add one` })),
  ];
  if (problems.length > 0) throw new ContractError(file, problems);
}
