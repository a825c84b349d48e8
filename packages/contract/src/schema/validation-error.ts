/** Says what the errors of a compiled schema mean, and where. */
import type { ErrorObject } from 'ajv';
import { escapePointer } from '../document/openapi.ts';
import { MAX_VALIDATION_ERRORS } from '../document/problems.ts';
import { namePattern } from '../patterns/pattern-format.ts';

/** Of a property whose name is refused, in UTF-16 units: a longer name is cut. It may be as long as a body. */
const MAX_NAME_LENGTH = 100;

/** A problem of a value. Its location: `query/limit`, `body/items/0/name`. */
export interface ValueProblem {
  readonly location: string;
  readonly message: string;
  readonly keyword?: string;
}

/** @param location of the value; @param errors those of `validate.errors`. */
export function describeErrors(location: string, errors: readonly ErrorObject[] | null | undefined): ValueProblem[] {
  const found = withoutConditions((errors ?? []).slice(0, MAX_VALIDATION_ERRORS));
  return found
    .filter((error) => error.keyword !== 'if' && !isSaid(found, error))
    .map((error) => ({ ...describe(location, error), keyword: keywordOf(error) }));
}

/** What the schema says: a pattern is compiled as a format. */
const keywordOf = ({ keyword, message = '' }: ErrorObject): string => (namePattern(message) === message ? keyword : 'pattern');

/** Whether another problem says what is wrong with the name of a property. */
const isSaid = (errors: readonly ErrorObject[], { keyword, instancePath, params }: ErrorObject): boolean =>
  keyword === 'propertyNames' &&
  errors.some((other) => other.instancePath === instancePath && other.propertyName === (params as { propertyName: string }).propertyName);

function describe(location: string, error: ErrorObject): ValueProblem {
  const { keyword, instancePath, message = 'is not valid' } = error;
  const params = error.params as Record<string, unknown>;
  const at = location + instancePath;
  const below = (name: unknown) => `${at}/${escapePointer(String(name))}`;
  const { propertyName, ...inName } = error;
  if (propertyName !== undefined) {
    const problem = describe(at, inName).message.replace(/^names of properties /, '');
    if (propertyName.length <= MAX_NAME_LENGTH) return { location: below(propertyName), message: `name ${problem}` };
    // A location with a part of the name would be that of nothing.
    return { location: at, message: `name ${propertyName.slice(0, MAX_NAME_LENGTH)}... ${problem}` };
  }
  if (keyword === 'required') return { location: below(params['missingProperty']), message: 'is required' };
  if (keyword === 'additionalProperties') return { location: below(params['additionalProperty']), message: 'is not declared' };
  if (keyword === 'unevaluatedProperties') return { location: below(params['unevaluatedProperty']), message: 'is not declared' };
  if (keyword === 'dependentRequired')
    return { location: below(params['missingProperty']), message: `is required beside ${String(params['property'])}` };
  if (keyword === 'enum') return { location: at, message: `${message}: ${listOf(params['allowedValues'] as unknown[])}` };
  if (keyword === 'const') return { location: at, message: `must be ${JSON.stringify(params['allowedValue'])}` };
  if (keyword === 'not') return { location: at, message: refusalOf(error) };
  return { location: at, message: namePattern(message) };
}

/** What `not` refuses: everything, which is what `false` is as a schema, or a value that one keyword describes. */
function refusalOf({ schema, schemaPath }: ErrorObject): string {
  const [[keyword, value] = [], ...others] = Object.entries((schema ?? {}) as Readonly<Record<string, unknown>>);
  if (keyword === undefined) return /\/items\/not$/.test(schemaPath) ? 'is one item too many' : 'must not be given';
  if (others.length === 0 && keyword === 'type') return `must not be ${[value].flat().map(String).join(' or ')}`;
  if (others.length === 0 && keyword === 'const') return `must not be ${JSON.stringify(value)}`;
  if (others.length === 0 && keyword === 'enum') return `must not be one of ${listOf(value as unknown[])}`;
  if (others.length === 0 && keyword === 'required') return `must not have ${(value as string[]).join(' and ')}`;
  return 'must not be what the schema refuses by `not`';
}

const textOf = (value: unknown): string => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value));

/** Texts without quotes, unless another value would look the same: `1, "1"`. */
function listOf(values: readonly unknown[]): string {
  const texts = values.map(textOf);
  return (new Set(texts).size < texts.length ? values.map((value) => JSON.stringify(value)) : texts).join(', ');
}

/** An error of a compiled schema with its location: `response/body/name must be string`. */
export function formatAjvError(location: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${location}${error.instancePath} ${namePattern(error.message ?? 'is not valid')}${detail}`;
}

const CONDITION = '/0/not';

/** The errors without those that say that a condition (`anyOf: [{ not: ... }, ...]`) was true: what it requires has separate errors. */
export function withoutConditions(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const conditions = new Set<string>();
  for (const { keyword, schemaPath, instancePath } of errors)
    if (keyword === 'not' && schemaPath.endsWith(`anyOf${CONDITION}`))
      conditions.add(`${instancePath} ${schemaPath.slice(0, -CONDITION.length)}`);
  if (conditions.size === 0) return errors;
  return errors.filter(({ keyword, schemaPath, instancePath }) => {
    const path = keyword === 'not' && schemaPath.endsWith(CONDITION) ? schemaPath.slice(0, -CONDITION.length) : schemaPath;
    return !((keyword === 'not' || keyword === 'anyOf') && conditions.has(`${instancePath} ${path}`));
  });
}
