/** Bodies that are JSON, nearly JSON, or not JSON: texts of JSONTestSuite, sent to an operation that accepts any value. */
import { readFileSync } from 'node:fs';
import type { Group, Outcome, Source } from '../case.ts';
import { parseExactly } from '../exact-json.ts';
import { body, content, received, REFUSED, refused, rowGroup, type Row, type Tried, tried } from '../rows.ts';

/** Name -> text, one character for each byte. `y_` has to be accepted, `n_` has to be refused, `i_` is up to the parser. */
const TEXTS = {
  ...(JSON.parse(readFileSync(new URL('../../suites/json-parsing/cases.json', import.meta.url), 'utf8')) as Record<string, string>),
  n_structure_100000_opening_arrays: '['.repeat(100_000),
};

/** Sections of RFC 8259 by the first word of a name that contains one of these. */
const SECTIONS: readonly (readonly [part: RegExp, section: string, sentence: string])[] = [
  [
    /BOM/u,
    '8.1',
    'In the interests of interoperability, implementations that parse JSON texts MAY ignore the presence of a byte order mark rather than treating it as an error.',
  ],
  [
    /utf-?(?:8|16)|latin|overlong|not_in_unicode/iu,
    '8.1',
    'JSON text exchanged between systems that are not part of a closed ecosystem MUST be encoded using UTF-8.',
  ],
  [/^i_.*surrogate/u, '8.2', 'The behavior of software that receives JSON texts containing such values is unpredictable.'],
  [
    /duplicated/u,
    '4',
    'When the names within an object are not unique, the behavior of software that receives such an object is unpredictable.',
  ],
  [/100000|500_nested/u, '9', 'An implementation may set limits on the maximum depth of nesting.'],
  [/^i_number/u, '6', 'This specification allows implementations to set limits on the range and precision of numbers accepted.'],
  [
    /number|minus|extreme/u,
    '6',
    'number = [ minus ] int [ frac ] [ exp ] ... Numeric values that cannot be represented in the grammar below (such as Infinity and NaN) are not permitted.',
  ],
  [/_array/u, '5', 'array = begin-array [ value *( value-separator value ) ] end-array'],
  [/object/u, '4', 'object = begin-object [ member *( value-separator member ) ] end-object'],
  [
    /string/u,
    '7',
    'All Unicode characters may be placed within the quotation marks, except for the characters that MUST be escaped: quotation mark, reverse solidus, and the control characters (U+0000 through U+001F).',
  ],
  [/^/u, '2', 'JSON-text = ws value ws'],
];

const NO_LIMIT = /^y_object_extreme|^i_number/u;

function outcomes(name: string, text: string): readonly Outcome[] {
  if (name.startsWith('n_')) return [refused(400, 413, 422)];
  if (/^i_.*surrogate|^i_structure_500/u.test(name) && !name.includes('UTF8')) return [received('anything'), REFUSED];
  // Another character in place of bytes that are no text is another value.
  if (/^i_string/u.test(name))
    return [...(name.includes('UTF-16LE') || name.includes('utf16') ? [received({ body: ['é'] })] : []), refused(400, 415, 422)];
  if (name.includes('duplicated'))
    return [received({ body: { a: name.includes('value') ? 'b' : 'c' } }), received({ body: { a: 'b' } }), REFUSED];
  if (name.includes('BOM')) return [received({ body: {} }), REFUSED];
  const value = received({ body: parseExactly(Buffer.from(text, 'latin1').toString('utf8')) });
  // A number may be refused, or be the nearest one that the server has.
  if (name.startsWith('i_number')) return [received('anything'), REFUSED];
  return NO_LIMIT.test(name) ? [value, REFUSED] : [value];
}

function sourceOf(name: string): Source {
  const [, section = '', sentence = ''] = SECTIONS.find(([part]) => part.test(name)) ?? [];
  return { standard: 'RFC 8259', section, sentence, from: `JSONTestSuite, test_parsing/${name}.json` };
}

const ROWS: readonly Row[] = [
  {
    name: 'any',
    operation: { requestBody: { required: true, content: content({ 'application/json': {} }) } },
    source: sourceOf('y_'),
    cases: Object.entries(TEXTS).map(([name, text]): Tried =>
      tried(
        name.replace(/[^A-Za-z0-9+.]+/gu, '-').toLowerCase(),
        body('application/json', Buffer.from(text, 'latin1')),
        outcomes(name, text),
        sourceOf(name),
      ),
    ),
  },
];

export const json: Group = rowGroup('json', '3.0.4', 'JSON texts', ROWS);
