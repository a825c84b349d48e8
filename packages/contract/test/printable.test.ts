/** Texts of documents and clients have no character that controls a terminal, and no command that a CI system reads in a log. */
import { describe, expect, test } from '@jest/globals';
import { printable, printableCommands, printableLines } from '@specwright/contract';
import { decodePercent, formatProblem, pointerKeys, pointerTo, printableSource } from '@specwright/contract/document';

const FORBIDDEN = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, i) => 0x7f + i),
  ...[0x2028, 0x2029, 0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map((code) => String.fromCodePoint(code));

test.each(FORBIDDEN.map((character) => [`U+${character.codePointAt(0)?.toString(16).padStart(4, '0') ?? ''}`, character]))(
  '%s is escaped',
  (_, character) => {
    const escaped = printable(`a${character}b`);
    expect(escaped).toMatch(/^a\\(?:[nrt]|u[\da-f]{4})b$/);
    expect(JSON.parse(`"${escaped}"`)).toBe(`a${character}b`);
    if (character !== '\n') expect([printableLines, printableCommands].map((of) => of(`a${character}b`))).toEqual([escaped, escaped]);
  },
);

test.each(['', 'Zoë', 'a\\nb', '日本語', '👩‍👩‍👧', 'שלום', 'C# ## #[x]', 'a::b', 'std::string', '100 %'])('%s stays', (text) => {
  expect([printable, printableLines, printableCommands, printableSource].map((of) => of(text))).toEqual([text, text, text, text]);
});

test('half of a surrogate pair is replaced', () => expect(printable('a\ud800b')).toBe('a\ufffdb'));

describe('a command of CI', () => {
  test.each(['::error::x', '  ::set-output name=a::b', '\u00a0::warning::x', 'a\n::error::x', 'a\n\n   ::add-mask::x'])(
    '%j begins no line',
    (text) => {
      expect(printableLines(text)).not.toMatch(/^\s*::/m);
      expect(printableLines(text).replaceAll('\\u003a', ':')).toBe(text);
    },
  );
  test.each(['##[error]x', 'a ##vso[task.setvariable]x', '##teamcity[message]'])('%s is none', (text) => {
    expect(printableLines(text)).not.toMatch(/##\w*\[/);
    expect(printable(text)).not.toMatch(/##\w*\[/);
  });
  test('a heading of this tool is none, and stays', () => expect(printableLines('::: summary')).toBe('::: summary'));
});

test('JSON that is printed is JSON of the same value', () => {
  const value = { [FORBIDDEN.join('')]: [`##[x]`, '\n::error::', FORBIDDEN.join('x')] };
  expect(JSON.parse(printableLines(JSON.stringify(value, null, 2)))).toEqual(value);
});

test('a problem is one line, whatever it quotes', () =>
  expect(formatProblem('a\u001b.yaml', { line: 1, column: 2, message: 'no\n::error::b' })).toBe('a\\u001b.yaml:1:2 no\\n::error::b'));

test.each([
  ['discount%', 'discount%'],
  ['%7Bid%7D 100%', '{id} 100%'],
  ['%zz%41', '%zzA'],
  ['%c3%a9%', 'é%'],
  ['%ff%41', '%ff%41'],
  ['%', '%'],
])('%s is decoded as far as it is encoded', (text, decoded) => expect(decodePercent(text)).toBe(decoded));

test.each([['a%'], ['%zz'], ['a/b~c%25'], ['\u001b'], ['%41']])('the pointer of the key %j leads back to it', (key) =>
  expect(pointerKeys(pointerTo('x', key))).toEqual(['x', key]),
);
test('a pointer may have a % that encodes nothing', () => expect(pointerKeys('#/a%/b%20c')).toEqual(['a%', 'b c']));
