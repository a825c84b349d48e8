/** The request header `Prefer` (RFC 7240), by which a client chooses what a mock answers with. */

export interface Preferences {
  /** The status. */
  readonly code?: number;
  /** The name of an example. */
  readonly example?: string;
  /** Whether values are generated where there are examples. */
  readonly dynamic?: boolean;
  /** How long the answer waits, in ms. */
  readonly delay?: number;
}

/** What is wrong with a preference: sent to the client. */
export class PreferError extends Error {}

/** A second above what a request may take on the servers of most, and below the deadline of a mock. */
export const MAX_DELAY_MS = 10_000;

/** One preference with its value, up to its parameters, which mean nothing here. */
const PREFERENCE = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*(?:=\s*(?:("(?:[^"\\]|\\.)*"|[^\s;,"]+)\s*)?)?(?:;.*)?$/;

/**
 * Reads a field, or several that were joined. Of a preference that is given twice the first counts, and those that are not known are
 * ignored (RFC 7240, section 2).
 *
 * @throws PreferError for a value that cannot be used.
 */
export function parsePrefer(field: string | readonly string[] | undefined): Preferences {
  const texts = [field ?? []].flat().flatMap((one) => one.match(/(?:[^",]|"(?:[^"\\]|\\.)*")+/g) ?? []);
  const given = new Map<string, string>();
  for (const text of texts) {
    const [, name = '', value = ''] = PREFERENCE.exec(text) ?? [];
    const unquoted = value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value;
    if (!given.has(name.toLowerCase())) given.set(name.toLowerCase(), unquoted);
  }
  const [code, example, dynamic, delay] = ['code', 'example', 'dynamic', 'delay'].map((name) => given.get(name) || undefined);
  return {
    ...(code !== undefined && { code: wholeNumber('code', code, 100, 599) }),
    ...(example !== undefined && { example }),
    ...(dynamic !== undefined && { dynamic: trueOrFalse('dynamic', dynamic) }),
    ...(delay !== undefined && { delay: wholeNumber('delay', delay, 0, MAX_DELAY_MS) }),
  };
}

function wholeNumber(name: string, text: string, low: number, high: number): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) < low || Number(text) > high)
    throw new PreferError(`header/Prefer: ${name} must be a whole number from ${low} to ${high}, not ${text}`);
  return Number(text);
}

function trueOrFalse(name: string, text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new PreferError(`header/Prefer: ${name} must be true or false, not ${text}`);
  return text === 'true';
}
