/** A scenario that is still to be written: it compiles, and its test fails. `npx specwright add-operation` adds it. */
import type { OperationId } from '../../generated/contract.ts';
import type { Scenario } from './scenarios.ts';

/** The calls that make an operation answer a status. @throws Error, when it is run, that says what to write. */
export function unwritten<Op extends OperationId>(operation: Op, status: number): Scenario<Op> {
  // A contract without operations has no id, and its type is none of a message's.
  const id: string = operation;
  return async () => {
    throw new Error(
      `test/contract/scenarios.ts has no scenario that makes ${id} answer ${status}. Replace ` +
        `unwritten('${id}', ${status}) there by a function that returns the calls: async (world) => [{ body: ... }]`,
    );
  };
}
