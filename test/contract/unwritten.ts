/** A scenario that is still to be written: it compiles, and its test fails. `npx specwright add-operation` adds it. */
import type { OperationId } from '../../generated/contract.ts';

/** The calls that make an operation answer a status. @throws Error, when it is run, that says what to write. */
export function unwritten(operation: OperationId, status: number): () => Promise<never> {
  return async () => {
    throw new Error(
      `test/contract/scenarios.ts has no scenario that makes ${operation} answer ${status}. Replace ` +
        `unwritten('${operation}', ${status}) there by a function that returns the calls: async (world) => [{ body: ... }]`,
    );
  };
}
