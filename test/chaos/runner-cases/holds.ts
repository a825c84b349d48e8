/** A scenario whose only figure is what it must be. */
import type { Scenario } from '../support/scenario.ts';

export const scenario: Scenario = {
  summary: 'holds',
  timeoutMs: 1000,
  run: async ({ measure }) => measure({ measured: 'lost', value: 0, max: 0 }),
};
