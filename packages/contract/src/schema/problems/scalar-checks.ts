/** Checks of keywords about one value: numbers, texts, sizes, allowed values. Messages are those of Ajv. */
import type { Schema } from '../../document/openapi.ts';
import { isLonger } from '../../patterns/text-length.ts';
import { type CreateCheck, expressionOf, type Keyword } from './keyword.ts';
import type { Check, ProblemRun } from './problem-run.ts';

const createLimit =
  (sign: string, isWithin: (value: number, limit: number) => boolean): CreateCheck =>
  (keyword: Keyword<number>): Check => {
    const { value: limit } = keyword;
    return (value, at, run) =>
      isWithin(value as number, limit) || run.report(keyword, at, `must be ${sign} ${limit}`, { comparison: sign, limit });
  };

const createSize =
  (comparison: 'more' | 'fewer', unit: string, isWithin: (value: never, limit: number) => boolean): CreateCheck =>
  (keyword: Keyword<number>): Check => {
    const { value: limit } = keyword;
    return (value, at, run) =>
      isWithin(value as never, limit) || run.report(keyword, at, `must NOT have ${comparison} than ${limit} ${unit}`, { limit });
  };

function createFormat(keyword: Keyword<string>, type: 'number' | 'string'): Check | undefined {
  const { value: name, builder } = keyword;
  const format = builder.formatOf(name);
  // `true`: a hint without a constraint, such as `password`.
  if (format === undefined || (typeof format !== 'object' && typeof format !== 'function')) return undefined;
  const { type: ofType = 'string', validate } =
    typeof format === 'object' && !(format instanceof RegExp) ? format : { type: 'string', validate: format };
  if (ofType !== type) return undefined;
  const test = typeof validate === 'function' ? (validate as (value: unknown) => unknown) : undefined;
  const matches = (value: unknown): boolean => (test === undefined ? (validate as RegExp).test(value as string) : test(value) === true);
  return (value, at, run) => matches(value) || run.report(keyword, at, `must match format "${name}"`, { format: name });
}

/** By type of the values that they are about. */
export const NUMBER_CHECKS: Readonly<Record<string, CreateCheck>> = {
  maximum: createLimit('<=', (value, limit) => value <= limit),
  minimum: createLimit('>=', (value, limit) => value >= limit),
  exclusiveMaximum: createLimit('<', (value, limit) => value < limit),
  exclusiveMinimum: createLimit('>', (value, limit) => value > limit),
  format: (keyword: Keyword<string>) => createFormat(keyword, 'number'),
  multipleOf: (keyword: Keyword<number>) => {
    const { value: divisor, builder } = keyword;
    const isMultiple = builder.modules.bigIntegers.createMultipleTest(divisor);
    return (value, at, run) =>
      isMultiple(value as number) || run.report(keyword, at, `must be multiple of ${divisor}`, { multipleOf: divisor });
  },
};

/** Code points are counted. */
const hasLength = (text: string, least: number): boolean => least <= 0 || isLonger(text, least - 1);

export const STRING_CHECKS: Readonly<Record<string, CreateCheck>> = {
  minLength: createSize('fewer', 'characters', hasLength),
  pattern: (keyword: Keyword<string>) => {
    const { value: pattern, builder } = keyword;
    const expression = expressionOf(builder, pattern);
    return (value, at, run) => expression.test(value as string) || run.report(keyword, at, `must match pattern "${pattern}"`, { pattern });
  },
  format: (keyword: Keyword<string>) => createFormat(keyword, 'string'),
};

/** What is larger has no other problem. By type. */
export const SIZE_CHECKS = [
  ['string', 'maxLength', createSize('more', 'characters', (text: string, limit) => !isLonger(text, limit))],
  ['array', 'maxItems', createSize('more', 'items', ({ length }: readonly unknown[], limit) => length <= limit)],
  ['object', 'maxProperties', createSize('more', 'properties', (value: object, limit) => Object.keys(value).length <= limit)],
] as const;

export const minItems = createSize('fewer', 'items', ({ length }: readonly unknown[], limit) => length >= limit);
export const minProperties = createSize('fewer', 'properties', (value: object, limit) => Object.keys(value).length >= limit);

const isObjectOrList = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Values of JSON: the order of properties does not matter. */
const isEqual = (run: ProblemRun, value: unknown, other: unknown): boolean =>
  value === other || (isObjectOrList(value) && isObjectOrList(other) && run.steps.ids.of(value) === run.steps.ids.of(other));

/** Of values of any type. */
export const VALUE_CHECKS: Readonly<Record<string, CreateCheck>> = {
  const: (keyword) => {
    const { value: allowedValue } = keyword as Keyword;
    return (value, at, run) => isEqual(run, value, allowedValue) || run.report(keyword, at, 'must be equal to constant', { allowedValue });
  },
  enum: (keyword: Keyword<readonly unknown[]>) => {
    const { value: allowedValues } = keyword;
    return (value, at, run) =>
      allowedValues.some((allowed) => isEqual(run, value, allowed)) ||
      run.report(keyword, at, 'must be equal to one of the allowed values', { allowedValues });
  },
};

export const READ_ONLY_CHECK: CreateCheck = (keyword: Keyword<boolean>) =>
  keyword.value ? (_, at, run) => run.report(keyword, at, 'is read-only: leave it out') : undefined;

export const BIG_INTEGER_CHECK: CreateCheck = (keyword: Keyword<Schema>) => {
  const { value: schema, schemaPath, builder } = keyword;
  const validate = builder.modules.bigIntegers.createBigIntegerTest(schema, builder.takesNumbers);
  return (value, at, run) => {
    const problems = validate(value);
    for (const [name, message, params = {}] of problems) run.report({ keyword: name, schemaPath }, at, message, params);
    return problems.length === 0;
  };
};
