/** A scenario with a figure that is too high, and one that is within its bounds. */
import type { Scenario } from '../support/scenario.ts';

export const scenario: Scenario = {
  summary: 'falls short',
  timeoutMs: 1000,
  async run({ measure, rounds }) {
    measure({ measured: 'lost', value: 1, max: 0 });
    measure({ measured: 'goodput', value: 90, unit: '%', min: 80 });
    measure({ measured: 'rounds', value: rounds });
  },
};
