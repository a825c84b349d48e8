/** Parses JSON as I-JSON asks for (RFC 7493): no unpaired surrogates, no property twice, no number that JavaScript would alter. */
import { restoreIntegers } from '../../contract/requests/big-integer-values.ts';
import { endOfString, jsonTokens, type JsonPath } from '../../contract/requests/json-tokens.ts';
import { FrameworkError } from '../../errors.ts';

/**
 * @param isBigInteger whether integers at a place are `bigint`. @param location of the value: `body`, or that of an item.
 * @throws AppError invalid_json; invalid_request for a number that would be altered.
 */
export function parseJson(text: string, isBigInteger: (path: JsonPath) => boolean = () => false, location = 'body'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FrameworkError('invalid_json', `${location} is not JSON: ${(cause as Error).message.slice(0, 300)}`, { cause });
  }
  // An escaped half of a surrogate pair is JSON but no text: nothing can store it unchanged (RFC 7493, section 2.1).
  if (text.includes('\\u') && /\\ud[89a-f]/i.test(text)) {
    JSON.parse(text, (name, part: unknown) => {
      if (!name.isWellFormed() || (typeof part === 'string' && !part.isWellFormed()))
        throw new FrameworkError('invalid_json', `${location} has an unpaired surrogate`);
      return part;
    });
  }
  // Of a property that is given twice, parsers keep the first, the last or both, so what is validated in one place is not what
  // another one acts on (RFC 8259, section 4; RFC 7493, section 2.3). The value has fewer properties than its text then.
  if (typeof value === 'object' && value !== null && countColons(text) !== countProperties(value))
    throw new FrameworkError('invalid_json', `${findDuplicate(text, location)} is given twice`);
  const { value: restored, altered } = restoreIntegers(text, value, isBigInteger);
  if (altered !== undefined) throw new FrameworkError('invalid_request', `${locationOf(location, altered.path)} ${altered.message}`);
  return restored;
}

const QUOTE = 34;
const COLON = 58;

/** The colons outside of strings: one for each property that was written. */
function countColons(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) i = endOfString(text, i) - 1;
    else if (char === COLON) count++;
  }
  return count;
}

/** The properties of a value and of all values in it. Not recursive: JSON.parse reads deeper than the stack goes. */
function countProperties(value: object): number {
  let count = 0;
  const rest: object[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (Array.isArray(next)) {
      for (const part of next as unknown[]) if (typeof part === 'object' && part !== null) rest.push(part);
    } else {
      for (const name in next) {
        count++;
        const part = (next as Record<string, unknown>)[name];
        if (typeof part === 'object' && part !== null) rest.push(part);
      }
    }
  }
  return count;
}

/** The location of the first property that its object has already: `body/items/0/name`. */
function findDuplicate(text: string, location: string): string {
  for (const { isRepeated, path } of jsonTokens(text)) if (isRepeated) return locationOf(location, path());
  return location;
}

const MAX_LOCATION_LENGTH = 500;

const locationOf = (location: string, path: readonly (string | number)[]): string =>
  [location, ...path].join('/').slice(0, MAX_LOCATION_LENGTH);
