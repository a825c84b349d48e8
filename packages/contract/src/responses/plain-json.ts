/** Finds what `JSON.stringify` would alter in a value, and makes the value that parsing its text would give. */

/** Whether a value is the one that parsing its text gives: no `NaN`, no `undefined`, no `Date`, no inherited property. */
export function isPlainJson(value: unknown): boolean {
  if (isPlainScalar(value)) return true;
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (!isPlainJson(value[i])) return false;
    return true;
  }
  for (const name in value) if (!isPlainJson((value as Record<string, unknown>)[name])) return false;
  return true;
}

/** Only of a number that is finite the difference to itself is 0. */
export const isPlainScalar = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'number' ? value - value === 0 : typeof value === 'boolean' || value === null);

/** A list, or an object whose properties are its own, that is written as it is. */
export function isPlainObject(value: object): boolean {
  if (typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Is told of each part that has no text in JSON. `path` is below the value: `/0`, `/name`. */
export type ReportUnwritable = (problem: string, path: string) => void;

/**
 * The value that parsing the text of a value would give.
 *
 * Reports `NaN` and `Infinity`, and `undefined`, functions and symbols in lists, whose text would be `null`, and each `bigint` beyond the exact
 * integers: it is written to the digit, and read as its neighbour.
 */
export function toPlainJson(given: unknown, report: ReportUnwritable, path = ''): unknown {
  const value = unboxed(given);
  if (typeof value === 'bigint') {
    const isExact = BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
    if (!isExact) report('is a bigint beyond the exact integers: the contract needs x-int64: bigint', path);
    return Number(value);
  }
  const isWritable = typeof value === 'number' ? Number.isFinite(value) : !['undefined', 'function', 'symbol'].includes(typeof value);
  if (!isWritable) {
    report(`is ${typeof value === 'function' ? 'a function' : String(value)}, which JSON has no text for`, path);
    return null;
  }
  if (typeof value !== 'object' || value === null) return value;
  // A hole of a list is undefined.
  if (Array.isArray(value)) return Array.from(value as unknown[], (part, i) => toPlainJson(part, report, `${path}/${i}`));
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const part = (value as Record<string, unknown>)[name];
    if (part !== undefined) setProperty(result, name, toPlainJson(part, report, `${path}/${name}`));
  }
  return result;
}

/** The value that `JSON.stringify` writes for a value (ECMA-262, section 25.5.2.2). */
export function unboxed(given: unknown): unknown {
  let value = given;
  if (typeof value === 'object' && value !== null && typeof (value as { toJSON?: unknown }).toJSON === 'function')
    value = (value as { toJSON: (key: string) => unknown }).toJSON('');
  return value instanceof Number || value instanceof String || value instanceof Boolean ? value.valueOf() : value;
}

/** Also for a property that is called `__proto__`. */
export function setProperty(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
  else object[name] = value;
}
