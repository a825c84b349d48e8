/** Writes JSON, of `bigint` too, which `JSON.stringify` refuses. */
import { randomUUID } from 'node:crypto';

/** Never leaves the process, so that no text of a client can be taken for one. */
const MARKER = `bigint:${randomUUID()}:`;
const MARKED = new RegExp(`"${MARKER}(-?\\d+)"`, 'g');

/** As `JSON.stringify`; a `bigint` becomes an integer, also where a program has given `bigint` a `toJSON`. */
export function stringifyJson(value: unknown): string | undefined {
  if ('toJSON' in BigInt.prototype) return stringifyMarked(value);
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Thrown for a circle as well, which is then thrown again.
    if (!(error instanceof TypeError)) throw error;
    return stringifyMarked(value);
  }
}

function stringifyMarked(value: unknown): string | undefined {
  // `part` is what `toJSON` has made of it.
  const mark = function (this: Record<string, unknown>, key: string, part: unknown): unknown {
    const raw = this[key];
    return typeof raw === 'bigint' ? `${MARKER}${raw}` : part;
  };
  return (JSON.stringify(value, mark) as string | undefined)?.replace(MARKED, '$1');
}
