/** Walks the tokens of a text that is JSON with their places in it, which `JSON.parse` does not tell. */

/** The names and indexes that lead to a part of a value. */
export type JsonPath = readonly (string | number)[];

/** The name of a property, or a number, as written. */
export interface JsonToken {
  readonly kind: 'name' | 'number';
  /** A name without its quotes and escapes. */
  readonly text: string;
  /** Whether the object has a property of this name before. */
  readonly isRepeated: boolean;
  /** How many objects and lists it is in. */
  readonly depth: number;
  /** The names and indexes that lead to it. To be asked before the next token. */
  readonly path: () => JsonPath;
}

const BACKSLASH = 92;
const NAME_END = /\s*:/y;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;

/** The index after the string that starts at `start`, in text that is JSON. */
export function endOfString(text: string, start: number): number {
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

/** The names and numbers of a text that is JSON, in their order. */
export function* jsonTokens(text: string): Generator<JsonToken> {
  // Each list or object around the place that is read: the names of an object so far, and the index or the name of the current part.
  const around: { readonly names: Set<string> | undefined; part: string | number }[] = [];
  const path = () => around.map(({ part }) => part);
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    const inner = around.at(-1);
    if (char === '{') around.push({ names: new Set(), part: '' });
    else if (char === '[') around.push({ names: undefined, part: 0 });
    else if (char === '}' || char === ']') around.pop();
    else if (char === ',' && inner !== undefined && typeof inner.part === 'number') inner.part++;
    else if (char === '"') {
      const end = endOfString(text, i);
      NAME_END.lastIndex = end;
      if (inner?.names !== undefined && NAME_END.test(text)) {
        const name = JSON.parse(text.slice(i, end)) as string;
        inner.part = name;
        yield { kind: 'name', text: name, isRepeated: inner.names.has(name), depth: around.length, path };
        inner.names.add(name);
      }
      i = end - 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = i;
      const [number = char] = NUMBER.exec(text) ?? [];
      i += number.length - 1;
      yield { kind: 'number', text: number, isRepeated: false, depth: around.length, path };
    }
  }
}
