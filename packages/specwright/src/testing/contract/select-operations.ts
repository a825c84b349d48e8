/** Which operations a run of contract tests is about: all, or those that the environment names. */
import type { SpecOperation } from './document.ts';

/** The ids of the operations to test, separated by commas; without it all are tested. */
export const SELECTION_VARIABLE = 'TEST_OPERATIONS';

/** @throws Error if an id is of no operation, because a run that tests nothing would be green. */
export function selectOperations(
  operations: readonly SpecOperation[],
  selection: string | undefined = process.env[SELECTION_VARIABLE],
): readonly SpecOperation[] {
  const ids = (selection ?? '').split(',').flatMap((id) => id.trim() || []);
  if (ids.length === 0) return operations;
  const unknown = ids.filter((id) => !operations.some((operation) => operation.id === id));
  if (unknown.length > 0) throw new Error(`${SELECTION_VARIABLE}: the contract has no operation ${unknown.join(', ')}`);
  return operations.filter(({ id }) => ids.includes(id));
}
