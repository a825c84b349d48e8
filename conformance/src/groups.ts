/** The groups of the suite, in the order of the report. */
import type { Group } from './case.ts';
import { parameters } from './groups/parameters.ts';

export const GROUPS: readonly Group[] = [parameters];
