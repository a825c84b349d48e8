/** The keyword `multipleOf`, in decimal arithmetic: 19.99 is a multiple of 0.01, although their numbers of base 2 are not. */
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { FuncKeywordDefinition } from 'ajv';

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
