/** Parses JSON as I-JSON asks for (RFC 7493): no unpaired surrogates, no property twice. */
import { FrameworkError } from '../../errors.ts';

/** @throws AppError invalid_json */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new FrameworkError('invalid_json', `body is not JSON: ${(cause as Error).message.slice(0, 300)}`, { cause });
  }
  // An escaped half of a surrogate pair is JSON but no text: nothing can store it unchanged (RFC 7493, section 2.1).
  if (text.includes('\\u') && /\\ud[89a-f]/i.test(text)) {
    JSON.parse(text, (name, part: unknown) => {
      if (!name.isWellFormed() || (typeof part === 'string' && !part.isWellFormed()))
        throw new FrameworkError('invalid_json', 'body has an unpaired surrogate');
      return part;
    });
  }
  // Of a property that is given twice, parsers keep the first, the last or both, so what is validated in one place is not what
  // another one acts on (RFC 8259, section 4; RFC 7493, section 2.3). The value has fewer properties than its text then.
  if (typeof value === 'object' && value !== null && countColons(text) !== countProperties(value))
    throw new FrameworkError('invalid_json', `${findDuplicate(text)} is given twice`);
  return value;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COLON = 58;

/** The index after the string that starts at `start`, in text that is JSON. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === BACKSLASH) {
    let first = end - 1;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    // After an even number of backslashes the quote is not escaped.
    if ((end - first) % 2 === 0) break;
    end = text.indexOf('"', end + 1);
  }
  return end + 1;
}

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

const NAME_END = /\s*:/y;

/** The location of the first property that its object has already: `body/items/0/name`. */
function findDuplicate(text: string): string {
  // Each list or object around the place that is read: the names of an object so far, and the index or the name of the current part.
  const around: { readonly names: Set<string> | undefined; part: string | number }[] = [];
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    const inner = around.at(-1);
    if (char === '{') around.push({ names: new Set(), part: '' });
    else if (char === '[') around.push({ names: undefined, part: 0 });
    else if (char === '}' || char === ']') around.pop();
    else if (char === ',' && inner !== undefined && typeof inner.part === 'number') inner.part++;
    else if (char === '"') {
      const end = endOfString(text, i);
      NAME_END.lastIndex = end;
      if (inner?.names !== undefined && NAME_END.test(text)) {
        inner.part = JSON.parse(text.slice(i, end)) as string;
        if (inner.names.has(inner.part)) return ['body', ...around.map(({ part }) => part)].join('/').slice(0, MAX_LOCATION_LENGTH);
        inner.names.add(inner.part);
      }
      i = end - 1;
    }
  }
  return 'body';
}

const MAX_LOCATION_LENGTH = 500;
