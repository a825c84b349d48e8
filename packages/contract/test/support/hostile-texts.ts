/** JSON of a size that is expensive for validators: deep, wide, long, or of many equal parts. */

const DEPTH = 900;
const repeated = (part: string, bytes: number, separator = ','): string =>
  Array.from({ length: Math.max(1, Math.floor(bytes / (part.length + separator.length))) }, () => part).join(separator);
const listOf = (part: string) => (bytes: number) => `[${repeated(part, bytes)}]`;

/** Values that nest as deep as is accepted, several of them if there are more bytes. */
function nested(open: string, close: string, leaf: string): (bytes: number) => string {
  return (bytes) => {
    const depth = Math.max(1, Math.min(DEPTH, Math.floor(bytes / (open.length + close.length))));
    const one = open.repeat(depth) + leaf + close.repeat(depth);
    const count = Math.max(1, Math.round(bytes / one.length));
    return count === 1 ? one : `[${Array.from({ length: count }, () => one).join(',')}]`;
  };
}

const numbered = (make: (i: number) => string) => (bytes: number) => {
  const parts: string[] = [];
  for (let size = 0, i = 0; size < bytes; i++) {
    const part = make(i);
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join(',');
};

const text =
  (part: string, before = '', after = '') =>
  (bytes: number) =>
    JSON.stringify(before + part.repeat(Math.ceil(bytes / part.length)) + after);

export const HOSTILE_TEXTS: Readonly<Record<string, (bytes: number) => string>> = {
  'lists within lists': nested('[', ']', ''),
  'lists of two lists': nested('[[],', ']', '[]'),
  'objects within objects': nested('{"a":', '}', '1'),
  'a tree of children': nested('{"children":[', ']}', ''),
  'a tree without names': nested('{"children":[{},', ']}', '{"x":1}'),
  'empty objects': listOf('{}'),
  'empty lists': listOf('[]'),
  zeros: listOf('0'),
  nulls: listOf('null'),
  'equal texts': listOf('"a"'),
  'equal objects': listOf('{"a":1}'),
  'different numbers': (bytes) => `[${numbered(String)(bytes)}]`,
  'different objects': (bytes) => `[${numbered((i) => `{"a":${i}}`)(bytes)}]`,
  'many names': (bytes) => `{${numbered((i) => `"n${i}":${i}`)(bytes)}}`,
  'many names of one prefix': (bytes) => `{${numbered((i) => `"aaaaaaaaaaaaaaaaaaaa${i}":1`)(bytes)}}`,
  'a long name': (bytes) => `{${text('@')(bytes)}:1}`,
  'a long name of letters': (bytes) => `{${text('a')(bytes)}:1}`,
  'a long number': (bytes) => '1'.repeat(bytes),
  'a long fraction': (bytes) => `0.${'1'.repeat(bytes)}`,
  'a long text': text('a'),
  'a long text of astral characters': text('😀'),
};

/** Texts of strings, which formats and patterns are tested on. */
export const HOSTILE_STRINGS: Readonly<Record<string, (bytes: number) => string>> = Object.fromEntries(
  [
    'a',
    '1',
    ' ',
    '@',
    ':',
    '.',
    '-',
    '/',
    '%',
    'a.',
    'a-',
    'a:',
    '1.',
    ':@',
    '@/',
    '~',
    '{a',
    '(',
    '[',
    '\\',
    '=',
    'é',
    '\n',
    'A+',
    '1Y',
  ].flatMap((part) =>
    ['', 'http://', 'http://a.', 'a@', '2020-01-01T00:00:00.'].flatMap((before) =>
      ['', '!'].map((after) => [`${before}${JSON.stringify(part)}...${after}`, text(part, before, after)] as const),
    ),
  ),
);
