/** Makes `bigint` and `Date` of integers and moments where the contract says so. */
import { isDateTime } from '../json/date-formats.ts';
import { dateOf } from '../json/date-time.ts';
import type { ValueShape } from './typed-values.ts';

/** Makes them at all such places. Objects and lists are changed; a text that is no date-time stays what it is. */
export function toNativeValues(shape: ValueShape, value: unknown): unknown {
  if (typeof value === 'number') return shape.isBigInteger && Number.isInteger(value) ? BigInt(value) : value;
  if (typeof value === 'string') return shape.isDateObject && isDateTime(value) ? dateOf(value) : value;
  if (typeof value !== 'object' || value === null || !shape.hasNativeValues) return value;
  if (Array.isArray(value)) {
    const item = shape.item();
    (value as unknown[]).forEach((part, i) => void (value[i] = toNativeValues(item, part)));
    return value;
  }
  const named = value as Record<string, unknown>;
  for (const name of Object.keys(named)) {
    const part = named[name];
    const converted = toNativeValues(shape.property(name), part);
    if (converted !== part) named[name] = converted;
  }
  return value;
}
