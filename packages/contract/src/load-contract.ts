/** Loads a contract from its file: reads it, checks it, compares it with what was generated. What that takes is loaded when it is needed. */
import { fileURLToPath } from 'node:url';
import { servedBy, type Contract, type GeneratedContract, type ServedDocument } from './contract.ts';
import { listOperations, type Document } from './document/openapi.ts';
import { ContractError, type Problem } from './document/problems.ts';
import type { ReadOptions } from './reading/project-files.ts';
import type { SourceDocument } from './reading/source-document.ts';
import type { ContractTypes, OmitOperations, OperationId } from './types/contract-types.ts';

export interface LoadOptions<Op extends string = string> extends ReadOptions {
  /**
   * The operations that are not served, as if the document did not declare them: no request, tool or published document has them. For what an
   * operator switches on. Default: none.
   */
  readonly omit?: readonly Op[];
}

/**
 * Loads the contract from an OpenAPI file.
 *
 * A document that is, but for comments, the one that `npm run generate` has checked is not checked again.
 *
 * @throws ContractError with everything that is wrong: syntax, structure, rules, drift from what was generated,
 *   schemas that do not compile, operations that cannot be omitted.
 */
export async function loadContract<T extends ContractTypes, Op extends OperationId<T> = never>(
  location: string | URL,
  expected: GeneratedContract<T>,
  { omit = [], ...options }: LoadOptions<Op> = {},
): Promise<Contract<OmitOperations<T, Op>>> {
  const file = typeof location === 'string' ? location : fileURLToPath(location);
  const [{ toContract }, { loadModules }, { readGenerated }, { mayMerge }] = await Promise.all([
    import('./create-contract.ts'),
    import('./document-modules.ts'),
    import('./reading/generated-document.ts'),
    import('./reading/load-yaml.ts'),
  ]);
  const omitted = new Set<string>(omit);
  const serve = async (document: ServedDocument) => {
    const { published } = document;
    const { omissionProblems, withoutOperations } = omitted.size > 0 ? await import('./document/without-operations.ts') : NO_MODULE;
    const problems = omissionProblems?.(published, omitted) ?? [];
    if (problems.length > 0) throw new ContractError(file, problems);
    const { createOutgoing } = maySend(published) ? await import('./outgoing/outgoing-validators.ts') : NO_MODULE;
    const modules = { ...(await loadModules(published)), createOutgoing, withoutOperations };
    return toContract<OmitOperations<T, Op>>(document, expected.operations, modules, omitted);
  };
  const generated = readGenerated(file, expected.digest);
  if (generated !== undefined) {
    const { source, published } = generated;
    // Either may also be in a comment: then the document is written anew, which says the same.
    const isChanged = source === undefined || source.includes('x-operation-defaults') || mayMerge(source);
    const toYaml = isChanged ? undefined : () => source;
    return serve({ file, published, toYaml, dates: expected.dates });
  }
  const { readDocument, readFast } = await import('./reading/source-document.ts');
  const read = readFast(file, options);
  if (read?.digest === expected.digest) return serve({ ...servedBy(read), dates: expected.dates });

  const source = readDocument(file, options);
  if (source.digest === expected.digest) return serve({ ...servedBy(source), dates: expected.dates });
  const problems = await checkIfInstalled(source);
  const drift = { message: 'generated/ was made from another version of this file: run `npm run generate`' };
  throw new ContractError(file, problems.length > 0 ? problems : [drift]);
}

const NO_MODULE = { omissionProblems: undefined, withoutOperations: undefined, createOutgoing: undefined };

/** Whether a document may have webhooks or callbacks. */
const maySend = (document: Document): boolean =>
  document.webhooks !== undefined ||
  document['x-webhooks'] !== undefined ||
  listOperations(document).some(({ operation }) => operation.callbacks !== undefined);

/** The problems of a document; none where what checks it is not installed, as where contracts are only served. */
export async function checkIfInstalled(source: SourceDocument): Promise<Problem[]> {
  const { checkDocument } = await import('./reading/check-document.ts');
  return checkDocument(source).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return [];
  });
}

/**
 * Checks handlers and authenticators at boot, for a program that was started without type checking.
 *
 * @param handlers the operations that have a handler; @param schemes the security schemes that have an authenticator.
 * @throws ContractError with every operation without handler, handler without operation, and scheme without authenticator.
 */
export function assertHandlersAndSecuritySchemes(
  { file, operations, omitted }: Pick<Contract, 'file' | 'operations' | 'omitted'>,
  handlers: readonly string[],
  schemes: readonly string[],
): void {
  const ids = new Set(operations.map(({ id }) => id));
  const handled = new Set(handlers);
  const required = new Set(operations.flatMap((operation) => operation.security.flat()));
  const problems: Problem[] = [
    ...[...ids].filter((id) => !handled.has(id)).map((id) => ({ message: `operation ${id} has no handler: add one` })),
    ...handlers
      .filter((id) => !ids.has(id) && !omitted.has(id))
      .map((id) => ({ message: `the handler ${id} has no operation: remove it, or add the operation to the contract` })),
    ...[...required]
      .filter((scheme) => !schemes.includes(scheme))
      .map((scheme) => ({ message: `the security scheme ${scheme} has no authenticator: add one` })),
  ];
  if (problems.length > 0) throw new ContractError(file, problems);
}
