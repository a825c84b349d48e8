/** Makes a contract of a document of which nothing was generated, and checks what a server would compile. */
import { toContract } from './create-contract.ts';
import { operationKeys } from './document/openapi.ts';
import { ContractError, type Problem } from './document/problems.ts';
import { type Contract, servedBy } from './contract.ts';
import { checkIfInstalled } from './load-contract.ts';
import { operationTable } from './reading/operation-table.ts';
import { ALL_MODULES } from './all-modules.ts';
import { createOutgoing } from './outgoing/outgoing-validators.ts';
import { readDocument, type SourceDocument } from './reading/source-document.ts';

/** See `openContract` of the package. */
export async function openContract(file: string): Promise<Contract> {
  const source = readDocument(file);
  const problems = await checkIfInstalled(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  assertSchemasCompile(source);
  return toContract(servedBy(source), operationTable(source.document), { ...ALL_MODULES, createOutgoing });
}

/**
 * Compiles everything that a server compiles for its first requests, so that no request has to find out.
 *
 * @throws ContractError with every operation whose schemas do not compile.
 */
export function assertSchemasCompile(source: SourceDocument): void {
  const { operations, outgoing } = toContract(servedBy(source), operationTable(source.document), { ...ALL_MODULES, createOutgoing });
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
