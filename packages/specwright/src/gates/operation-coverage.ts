/** Which operations of the contract the tests called, and which of the statuses that they declare they got. */
import { join } from 'node:path';
import { listOperations, type Document } from '@specwright/contract/document';
import { isOfAnother } from '../contract-paths.ts';
import type { ProjectConfig } from '../project-config.ts';
import type { TestFile } from './jest-results.ts';

export interface OperationCoverage {
  /** Of one of several contracts: its name. */
  readonly contract: string | undefined;
  readonly operations: number;
  /** Operations of which at least one test passed. */
  readonly tested: number;
  readonly statuses: number;
  readonly answered: number;
  /** `getPet 404`, of operations that answer anything else than 501. */
  readonly missing: readonly string[];
}

/**
 * By the names that `walkContract` and `testOperations` give their tests: below the operation's id, `answers 200 as declared`. Several
 * contracts may have an operation of one name: the tests in the folder of another do not count.
 */
export function coverageOf(
  project: Pick<ProjectConfig, 'root' | 'contractName' | 'contracts'>,
  document: Document,
  tests: readonly TestFile[],
): OperationCoverage {
  const files = tests.filter(({ file }) => !isOfAnother(project, join(project.root, file)));
  const titles = new Map<string, Set<string>>();
  for (const { ancestors, title } of files.flatMap(({ passed }) => passed))
    for (const ancestor of ancestors) titles.set(ancestor, (titles.get(ancestor) ?? new Set()).add(title));
  const declared = listOperations(document).map(({ operation }) => ({
    id: operation.operationId ?? '',
    statuses: Object.keys(operation.responses),
  }));
  const isAnswered = (id: string, status: string) => titles.get(id)?.has(`answers ${status} as declared`) === true;
  const pairs = declared.flatMap(({ id, statuses }) => statuses.map((status) => ({ id, status })));
  const unwritten = (id: string) => titles.get(id)?.has('answers 501 until it is implemented') === true;
  return {
    contract: project.contractName,
    operations: declared.length,
    tested: declared.filter(({ id }) => titles.has(id)).length,
    statuses: pairs.length,
    answered: pairs.filter(({ id, status }) => isAnswered(id, status)).length,
    missing: pairs.filter(({ id, status }) => !isAnswered(id, status) && !unwritten(id)).map(({ id, status }) => `${id} ${status}`),
  };
}
