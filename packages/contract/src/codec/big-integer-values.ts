/** Keeps the integers of a JSON value that a number cannot hold, as `bigint`, where the contract says so. */
import { findAlteredNumbers, type JsonPath, MAX_INT64_LENGTH } from '../json/altered-numbers.ts';
import type { ValueShape } from './typed-values.ts';

const INTEGER = /^-?\d+$/;

export interface RestoredValue {
  readonly value: unknown;
  /** The first number that JavaScript has altered. */
  readonly altered: { readonly path: JsonPath; readonly message: string } | undefined;
}

/** Integers are compared with the schema in values of a bounded depth: the way to each has to be gone. */
const MAX_DEPTH = 100;

/** Puts the integers that a number cannot hold into a value that was parsed. @param isBigInteger whether one may be at a place. */
export function restoreIntegers(text: string, parsed: unknown, isBigInteger: (path: JsonPath) => boolean): RestoredValue {
  let value = parsed;
  for (const { text: number, depth, path: pathOf, message } of findAlteredNumbers(text)) {
    const path = pathOf();
    const isInt64 = INTEGER.test(number) && number.length <= MAX_INT64_LENGTH;
    if (!isInt64 || depth > MAX_DEPTH || !isBigInteger(path)) return { value, altered: { path, message } };
    value = withValueAt(value, path, BigInt(number));
  }
  return { value, altered: undefined };
}

function withValueAt(value: unknown, path: JsonPath, part: bigint): unknown {
  const last = path.at(-1);
  if (last === undefined) return part;
  const holder = path.slice(0, -1).reduce((inner, key) => (inner as Record<string | number, unknown>)[key], value);
  (holder as Record<string | number, unknown>)[last] = part;
  return value;
}

/** Whether integers at a place of a value of the shape are `bigint`. */
export function isBigIntegerAt(shape: ValueShape, path: JsonPath): boolean {
  let inner = shape;
  for (const key of path) {
    if (!inner.hasNativeValues) return false;
    inner = typeof key === 'number' ? inner.item() : inner.property(key);
  }
  return inner.isBigInteger;
}
