/** The format `url` has the verdicts of ajv-formats, in linear time. */
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import type { FormatsPlugin } from 'ajv-formats';
import { isUrl } from '../src/schema/url-format.ts';

const { default: ajvFormats } = createRequire(import.meta.url)('ajv-formats') as { default: FormatsPlugin };
const { test: isAjvUrl } = ((expression) => ({ test: (text: string) => expression.test(text) }))(ajvFormats.get('url', 'full') as RegExp);

const SCHEMES = ['http://', 'https://', 'ftp://', 'HTTP://', 'httpſ://', 'http:/', ''];
const PARTS = [
  'a',
  '1',
  '.',
  '-',
  ':',
  '@',
  '/',
  ' ',
  'é',
  '\u3000',
  'co',
  '10',
  '127.0.0.1',
  '8.8.8.8',
  ':80',
  'a.com',
  '%',
  '😀',
  'ſ',
  '\n',
  '?',
  '#',
];

test('for texts of all of its parts', () => {
  // xorshift: the same texts each time.
  let state = 20261127;
  const random = (below: number): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
  let valid = 0;
  const differing: string[] = [];
  for (let i = 0; i < 200_000; i++) {
    const parts = Array.from({ length: 1 + random(9) }, () => PARTS[random(PARTS.length)]);
    const text = [SCHEMES[Math.min(random(SCHEMES.length), random(SCHEMES.length))], ...parts].join('');
    const expected = isAjvUrl(text);
    if (expected) valid++;
    if (isUrl(text) !== expected) differing.push(text);
  }
  expect(differing).toEqual([]);
  expect(valid).toBeGreaterThan(2000);
});

test.each([':', '@', '/@', 'a@', 'a@/', '@/@', ':@', '.a', '-', 'a.a/@', '/', '1.', 'a.', 'a.com', 'a.com/@', '\u3000'])(
  '1 MB of %j takes less than half a second',
  (repeated) => {
    const text = `http://${repeated.repeat(1_000_000 / repeated.length)}`;
    const start = process.cpuUsage().user;
    for (const end of ['', ' ', 'a.com']) isUrl(text + end);
    expect(process.cpuUsage().user - start).toBeLessThan(1.5e6);
  },
);
