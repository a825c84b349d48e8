/** A scenario on a machine that is too busy for one of its figures. */
import type { Scenario } from '../support/scenario.ts';

export const scenario: Scenario = {
  summary: 'runs on a busy machine',
  timeoutMs: 1000,
  async run({ measure }) {
    measure({ measured: 'goodput', value: 70, unit: '%', min: 80, othersShare: 0.4 });
    measure({ measured: 'latency', value: 5, unit: 'ms', max: 50, othersShare: 0.4 });
  },
};
