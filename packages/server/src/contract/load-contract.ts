/** From the file to a contract that can be served: read, check, hold against what was generated, compile. */
import { fileURLToPath } from 'node:url';
import { createSchemaCompiler } from './schema-compiler.ts';
import { checkDocument } from './check-document.ts';
import { readDocument, readIfUnchanged, type SourceDocument } from './source-document.ts';
import { ContractError, type Problem } from './problems.ts';
import { listOperations, type Document } from './openapi.ts';
import { createRequestValidators, type RequestValidator } from './request-validator.ts';
import { securityRequirementsOf, type RequiredScheme } from './security-requirements.ts';
import { createResponseValidators, type ResponseValidator } from './response-validator.ts';
import { basePaths } from './base-paths.ts';
import { operationTable, type Operation, type OperationTable } from './operation-table.ts';
import { loadValidator } from './openapi-validator.ts';
import { rateLimitPlans } from './rate-limit-extensions.ts';
import type { ContractTypes } from './handler-types.ts';
import type { PlanTable } from '../limits/plans.ts';

/** An operation as it is served. */
export interface ContractOperation extends Operation {
  readonly id: string;
  /** `security`, with what each scheme is. */
  readonly requirements: readonly (readonly RequiredScheme[])[];
  /** Where it is served below the root too: the paths of its servers' URLs. */
  readonly basePaths: readonly string[];
  readonly validateRequest: RequestValidator;
  readonly validateResponse: ResponseValidator;
}

/** A contract that is ready to be served. `T` are its types, for handlers to be held against. */
export interface Contract<T extends ContractTypes = ContractTypes> {
  readonly types?: T;
  readonly file: string;
  readonly title: string;
  readonly version: string;
  readonly operations: readonly ContractOperation[];
  /** The text of the file, and what it says. */
  readonly source: string;
  readonly document: Document;
  /** `x-rate-limit-plans`, if the document has some. */
  readonly rateLimitPlans: PlanTable | undefined;
  /** Loads what the first request needs and the start does not: to be called once the server listens. */
  readonly loadValidator: () => Promise<void>;
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
  const unchanged = readIfUnchanged(file, expected.digest);
  if (unchanged !== undefined) return createContract<T>(unchanged, expected.operations);

  const source = readDocument(file);
  if (source.digest === expected.digest) return createContract<T>(source, expected.operations);
  const problems = await checkDocument(source);
  const drift = { message: 'generated/ was made from another version of this file: run `npm run generate`' };
  throw new ContractError(file, problems.length > 0 ? problems : [drift]);
}

/** Nothing is compiled yet: each operation compiles what it needs when it is first called. */
function createContract<T extends ContractTypes>(
  { file, source, document }: Pick<SourceDocument, 'file' | 'source' | 'document'>,
  table: OperationTable,
): Contract<T> {
  const validatorOf = createRequestValidators(document);
  const checkerOf = createResponseValidators(document, createSchemaCompiler(document));
  const operations = listOperations(document).map((place): ContractOperation => ({
    ...(table[place.id] as Operation),
    id: place.id,
    requirements: securityRequirementsOf(document, place),
    basePaths: basePaths(document, place),
    validateRequest: validatorOf(place),
    validateResponse: checkerOf(place),
  }));
  const loadValidatorOnce = async () => {
    await loadValidator();
  };
  return {
    file,
    source,
    document,
    title: document.info.title,
    version: document.info.version,
    rateLimitPlans: (rateLimitPlans(document) ?? undefined) as PlanTable | undefined,
    operations,
    loadValidator: loadValidatorOnce,
  };
}

/**
 * Compiles everything that a server would compile once it is needed, so that none finds out then.
 *
 * @throws ContractError with every operation whose schemas do not compile.
 */
export async function assertSchemasCompile(source: SourceDocument): Promise<void> {
  const { operations } = createContract(source, operationTable(source.document));
  const problems: Problem[] = [];
  for (const { id, path, method, body, responses, validateRequest, validateResponse } of operations) {
    const { line, column } = source.locate(['paths', path, method]);
    const attempt = async (what: string, compile: () => unknown) => {
      try {
        await compile();
      } catch (error) {
        problems.push({ line, column, message: `${id}: the schema of ${what} does not compile: ${(error as Error).message}` });
      }
    };
    for (const type of [undefined, ...(body?.types ?? [])]) {
      await attempt(type === undefined ? 'a parameter' : `the ${type} body`, () =>
        validateRequest({ path: {}, query: new URLSearchParams(), headers: {}, body: {}, type }),
      );
    }
    for (const status of Object.keys(responses)) {
      // A range stands for its last status; what `default` stands for is declared by nothing else.
      const number = Number(status.replace('default', '599').replace('XX', '99'));
      await attempt(`response ${status}`, () => validateResponse({ status: number, headers: {}, body: undefined, type: undefined }));
    }
  }
  if (problems.length > 0) throw new ContractError(source.file, problems);
}

/**
 * Checks handlers and authenticators against the contract, for a program that was not compiled before it was started.
 *
 * @param handlers the operations that have a handler; @param schemes the security schemes that have an authenticator.
 * @throws ContractError with every operation without handler, handler without operation, and scheme that nothing enforces.
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
    ...[...ids].filter((id) => !handled.has(id)).map((id) => ({ message: `operation ${id} has no handler: add it to src/handlers/` })),
    ...handlers
      .filter((id) => !ids.has(id))
      .map((id) => ({ message: `there is a handler ${id}, but no such operation: remove one or add the other` })),
    ...[...required]
      .filter((scheme) => !schemes.includes(scheme))
      .map((scheme) => ({ message: `nothing enforces the security scheme ${scheme}` })),
  ];
  if (problems.length > 0) throw new ContractError(file, problems);
}
