/** The groups of the suite, in the order of the report. */
import type { Case, Group } from './case.ts';
import { bodies } from './groups/bodies.ts';
import { forms } from './groups/forms.ts';
import { http } from './groups/http.ts';
import { json } from './groups/json.ts';
import { parameters } from './groups/parameters.ts';
import { responses } from './groups/responses.ts';
import { schemas30 } from './groups/schemas-3.0.ts';
import { schemas31 } from './groups/schemas-3.1.ts';
import { security } from './groups/security.ts';
import { streams32 } from './groups/streams-3.2.ts';

export const GROUPS: readonly Group[] = [parameters, schemas31, schemas30, json, bodies, forms, responses, security, http, streams32];

/** All cases by their ids. */
export const CASES: ReadonlyMap<string, Case> = new Map(GROUPS.flatMap(({ cases }) => cases.map((tried) => [tried.id, tried] as const)));
