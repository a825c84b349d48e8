/** Makes `bigint` of the integers of a JSON value where the contract says so, and keeps those that a number cannot hold. */
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
    if (!inner.hasBigIntegers) return false;
    inner = typeof key === 'number' ? inner.item() : inner.property(key);
  }
  return inner.isBigInteger;
}

/** Makes `bigint` of all integers at such places. Objects and lists are changed. */
export function toBigIntegers(shape: ValueShape, value: unknown): unknown {
  if (typeof value === 'number') return shape.isBigInteger && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null || !shape.hasBigIntegers) return value;
  if (Array.isArray(value)) {
    const item = shape.item();
    (value as unknown[]).forEach((part, i) => void (value[i] = toBigIntegers(item, part)));
    return value;
  }
  const named = value as Record<string, unknown>;
  for (const name of Object.keys(named)) {
    const part = named[name];
    const converted = toBigIntegers(shape.property(name), part);
    if (converted !== part) named[name] = converted;
  }
  return value;
}
