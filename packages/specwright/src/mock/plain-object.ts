/** Objects of JSON among the values that a request may have. */
import type { Json } from '../testing/contract/document.ts';

/** Whether it is an object of JSON: no list, no bytes, no stream. */
export function isPlainObject(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
