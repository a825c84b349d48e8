/** The walk itself: a test for every status of every operation that the document declares. */
import { describe, expect, test } from '@jest/globals';
import type { Answer, SpecOperation, Witness } from '../support/witness.ts';
import { provocation } from './generic.ts';
import type { Call, World } from './world.ts';

export interface Walk {
  readonly world: World;
  /** Everything about an answer that breaks the contract. */
  readonly judge: (operation: string, answer: Answer) => string[];
  /** Which calls this walk can make. All, if it is not given. */
  readonly can?: (call: Call) => boolean;
}

/** Declares the tests. @param setup what `beforeAll` has made. */
export function walk({ operations }: Witness, setup: () => Walk): void {
  describe.each(operations.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
    test.each(operation.statuses)('answers %i, and keeps the contract', async (status) => {
      const { world, judge, can = () => true } = setup();
      const calls = ((await provocation(operation, status)?.(world)) ?? []).filter(can);
      if (calls.length === 0) throw new Error(`nothing provokes ${status} of ${id}: add it to test/contract/scenarios.ts`);
      for (const call of calls) {
        const answer = await world.send(id, call);
        expect({ call, status: answer.status, problems: judge(id, answer) }).toEqual({ call, status, problems: [] });
        if (call.says !== undefined) expect((JSON.parse(answer.text) as { message: string }).message).toContain(call.says);
      }
    });
  });
}

/** The declared statuses for which there is no provocation at all, as `operation status`. */
export function unprovoked(operations: readonly SpecOperation[]): string[] {
  return operations.flatMap((operation) =>
    operation.statuses.filter((status) => provocation(operation, status) === undefined).map((status) => `${operation.id} ${status}`),
  );
}
