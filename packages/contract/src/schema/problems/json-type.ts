/** The types of JSON Schema, as the compiled validators have them: a number is finite, and a `bigint` is none. */
import { isObject } from '../../document/openapi.ts';

export function isOfType(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'null') return value === null;
  if (type === 'number') return Number.isFinite(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
