/** What stands for a test that nobody has written yet: it compiles, and it fails. `npm run add-operation` puts it in. */
import type { Provoke } from './scenarios.ts';
import type { OperationId } from '../../generated/contract.ts';

/** The calls that make an operation answer a status. @throws Error, when it is run, that says what to write. */
export function unwritten<Op extends OperationId>(operation: Op, status: number): Provoke<Op> {
  return async () => {
    throw new Error(
      `test/contract/scenarios.ts: what makes ${operation} answer ${status} is not written yet. There, replace ` +
        `unwritten('${operation}', ${status}) by a function that returns the calls: async (world) => [{ body: ... }]`,
    );
  };
}
