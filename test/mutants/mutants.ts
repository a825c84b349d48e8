/** All mutants of the gate. A row whose text no longer occurs in its file is an error: change the row with the code. */
import { BODIES } from './bodies.ts';
import { COUNTERS } from './counters.ts';
import { EDGES } from './edges.ts';
import { LIMITS } from './limits.ts';
import type { MutatedFile } from './mutant.ts';
import { PIPELINE } from './pipeline.ts';
import { STORE } from './store.ts';

export const MUTATED_FILES: readonly MutatedFile[] = [...LIMITS, ...PIPELINE, ...BODIES, ...COUNTERS, ...STORE, ...EDGES];
