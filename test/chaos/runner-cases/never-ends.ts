/** A scenario that does not end, and says on standard output when it is cleaned up. */
import type { Scenario } from '../support/scenario.ts';

export const scenario: Scenario = {
  summary: 'never ends',
  timeoutMs: 100,
  async run({ measure, defer }) {
    defer(() => console.log('ended what was started first'));
    defer(() => {
      throw new Error('clean-up failed');
    });
    measure({ measured: 'lost', value: 0, max: 0 });
    await new Promise(() => setTimeout(() => undefined, 600_000).unref());
  },
};
