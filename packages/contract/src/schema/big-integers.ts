/** Finds schemas whose integers are `bigint` in JavaScript, and validates those. */
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { type Document, type Schema, isObject } from '../document/openapi.ts';
import { BIG_INTEGER } from './schema-reference.ts';
import { isBigInteger, limitsOf, NUMBER_LIMITS, typesOf, valuesOf, wholeOf } from './model.ts';

/** As `isBigInteger`, for a schema that may be a reference, or say it in a part of an `allOf`. */
export const describesBigInteger = (document: Document, reference: Schema): boolean => [...wholeOf(document, reference)].some(isBigInteger);

/** The keywords that it takes the place of. */
const SCALAR_KEYWORDS: readonly string[] = ['type', 'format', 'enum', 'const', ...NUMBER_LIMITS];

/** Moves what is about a number into the one keyword that knows `bigint`. */
export function takeBigInteger(result: Record<string, unknown>): void {
  const taken = Object.entries(result).filter(([keyword]) => SCALAR_KEYWORDS.includes(keyword));
  if (taken.length === 0) return;
  for (const [keyword] of taken) delete result[keyword];
  result[BIG_INTEGER] = Object.fromEntries(taken);
}

const LOWEST = -(2n ** 63n);
const HIGHEST = 2n ** 63n - 1n;

/** @param takesNumbers whether an integer may be a number too, as in what was parsed from JSON. */
export function bigIntegerKeyword(takesNumbers: boolean): FuncKeywordDefinition {
  return { keyword: BIG_INTEGER, schemaType: 'object', errors: true, compile: (schema: Schema) => createTest(schema, takesNumbers) };
}

type Problem = [keyword: string, message: string, params?: Record<string, unknown>];

/** The problems of a value, of the keywords that `takeBigInteger` moved. @param takesNumbers as `bigIntegerKeyword` has it. */
export function createBigIntegerTest(schema: Schema, takesNumbers: boolean): (value: unknown) => readonly Problem[] {
  const types = typesOf(schema);
  const values = valuesOf(schema);
  const test = createLimitTest(schema);
  const integerName = takesNumbers ? 'integer' : 'bigint';
  const named = types.map((type) => (type === 'integer' ? integerName : type)).join();
  return (value) => {
    const integer = typeof value === 'bigint' ? value : takesNumbers && Number.isInteger(value) ? BigInt(value as number) : undefined;
    const isOfType = types.length === 0 || types.some((type) => isOf(type, value, integer));
    if (!isOfType) return [['type', `must be ${named}`]];
    const problems: Problem[] = [];
    if (
      values?.some((one) => (integer !== undefined && Number.isInteger(one) ? BigInt(one as number) === integer : one === value)) === false
    )
      problems.push(
        Array.isArray((schema as { enum?: unknown }).enum)
          ? ['enum', 'must be equal to one of the allowed values', { allowedValues: values }]
          : ['const', 'must be equal to constant', { allowedValue: values[0] }],
      );
    if (integer !== undefined) problems.push(...test(integer));
    return problems;
  };
}

function createTest(schema: Schema, takesNumbers: boolean): SchemaValidateFunction {
  const problemsOf = createBigIntegerTest(schema, takesNumbers);
  const validate: SchemaValidateFunction = (value: unknown) => {
    const problems = problemsOf(value);
    if (problems.length === 0) return true;
    validate.errors = problems.map(([keyword, message, params = {}]) => ({ keyword, message, params }));
    return false;
  };
  return validate;
}

function isOf(type: string, value: unknown, integer: bigint | undefined): boolean {
  if (type === 'integer' || type === 'number') return integer !== undefined;
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isObject(value) : typeof value === type;
}

/** Bounds are numbers, which JavaScript compares with a `bigint` exactly. */
function createLimitTest(schema: Schema): (value: bigint) => Problem[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = limitsOf(schema);
  const isMultiple = multipleOf === undefined ? () => true : createMultipleTest(multipleOf);
  return (value) => {
    const problems: Problem[] = [];
    if (value < LOWEST || value > HIGHEST) problems.push(['format', 'must match format "int64"']);
    if (minimum !== undefined && value < minimum) problems.push(['minimum', `must be >= ${minimum}`]);
    if (maximum !== undefined && value > maximum) problems.push(['maximum', `must be <= ${maximum}`]);
    if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) problems.push(['exclusiveMinimum', `must be > ${exclusiveMinimum}`]);
    if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) problems.push(['exclusiveMaximum', `must be < ${exclusiveMaximum}`]);
    if (!isMultiple(value)) problems.push(['multipleOf', `must be multiple of ${multipleOf}`]);
    return problems;
  };
}

/** A decimal number, as digits * 10 ** exponent. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest decimal text of a number is what was written, or the nearest that a number holds. */
function decimalOf(number: number): Decimal {
  const [, whole = '0', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number)) ?? [];
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Creates the test of a divisor: whether a number is a multiple of it. */
export function createMultipleTest(divisor: number): (value: number | bigint) => boolean {
  if (divisor === 0 || !Number.isFinite(divisor)) return () => false;
  const isWhole = Number.isInteger(divisor);
  const unit = decimalOf(divisor);
  return (value) => {
    if (typeof value === 'bigint') return isMultiple({ digits: value, exponent: 0 }, unit);
    // The remainder of whole numbers is exact.
    if (isWhole && value % divisor === 0) return true;
    if ((isWhole && Number.isSafeInteger(value)) || !Number.isFinite(value)) return false;
    return isMultiple(decimalOf(value), unit);
  };
}

function isMultiple({ digits, exponent }: Decimal, unit: Decimal): boolean {
  const scale = Math.min(exponent, unit.exponent);
  return (digits * 10n ** BigInt(exponent - scale)) % (unit.digits * 10n ** BigInt(unit.exponent - scale)) === 0n;
}

/** Takes the place of Ajv's keyword, which divides numbers. The message is the same. */
export function multipleOfKeyword(): FuncKeywordDefinition {
  const { _, str } = createRequire(import.meta.url)('ajv') as typeof AjvModule;
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: {
      message: ({ schemaCode }) => str`must be multiple of ${schemaCode}`,
      params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
    },
    compile: createMultipleTest,
  };
}
