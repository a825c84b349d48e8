/** Writes JSON, of `bigint` too, which `JSON.stringify` refuses. */
import { randomUUID } from 'node:crypto';

/** Never leaves the process, so that no text of a client can be taken for one. */
const MARKER = `bigint:${randomUUID()}:`;
const MARKED = new RegExp(`"${MARKER}(-?\\d+)"`, 'g');

/** As `JSON.stringify`; a `bigint` becomes an integer. */
export function stringifyJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Thrown for a circle as well, which is then thrown again.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${MARKER}${part}` : part)).replace(MARKED, '$1');
  }
}
