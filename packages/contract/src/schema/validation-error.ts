/** Says what the errors of a compiled schema mean, and where. */
import type { ErrorObject } from 'ajv';
import { escapePointer } from '../document/openapi.ts';
import { MAX_VALIDATION_ERRORS } from '../document/problems.ts';
import { withoutConditions } from './discriminator.ts';
import { namePattern } from '../patterns/pattern.ts';

/** A problem of a value. Its location: `query/limit`, `body/items/0/name`. */
export interface ValueProblem {
  readonly location: string;
  readonly message: string;
  readonly keyword?: string;
}

/** @param location of the value; @param errors those of `validate.errors`. */
export function describeErrors(location: string, errors: readonly ErrorObject[] | null | undefined): ValueProblem[] {
  return withoutConditions((errors ?? []).slice(0, MAX_VALIDATION_ERRORS))
    .filter(({ keyword }) => keyword !== 'if')
    .map((error) => ({ ...describe(location, error), keyword: error.keyword }));
}

function describe(location: string, error: ErrorObject): ValueProblem {
  const { keyword, instancePath, message = 'is not valid' } = error;
  const params = error.params as Record<string, unknown>;
  const at = location + instancePath;
  const below = (name: unknown) => `${at}/${escapePointer(String(name))}`;
  if (keyword === 'required') return { location: below(params['missingProperty']), message: 'is required' };
  if (keyword === 'additionalProperties') return { location: below(params['additionalProperty']), message: 'is not declared' };
  if (keyword === 'unevaluatedProperties') return { location: below(params['unevaluatedProperty']), message: 'is not declared' };
  if (keyword === 'dependentRequired')
    return { location: below(params['missingProperty']), message: `is required beside ${String(params['property'])}` };
  if (keyword === 'enum') return { location: at, message: `${message}: ${(params['allowedValues'] as unknown[]).map(textOf).join(', ')}` };
  if (keyword === 'const') return { location: at, message: `must be ${JSON.stringify(params['allowedValue'])}` };
  return { location: at, message: namePattern(message) };
}

const textOf = (value: unknown): string => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));

/** An error of a compiled schema with its location: `response/body/name must be string`. */
export function formatAjvError(location: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${location}${error.instancePath} ${namePattern(error.message ?? 'is not valid')}${detail}`;
}
