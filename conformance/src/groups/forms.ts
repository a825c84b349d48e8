/** Bodies of forms: `application/x-www-form-urlencoded` with styles and content types, and `multipart/form-data` with fields and files. */
import type { Group, Source } from '../case.ts';
import { parseExactly } from '../exact-json.ts';
import {
  bare,
  body,
  content,
  invalid,
  json,
  received,
  REFUSED,
  refused,
  rowGroup,
  type Row,
  type Send,
  type Tried,
  tried,
  valid,
} from '../rows.ts';
import { source } from '../source.ts';

const oas = source('OpenAPI 3.0.4');
const rfc7578 = source('RFC 7578');
const rfc2046 = source('RFC 2046');

const ENCODED = source('RFC 1866')(
  '8.2.1',
  "The form field names and values are escaped: space characters are replaced by `+', and then reserved characters are escaped ... The fields are listed in the order they appear in the document with the name separated from the value by `=' and the pairs separated from each other by `&'.",
);
const SCHEMA = oas('Media Type Object', 'schema - The schema defining the content of the request, response, parameter, or header.');
const TYPES = oas('Encoding Object', 'number, integer, or boolean: n/a: text/plain');
const LISTS = oas('Encoding Object', 'array: according to the type and format of the items schema');
const OBJECTS = oas('Encoding Object', 'object: n/a: application/json');
const STYLES = oas(
  'Encoding Object',
  'style - Describes how a specific property value will be serialized depending on its type. ... The behavior follows the same values as query parameters, including default values.',
);
const PERCENT = source('RFC 3986')(
  '2.1',
  'A percent-encoded octet is encoded as a character triplet, consisting of the percent character "%" followed by the two hexadecimal digits representing that octet\'s numeric value.',
);

const FORM = 'application/x-www-form-urlencoded';
const BOUNDARY = 'AaB03x';
const form = (text: string): Send => body(FORM, text);
const formBody = (schema: unknown, encoding?: unknown): Row['operation'] => ({
  requestBody: { required: true, content: { [FORM]: { schema, ...(encoding === undefined ? {} : { encoding }) } } },
});
const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []): unknown => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const is = (what: string, text: string, value: unknown, from?: Source): Tried => valid(what, form(text), { body: value }, from);
const bad = (what: string, text: string, from?: Source): Tried => invalid(what, form(text), from);

const TEXT = { type: 'string' };
const INTEGER = { type: 'integer' };
const COLORS = { type: 'array', items: TEXT };
const RGB = { type: 'object', additionalProperties: false, properties: { R: INTEGER, G: INTEGER, B: INTEGER } };
const THREE = ['blue', 'black', 'brown'];
const PARTS = { R: 100, G: 200, B: 150 };

const PERSON = object({ name: TEXT, age: INTEGER, score: { type: 'number' }, ok: { type: 'boolean' } }, ['name']);

const FLAT: readonly Row[] = [
  {
    name: 'flat',
    operation: formBody(PERSON),
    source: ENCODED,
    cases: [
      is('every-type', 'name=Ada&age=36&score=1.5&ok=true', { name: 'Ada', age: 36, score: 1.5, ok: true }, TYPES),
      is('another-order', 'ok=false&name=Ada', { name: 'Ada', ok: false }),
      is('a-plus-sign-is-a-space', 'name=Ada+Lovelace', { name: 'Ada Lovelace' }),
      is('a-space-percent-encoded', 'name=Ada%20Lovelace', { name: 'Ada Lovelace' }),
      is('a-plus-sign-percent-encoded', 'name=1%2B1', { name: '1+1' }),
      is('delimiters-percent-encoded', 'name=a%26b%3Dc', { name: 'a&b=c' }),
      is(
        'an-equals-sign-in-the-value',
        'name=a=b',
        { name: 'a=b' },
        source('URL Standard')(
          '5.1',
          'If bytes contains a 0x3D (=), then let name be the bytes from the start of bytes up to but excluding its first 0x3D (=), and let value be the bytes, if any, after the first 0x3D (=).',
        ),
      ),
      is('letters-beyond-ASCII', 'name=%C3%A9%F0%9F%98%80', { name: 'é😀' }, PERCENT),
      is(
        'lower-case-digits',
        'name=%c3%a9',
        { name: 'é' },
        source('RFC 3986')(
          '2.1',
          "The uppercase hexadecimal digits 'A' through 'F' are equivalent to the lowercase digits 'a' through 'f', respectively.",
        ),
      ),
      is('a-name-percent-encoded', 'n%61me=Ada', { name: 'Ada' }),
      is('an-empty-text', 'name=', { name: '' }),
      is(
        'a-name-without-equals-sign',
        'name',
        { name: '' },
        source('URL Standard')('5.1', 'Otherwise, let name have the value of bytes and let value be the empty byte sequence.'),
      ),
      is(
        'an-ampersand-at-the-end',
        'name=Ada&',
        { name: 'Ada' },
        source('URL Standard')('5.1', 'If bytes is the empty byte sequence, then continue.'),
      ),
      is(
        'a-semicolon-is-no-delimiter',
        'name=a;age=1',
        { name: 'a;age=1' },
        source('URL Standard')('5.1', 'Let sequences be the result of splitting input on 0x26 (&).'),
      ),
      is(
        'a-line-break',
        'name=a%0D%0Ab',
        { name: 'a\r\nb' },
        source('RFC 1866')('8.2.1', "Line breaks, as in multi-line text field values, are represented as CR LF pairs, i.e. `%0D%0A'."),
      ),
      is('white-space-around', 'name=%20a%20', { name: ' a ' }),
      is('a-text-like-a-number', 'name=007', { name: '007' }, TYPES),
      is('a-text-like-true', 'name=true', { name: 'true' }, TYPES),
      is('a-negative-number', 'name=a&age=-1&score=-0.5', { name: 'a', age: -1, score: -0.5 }, TYPES),
      bad('a-required-field-is-missing', 'age=36', SCHEMA),
      bad('a-word-for-a-number', 'name=a&age=old', TYPES),
      bad('a-fraction-for-an-integer', 'name=a&age=1.5', TYPES),
      bad('an-empty-text-for-a-number', 'name=a&age=', TYPES),
      bad('hexadecimal', 'name=a&age=0x10', TYPES),
      bad('a-blank-before-a-number', 'name=a&age=+1', TYPES),
      bad('NaN', 'name=a&score=NaN', TYPES),
      bad('Infinity', 'name=a&score=Infinity', TYPES),
      bad('yes-for-true', 'name=a&ok=yes', TYPES),
      bad('1-for-true', 'name=a&ok=1', TYPES),
      bad('an-empty-text-for-true', 'name=a&ok=', TYPES),
      bad('an-undeclared-field', 'name=a&more=1', SCHEMA),
      bad('a-name-of-another-case', 'Name=a', SCHEMA),
      bad('a-text-twice', 'name=a&name=b', LISTS),
      bad('a-number-twice', 'name=a&age=1&age=2', LISTS),
      bad('bytes-that-are-no-UTF-8', 'name=%FF', PERCENT),
      bad('an-overlong-sequence', 'name=%C0%AF', PERCENT),
      bad('the-proto-field', 'name=a&__proto__=1', SCHEMA),
      bad('the-proto-field-with-brackets', 'name=a&__proto__[x]=1', SCHEMA),
      tried('a-percent-sign-alone', form('name=100%'), [received({ body: { name: '100%' } }), REFUSED], PERCENT),
      tried(
        'a-large-number',
        form('name=a&age=9007199254740993'),
        [received({ body: parseExactly('{"name":"a","age":9007199254740993}') }), REFUSED],
        TYPES,
      ),
      tried('an-escaped-NUL', form('name=a%00b'), [received({ body: { name: 'a\u0000b' } }), REFUSED], PERCENT),
      valid(
        'with-charset',
        body(`${FORM}; charset=UTF-8`, 'name=%C3%A9'),
        { body: { name: 'é' } },
        source('RFC 9110')('8.3.2', 'charset names ... are matched case-insensitively.'),
      ),
      valid(
        'in-capitals',
        body('Application/X-WWW-Form-UrlEncoded', 'name=a'),
        { body: { name: 'a' } },
        source('RFC 9110')('8.3.1', 'The type and subtype tokens are case-insensitive.'),
      ),
      tried(
        'as-JSON',
        json('{"name":"a"}'),
        [refused(400, 415)],
        source('RFC 9110')(
          '15.5.16',
          'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
        ),
      ),
      tried(
        'as-multipart',
        multipart([['name', 'a']]),
        [refused(400, 415)],
        source('RFC 9110')(
          '15.5.16',
          'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
        ),
      ),
      tried(
        '10,000-undeclared-fields',
        form(Array.from({ length: 8_000 }, (_, at) => `f${at}=1`).join('&')),
        [refused(400, 413, 422)],
        SCHEMA,
      ),
    ],
  },
  {
    name: 'optional',
    operation: { requestBody: { content: content({ [FORM]: object({ name: TEXT }) }) } },
    source: oas('Request Body Object', 'required - Determines if the request body is required in the request. Defaults to false.'),
    cases: [
      valid('no-body', bare(), 'anything'),
      valid('no-fields', form(''), 'anything'),
      is('a-field', 'name=a', { name: 'a' }),
      bad('an-undeclared-field', 'more=a'),
    ],
  },
  {
    name: 'restricted',
    operation: formBody(
      object({
        code: { type: 'string', pattern: '^[A-Z]{2}$' },
        kind: { type: 'string', enum: ['a', 'b'] },
        size: { type: 'integer', minimum: 1, maximum: 9 },
      }),
    ),
    source: SCHEMA,
    cases: [
      is('valid', 'code=DE&kind=a&size=9', { code: 'DE', kind: 'a', size: 9 }),
      bad('a-pattern', 'code=de'),
      bad('a-pattern-and-a-line-feed', 'code=DE%0A'),
      bad('a-value-that-is-not-listed', 'kind=c'),
      bad('below-the-minimum', 'size=0'),
      bad('above-the-maximum', 'size=10'),
    ],
  },
  {
    name: 'map',
    operation: formBody({ type: 'object', additionalProperties: INTEGER }),
    source: oas(
      'Schema Object',
      'additionalProperties - Inline or referenced schema MUST be of a Schema Object and not a standard JSON Schema.',
    ),
    cases: [is('any-names', 'a=1&b=2', { a: 1, b: 2 }), bad('a-value-that-is-not-valid', 'a=1&b=x')],
  },
  {
    name: 'default',
    operation: formBody(object({ name: TEXT, size: { type: 'integer', default: 5 } }, ['name'])),
    source: oas(
      'Schema Object',
      'default - The default value represents what would be assumed by the consumer of the input as the value of the schema if one is not provided.',
    ),
    cases: [
      tried('not-provided', form('name=a'), [received({ body: { name: 'a' } }), received({ body: { name: 'a', size: 5 } })]),
      is('provided', 'name=a&size=7', { name: 'a', size: 7 }),
    ],
  },
];

const ADDRESS = { streetAddress: '123 Example Dr.', city: 'Somewhere', state: 'CA', zip: '99999+1234' };
const UUID = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6';
const JSON_EXAMPLE = 'OpenAPI 3.0.4, Example: URL Encoded Form with JSON Values';
const ICON =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAABGdBTUEAALGPC/xhBQAAADhlWElmTU0AKgAAAAgAAYdpAAQAAAABAAAAGgAAAAAAAqACAAQAAAABAAAAAqADAAQAAAABAAAAAgAAAADO0J6QAAAAEElEQVQIHWP8zwACTGCSAQANHQEDqtPptQAAAABJRU5ErkJggg==';

const CONTENT_TYPES: readonly Row[] = [
  {
    name: 'json-values',
    operation: formBody({
      type: 'object',
      properties: { id: { type: 'string', format: 'uuid' }, address: { type: 'object', properties: {} } },
    }),
    source: oas(
      'Encoding Object',
      'With this example, consider an id of f81d4fae-... and a US-style address ... we would expect to see the following request body',
      JSON_EXAMPLE,
    ),
    cases: [
      is(
        'the-example',
        `id=${UUID}&address=%7B%22streetAddress%22:%22123+Example+Dr.%22,%22city%22:%22Somewhere%22,%22state%22:%22CA%22,%22zip%22:%2299999%2B1234%22%7D`,
        { id: UUID, address: ADDRESS },
      ),
      bad('no-JSON', 'address=x', OBJECTS),
      bad('JSON-of-another-type', 'address=%5B1%5D', OBJECTS),
      bad('JSON-that-is-cut-off', 'address=%7B%22a%22:1', OBJECTS),
      // JSON within a form is JSON as in a body.
      tried(
        'a-name-twice',
        form('address=%7B%22a%22:1,%22a%22:2%7D'),
        [received({ body: { address: { a: 1 } } }), received({ body: { address: { a: 2 } } }), REFUSED],
        source('RFC 8259')('4', 'The names within an object SHOULD be unique.'),
      ),
      tried(
        'the-proto-member',
        form('address=%7B%22__proto__%22:%7B%22a%22:1%7D%7D'),
        [received({ body: { address: parseExactly('{"__proto__":{"a":1}}') } }), REFUSED],
        source('RFC 8259')('4', 'A name is a string.'),
      ),
      tried(
        'a-large-number',
        form('address=%7B%22a%22:9007199254740993%7D'),
        [received({ body: { address: parseExactly('{"a":9007199254740993}') } }), REFUSED],
        source('RFC 8259')('6', 'This specification allows implementations to set limits on the range and precision of numbers accepted.'),
      ),
    ],
  },
  {
    name: 'json-text',
    operation: formBody(object({ id: { type: 'string', format: 'uuid' } }), { id: { contentType: 'application/json' } }),
    source: oas(
      'Encoding Object',
      'Here is the id parameter (without address) serialized as application/json instead of text/plain, and then encoded per RFC1866: id=%22f81d4fae-7dec-11d0-a765-00a0c91e6bf6%22',
      JSON_EXAMPLE,
    ),
    cases: [is('the-example', `id=%22${UUID}%22`, { id: UUID }), bad('without-quotation-marks', `id=${UUID}`), bad('a-number', 'id=5')],
  },
  {
    name: 'icon',
    operation: formBody(
      { type: 'object', properties: { name: TEXT, icon: { type: 'string', format: 'byte' } } },
      { icon: { contentType: 'image/png, image/jpeg' } },
    ),
    source: oas(
      'Encoding Object',
      'Given a name of example and a solid red 2x2-pixel PNG for icon, this would produce a request body of: name=example&icon=...',
      'OpenAPI 3.0.4, Example: URL Encoded Form with Binary Values',
    ),
    cases: [
      tried('the-example', form(`name=example&icon=${encodeURIComponent(ICON)}`), [
        received({ body: { name: 'example', icon: ICON } }),
        received({ body: { name: 'example', icon: { bytes: ICON } } }),
      ]),
    ],
  },
  {
    name: 'list-of-objects',
    operation: formBody(object({ items: { type: 'array', items: RGB } })),
    source: LISTS,
    cases: [
      is('one-JSON-text-each', 'items=%7B%22R%22:1%7D&items=%7B%22R%22:2%7D', { items: [{ R: 1 }, { R: 2 }] }),
      bad('one-that-is-not-valid', 'items=%7B%22R%22:1%7D&items=%7B%22R%22:%22x%22%7D'),
    ],
  },
];

/** As for parameters of a query: the table of style examples, with the encoding object in place of the parameter object. */
const STYLE_ROWS: readonly Row[] = (
  [
    ['form', false, COLORS, 'color=blue,black,brown', THREE],
    ['form', true, COLORS, 'color=blue&color=black&color=brown', THREE],
    ['spaceDelimited', false, COLORS, 'color=blue%20black%20brown', THREE],
    ['pipeDelimited', false, COLORS, 'color=blue%7Cblack%7Cbrown', THREE],
    ['form', false, RGB, 'color=R,100,G,200,B,150', PARTS],
    ['form', true, RGB, 'R=100&G=200&B=150', PARTS],
    ['deepObject', true, RGB, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150', PARTS],
  ] as const
).map(([style, explode, schema, sent, value]) => ({
  name: `style-${style}${explode ? '-explode' : ''}-${schema.type}`,
  operation: formBody(object({ color: schema, size: INTEGER }), { color: { style, explode } }),
  source: oas(
    'Encoding Object',
    'style - ... The behavior follows the same values as query parameters, including default values.',
    'OpenAPI 3.0.4, Style Examples',
  ),
  cases: [
    is('the-example-of-the-table', sent, { color: value }),
    is('beside-another-field', `size=1&${sent}`, { size: 1, color: value }, STYLES),
    ...(schema.type === 'object' ? [bad('a-part-that-is-not-valid', sent.replace('100', 'x'), STYLES)] : []),
  ],
}));

const STYLED: readonly Row[] = [
  ...STYLE_ROWS,
  {
    name: 'list',
    operation: formBody(object({ n: { type: 'array', items: INTEGER, minItems: 1, maxItems: 3 } })),
    source: LISTS,
    cases: [
      is('several', 'n=1&n=2', { n: [1, 2] }),
      is('one', 'n=1', { n: [1] }),
      bad('one-that-is-not-valid', 'n=1&n=x'),
      bad('too-many', 'n=1&n=2&n=3&n=4'),
      bad('an-empty-text', 'n='),
    ],
  },
  {
    name: 'list-of-texts',
    operation: formBody(object({ t: COLORS })),
    source: LISTS,
    cases: [
      is('a-comma-is-no-delimiter', 't=a,b&t=c', { t: ['a,b', 'c'] }),
      is('empty-texts', 't=&t=', { t: ['', ''] }),
      is('the-same-twice', 't=a&t=a', { t: ['a', 'a'] }),
    ],
  },
  {
    name: 'escaped-delimiter',
    operation: formBody(object({ t: COLORS }), { t: { explode: false } }),
    source: source('RFC 6570')(
      '3.2.1',
      'reserved ("+") and fragment ("#") expansions allow the set of characters in the union of ( unreserved / reserved / pct-encoded ) to be passed through without pct-encoding, whereas all other expression types allow only unreserved characters to be passed through without pct-encoding.',
    ),
    cases: [is('a-comma-percent-encoded-is-data', 't=a%2Cb,c', { t: ['a,b', 'c'] }), is('one', 't=a', { t: ['a'] }, STYLES)],
  },
  {
    name: 'reserved',
    operation: formBody(object({ u: TEXT }), { u: { allowReserved: true } }),
    source: oas(
      'Encoding Object',
      "allowReserved - When this is true, parameter values are serialized using reserved expansion ... which allows RFC3986's reserved character set, as well as percent-encoded triples, to pass through unchanged",
    ),
    cases: [is('reserved-characters', 'u=/a?b:@c;d', { u: '/a?b:@c;d' }), is('percent-encoded', 'u=%2Fa', { u: '/a' })],
  },
  {
    name: 'deep',
    operation: formBody(object({ f: { type: 'object', additionalProperties: false, properties: { a: INTEGER, b: TEXT } } }), {
      f: { style: 'deepObject', explode: true },
    }),
    source: STYLES,
    cases: [
      is('brackets-as-they-are', 'f[a]=1&f[b]=x', { f: { a: 1, b: 'x' } }),
      // Two values of one place.
      bad('a-part-and-a-part-of-it', 'f[a]=1&f[a][b]=2'),
      bad('a-part-of-it-and-a-part', 'f[b][x]=2&f[b]=1'),
      bad('a-part-twice', 'f[a]=1&f[a]=2'),
      bad('an-undeclared-part', 'f[c]=1'),
      bad('the-proto-part', 'f[__proto__]=1'),
      bad('a-bracket-that-is-not-closed', 'f[a=1'),
    ],
  },
];

const rfcExample = 'RFC 7578, 4.5';

interface PartOptions {
  readonly filename?: string;
  readonly type?: string;
  readonly head?: string;
}
type PartTuple = readonly [name: string, value: string | Uint8Array, options?: PartOptions];

/** Parts as bytes, with `\r\n` between them. */
function partsOf(parts: readonly PartTuple[], boundary = BOUNDARY): Buffer {
  const chunks = parts.flatMap(([name, value, { filename, type, head } = {}]) => [
    Buffer.from(
      `--${boundary}\r\n${head ?? `Content-Disposition: form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}\r\n`}${type === undefined ? '' : `Content-Type: ${type}\r\n`}\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

function multipart(parts: readonly PartTuple[], boundary = BOUNDARY): Send {
  return body(`multipart/form-data; boundary=${boundary}`, partsOf(parts, boundary));
}
const raw = (text: string, type = `multipart/form-data; boundary=${BOUNDARY}`): Send => body(type, text);

const multipartBody = (schema: unknown, encoding?: unknown, required = true): Row['operation'] => ({
  requestBody: { required, content: { 'multipart/form-data': { schema, ...(encoding === undefined ? {} : { encoding }) } } },
});
const parts = (what: string, list: readonly PartTuple[], value: unknown, from?: Source): Tried =>
  valid(what, multipart(list), { body: value }, from);
const badParts = (what: string, list: readonly PartTuple[], from?: Source): Tried => invalid(what, multipart(list), from);
const file = (bytes: string | Uint8Array, filename: string): unknown => ({ bytes: Buffer.from(bytes).toString('base64'), filename });

const NAME = rfc7578(
  '4.2',
  'Each part MUST contain a Content-Disposition header field where the disposition type is "form-data". The Content-Disposition header field MUST also contain an additional parameter of "name".',
);
const ORDER = oas(
  'Encoding Object',
  'Properties are correlated with multipart parts using the name parameter of Content-Disposition: form-data ... In both cases, their order is implementation-defined.',
);
const TEXT_PART = rfc7578('4.4', 'Each part MAY have an (optional) "Content-Type" header field, which defaults to "text/plain".');
const FILENAME = rfc7578(
  '4.2',
  'For form data that represents the content of a file, a name for the file SHOULD be supplied as well, by using a "filename" parameter of the Content-Disposition header field.',
);
const MULTIPLE = rfc7578(
  '4.3',
  'the form data for a form field might include multiple files ... by supplying each file in a separate part but all with the same "name" parameter.',
);
const DELIMITER = rfc2046(
  '5.1.1',
  'The boundary delimiter MUST occur at the beginning of a line, i.e., following a CRLF, and the initial CRLF is considered to be attached to the boundary delimiter line rather than part of the preceding part.',
);
const BOUNDARIES = rfc2046('5.1.1', 'The only mandatory global parameter for the "multipart" media type is the boundary parameter.');
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, at) => at);

const line = (text: string): string => text.replaceAll('\n', '\r\n');

const FIELDS: readonly Row[] = [
  {
    name: 'fields',
    operation: multipartBody(PERSON),
    source: SCHEMA,
    cases: [
      parts(
        'every-type',
        [
          ['name', 'Ada'],
          ['age', '36'],
          ['score', '1.5'],
          ['ok', 'true'],
        ],
        { name: 'Ada', age: 36, score: 1.5, ok: true },
        TYPES,
      ),
      parts(
        'another-order',
        [
          ['ok', 'false'],
          ['name', 'Ada'],
        ],
        { name: 'Ada', ok: false },
        ORDER,
      ),
      parts(
        'a-media-type-each',
        [
          ['name', 'é', { type: 'text/plain; charset=utf-8' }],
          ['age', '36', { type: 'text/plain' }],
        ],
        { name: 'é', age: 36 },
        TEXT_PART,
      ),
      parts('an-empty-text', [['name', '']], { name: '' }, DELIMITER),
      parts('line-breaks-at-both-ends', [['name', '\r\na\r\n\r\n']], { name: '\r\na\r\n\r\n' }, DELIMITER),
      parts('the-boundary-within-a-line', [['name', `a--${BOUNDARY}`]], { name: `a--${BOUNDARY}` }, DELIMITER),
      parts(
        'the-beginning-of-a-boundary',
        [['name', `\r\n--${BOUNDARY.slice(0, -1)}`]],
        { name: `\r\n--${BOUNDARY.slice(0, -1)}` },
        DELIMITER,
      ),
      parts('percent-signs-and-plus-signs-are-data', [['name', '100%25+1']], { name: '100%25+1' }, SCHEMA),
      parts(
        'field-names-in-other-cases',
        [['name', 'a', { head: 'content-disposition: form-data; name="name"\r\nX-Other: 1\r\n' }]],
        { name: 'a' },
        source('RFC 822')('3.4.7', 'Except as noted, alphabetic strings may be represented in any combination of upper and lower case.'),
      ),
      parts(
        'a-name-without-quotation-marks',
        [['name', 'a', { head: 'Content-Disposition: form-data; name=name\r\n' }]],
        { name: 'a' },
        source('RFC 2183')('2', 'disposition-parm := filename-parm / ... / parameter ... value := token / quoted-string'),
      ),
      badParts('a-required-field-is-missing', [['age', '36']]),
      badParts(
        'a-word-for-a-number',
        [
          ['name', 'a'],
          ['age', 'old'],
        ],
        TYPES,
      ),
      badParts(
        'a-blank-around-a-number',
        [
          ['name', 'a'],
          ['age', ' 36'],
        ],
        TYPES,
      ),
      badParts(
        '1-for-true',
        [
          ['name', 'a'],
          ['ok', '1'],
        ],
        TYPES,
      ),
      badParts('an-undeclared-field', [
        ['name', 'a'],
        ['more', 'b'],
      ]),
      badParts(
        'a-text-twice',
        [
          ['name', 'a'],
          ['name', 'b'],
        ],
        LISTS,
      ),
      badParts(
        'bytes-that-are-no-UTF-8',
        [['name', Uint8Array.of(0x61, 0xff)]],
        source('RFC 3629')('3', 'Implementations of the decoding algorithm above MUST protect against decoding invalid sequences.'),
      ),
      badParts(
        'a-part-without-a-name',
        [
          ['name', 'a'],
          ['', 'b', { head: 'Content-Disposition: form-data\r\n' }],
        ],
        NAME,
      ),
      badParts(
        'a-part-without-a-disposition',
        [
          ['name', 'a'],
          ['', 'b', { head: 'X-Other: 1\r\n' }],
        ],
        NAME,
      ),
      badParts(
        'a-file-for-a-number',
        [
          ['name', 'a'],
          ['age', '36x', { filename: 'age.txt', type: 'text/plain' }],
        ],
        TYPES,
      ),
      // Header fields that two readers understand in two ways.
      tried(
        'two-name-parameters',
        multipart([['name', 'a', { head: 'Content-Disposition: form-data; name="name"; name="age"\r\n' }]]),
        [received({ body: { name: 'a' } }), REFUSED],
        NAME,
      ),
      tried(
        'an-open-quotation-mark',
        multipart([['name', 'a', { head: 'Content-Disposition: form-data; name="name\r\n' }]]),
        [received({ body: { name: 'a' } }), REFUSED],
        NAME,
      ),
      tried(
        'two-boundary-parameters',
        body(`multipart/form-data; boundary=${BOUNDARY}; boundary=other`, partsOf([['name', 'a']])),
        [received({ body: { name: 'a' } }), refused(400, 415, 422)],
        BOUNDARIES,
      ),
      valid(
        'a-quoted-boundary',
        body(`multipart/form-data; boundary="gc0pJq0M:08jU534c0p"`, partsOf([['name', 'a']], 'gc0pJq0M:08jU534c0p')),
        { body: { name: 'a' } },
        rfc2046(
          '5.1.1',
          'Content-Type: multipart/mixed; boundary="gc0pJq0M:08jU534c0p"',
          'RFC 2046, 5.1.1, the boundary gc0pJq0M:08jU534c0p',
        ),
      ),
      valid(
        'a-boundary-of-a-browser',
        multipart([['name', 'a']], '----WebKitFormBoundary7MA4YWxkTrZu0gW'),
        { body: { name: 'a' } },
        BOUNDARIES,
      ),
      valid(
        'a-boundary-of-70-characters',
        multipart([['name', 'a']], 'b'.repeat(70)),
        { body: { name: 'a' } },
        rfc2046('5.1.1', 'Boundary delimiters ... must be no longer than 70 characters, not counting the two leading hyphens.'),
      ),
      valid(
        'a-boundary-in-capitals',
        body(`Multipart/Form-Data; BOUNDARY=${BOUNDARY}`, partsOf([['name', 'a']])),
        { body: { name: 'a' } },
        source('RFC 9110')('8.3.1', 'The type and subtype tokens are case-insensitive. ... parameter names are case-insensitive.'),
      ),
      valid(
        'a-preamble-and-an-epilogue',
        raw(`preamble\r\n${partsOf([['name', 'a']]).toString()}epilogue`),
        { body: { name: 'a' } },
        rfc2046(
          '5.1.1',
          'implementations must ignore anything that appears before the first boundary delimiter line or after the last one.',
        ),
      ),
      valid(
        'blanks-after-a-boundary',
        raw(line(`--${BOUNDARY} \t\nContent-Disposition: form-data; name="name"\n\na\n--${BOUNDARY}--\n`)),
        { body: { name: 'a' } },
        rfc2046('5.1.1', 'Any linear white space after the boundary is to be ignored: delimiter transport-padding CRLF'),
      ),
      valid(
        'no-line-break-at-the-end',
        raw(line(`--${BOUNDARY}\nContent-Disposition: form-data; name="name"\n\na\n--${BOUNDARY}--`)),
        { body: { name: 'a' } },
        rfc2046('5.1.1', 'close-delimiter := delimiter "--" ... [CRLF epilogue]'),
      ),
      invalid(
        'no-boundary-at-the-end',
        raw(line(`--${BOUNDARY}\nContent-Disposition: form-data; name="name"\n\na\n`)),
        rfc2046(
          '5.1.1',
          'The boundary delimiter line following the last body part is a distinguished delimiter that indicates that no further body parts will follow.',
        ),
      ),
      invalid(
        'cut-off-in-a-header',
        raw(line(`--${BOUNDARY}\nContent-Disposition: form-da`)),
        rfc2046(
          '5.1.1',
          'The boundary delimiter line following the last body part is a distinguished delimiter that indicates that no further body parts will follow.',
        ),
      ),
      invalid('another-boundary', body('multipart/form-data; boundary=other', partsOf([['name', 'a']])), BOUNDARIES),
      tried('no-boundary-parameter', body('multipart/form-data', partsOf([['name', 'a']])), [refused(400, 415, 422)], BOUNDARIES),
      tried('an-empty-body', raw(''), [refused(400, 422)], BOUNDARIES),
      tried(
        'another-multipart',
        body(`multipart/mixed; boundary=${BOUNDARY}`, partsOf([['name', 'a']])),
        [refused(400, 415)],
        source('RFC 9110')(
          '15.5.16',
          'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
        ),
      ),
      tried(
        'a-transfer-encoding',
        raw(
          line(
            `--${BOUNDARY}\ncontent-disposition: form-data; name="name"\ncontent-type: text/plain;charset=UTF-8\ncontent-transfer-encoding: quoted-printable\n\nJoe owes =E2=82=AC100.\n--${BOUNDARY}--\n`,
          ),
        ),
        [received({ body: { name: 'Joe owes €100.' } }), received({ body: { name: 'Joe owes =E2=82=AC100.' } }), REFUSED],
        rfc7578(
          '4.7',
          'Previously, it was recommended that senders use a Content-Transfer-Encoding encoding ... In practice, this is not implemented ... deprecated.',
          rfcExample,
        ),
      ),
      // A field of a header that takes long to be read, were it read by an expression.
      tried(
        '3,000-blanks-in-a-header',
        multipart([['name', 'a', { head: `Content-Disposition: form-data;${' '.repeat(3_000)}name="name"\r\n` }]]),
        [received({ body: { name: 'a' } }), REFUSED],
        NAME,
      ),
    ],
  },
  {
    name: 'fields-optional',
    operation: multipartBody(object({ name: TEXT }), undefined, false),
    source: oas('Request Body Object', 'required - Determines if the request body is required in the request. Defaults to false.'),
    cases: [valid('no-body', bare(), 'anything'), parts('a-field', [['name', 'a']], { name: 'a' })],
  },
  {
    name: 'field-list',
    operation: multipartBody(object({ n: { type: 'array', items: INTEGER, maxItems: 2 } })),
    source: LISTS,
    cases: [
      parts(
        'several',
        [
          ['n', '1'],
          ['n', '2'],
        ],
        { n: [1, 2] },
        MULTIPLE,
      ),
      parts('one', [['n', '1']], { n: [1] }),
      badParts('one-that-is-not-valid', [
        ['n', '1'],
        ['n', 'x'],
      ]),
      badParts('too-many', [
        ['n', '1'],
        ['n', '2'],
        ['n', '3'],
      ]),
    ],
  },
  {
    name: 'field-json',
    operation: multipartBody(object({ address: { type: 'object', required: ['city'], properties: { city: TEXT } } }, ['address'])),
    source: OBJECTS,
    cases: [
      parts('JSON', [['address', '{"city":"Hillsbery"}', { type: 'application/json' }]], { address: { city: 'Hillsbery' } }),
      tried(
        'without-a-media-type',
        multipart([['address', '{"city":"Hillsbery"}']]),
        [received({ body: { address: { city: 'Hillsbery' } } }), REFUSED],
        TEXT_PART,
      ),
      badParts('no-JSON', [['address', '{', { type: 'application/json' }]]),
      badParts('not-valid', [['address', '{"city":5}', { type: 'application/json' }]]),
      tried(
        'a-name-twice',
        multipart([['address', '{"city":"a","city":"b"}', { type: 'application/json' }]]),
        [received({ body: { address: { city: 'a' } } }), received({ body: { address: { city: 'b' } } }), REFUSED],
        source('RFC 8259')('4', 'The names within an object SHOULD be unique.'),
      ),
      tried(
        'a-large-number',
        multipart([['address', '{"city":"a","n":9007199254740993}', { type: 'application/json' }]]),
        [received({ body: { address: parseExactly('{"city":"a","n":9007199254740993}') } }), REFUSED],
        source('RFC 8259')('6', 'This specification allows implementations to set limits on the range and precision of numbers accepted.'),
      ),
    ],
  },
  {
    name: 'field-json-list',
    operation: multipartBody(
      object({ addresses: { type: 'array', items: { type: 'object', required: ['city'], properties: { city: TEXT } } } }),
    ),
    source: LISTS,
    cases: [
      parts(
        'a-part-each',
        [
          ['addresses', '{"city":"a"}', { type: 'application/json' }],
          ['addresses', '{"city":"b"}', { type: 'application/json' }],
        ],
        { addresses: [{ city: 'a' }, { city: 'b' }] },
      ),
      badParts('one-that-is-not-valid', [
        ['addresses', '{"city":"a"}', { type: 'application/json' }],
        ['addresses', '{}', { type: 'application/json' }],
      ]),
    ],
  },
];

const BINARY = { type: 'string', format: 'binary' };
const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const LEARN = 'Swagger documentation, Multipart Requests';

const FILES: readonly Row[] = [
  {
    name: 'file',
    operation: multipartBody(object({ caption: { type: 'string', maxLength: 5 }, photo: BINARY }, ['photo'])),
    source: oas('Encoding Object', 'string: binary or byte: application/octet-stream'),
    cases: [
      parts('all-256-bytes', [['photo', ALL_BYTES, { filename: 'a.bin', type: 'application/octet-stream' }]], {
        photo: file(ALL_BYTES, 'a.bin'),
      }),
      parts(
        'a-field-before-it',
        [
          ['caption', 'x'],
          ['photo', 'abc', { filename: 'a.txt', type: 'application/octet-stream' }],
        ],
        { caption: 'x', photo: file('abc', 'a.txt') },
        ORDER,
      ),
      // Parts in any order.
      parts(
        'a-field-after-it',
        [
          ['photo', 'abc', { filename: 'a.txt', type: 'application/octet-stream' }],
          ['caption', 'x'],
        ],
        { caption: 'x', photo: file('abc', 'a.txt') },
        ORDER,
      ),
      parts('no-bytes', [['photo', '', { filename: 'empty', type: 'application/octet-stream' }]], { photo: file('', 'empty') }),
      parts('another-media-type', [['photo', PNG, { filename: 'a.png', type: 'image/png' }]], { photo: file(PNG, 'a.png') }, TEXT_PART),
      parts(
        'line-breaks-at-its-end',
        [['photo', 'abc\r\n', { filename: 'a', type: 'application/octet-stream' }]],
        { photo: file('abc\r\n', 'a') },
        DELIMITER,
      ),
      parts('JSON-is-bytes-here', [['photo', '{"a":1}', { filename: 'a.json', type: 'application/octet-stream' }]], {
        photo: file('{"a":1}', 'a.json'),
      }),
      parts(
        'a-filename-beyond-ASCII',
        [['photo', 'abc', { filename: 'é😀.txt', type: 'application/octet-stream' }]],
        { photo: file('abc', 'é😀.txt') },
        source('HTML Standard')(
          '4.10.21.8',
          'For field names and filenames for file fields, the result of the encoding must be escaped by replacing any 0x0A (LF) bytes with the byte sequence `%0A`, 0x0D (CR) with `%0D` and 0x22 (") with `%22`.',
        ),
      ),
      parts(
        'a-filename-with-a-semicolon',
        [['photo', 'abc', { filename: 'a; b.txt', type: 'application/octet-stream' }]],
        { photo: file('abc', 'a; b.txt') },
        FILENAME,
      ),
      tried(
        'a-filename-with-a-path',
        multipart([['photo', 'abc', { filename: '../../etc/passwd', type: 'application/octet-stream' }]]),
        [received({ body: { photo: file('abc', 'passwd') } }), REFUSED],
        rfc7578(
          '4.2',
          'do not use the file name blindly, check and possibly change to match local file system conventions if applicable, and do not use directory path information that may be present.',
        ),
      ),
      badParts('no-file', [['caption', 'x']]),
      badParts(
        'two-files-for-one',
        [
          ['photo', 'a', { filename: 'a', type: 'application/octet-stream' }],
          ['photo', 'b', { filename: 'b', type: 'application/octet-stream' }],
        ],
        MULTIPLE,
      ),
      badParts('a-field-that-is-not-valid-before-it', [
        ['caption', 'too long'],
        ['photo', 'a', { filename: 'a', type: 'application/octet-stream' }],
      ]),
      badParts('a-field-that-is-not-valid-after-it', [
        ['photo', 'a', { filename: 'a', type: 'application/octet-stream' }],
        ['caption', 'too long'],
      ]),
      badParts('an-undeclared-file', [
        ['photo', 'a', { filename: 'a', type: 'application/octet-stream' }],
        ['more', 'b', { filename: 'b', type: 'application/octet-stream' }],
      ]),
      tried(
        'an-open-filename',
        multipart([
          [
            'photo',
            'abc',
            { head: 'Content-Disposition: form-data; name="photo"; filename="x\r\nContent-Type: application/octet-stream\r\n' },
          ],
        ]),
        [REFUSED, received('anything')],
        FILENAME,
      ),
      invalid(
        'cut-off',
        raw(
          line(`--${BOUNDARY}\nContent-Disposition: form-data; name="photo"; filename="a"\nContent-Type: application/octet-stream\n\nabc`),
        ),
        rfc2046(
          '5.1.1',
          'The boundary delimiter line following the last body part is a distinguished delimiter that indicates that no further body parts will follow.',
        ),
      ),
    ],
  },
  {
    name: 'file-type',
    operation: multipartBody(object({ profileImage: BINARY }, ['profileImage']), {
      profileImage: { contentType: 'image/png, image/jpeg' },
    }),
    source: oas(
      'Encoding Object',
      '# only accept png or jpeg: contentType: image/png, image/jpeg',
      'OpenAPI 3.0.4, Example: Multipart Form with Encoding Objects',
    ),
    cases: [
      parts('png', [['profileImage', PNG, { filename: 'a.png', type: 'image/png' }]], { profileImage: file(PNG, 'a.png') }),
      parts('jpeg', [['profileImage', 'x', { filename: 'a.jpg', type: 'image/jpeg' }]], { profileImage: file('x', 'a.jpg') }),
      tried('gif', multipart([['profileImage', 'GIF89a', { filename: 'a.gif', type: 'image/gif' }]]), [refused(400, 415, 422)]),
    ],
  },
  {
    name: 'file-range',
    operation: multipartBody(object({ image: BINARY }, ['image']), { image: { contentType: 'image/*' } }),
    source: oas(
      'Encoding Object',
      'contentType - ... a comma-separated list, each element of which is either a specific media type (e.g. image/png) or a wildcard media type (e.g. image/*).',
    ),
    cases: [
      parts('gif', [['image', 'GIF89a', { filename: 'a.gif', type: 'image/gif' }]], { image: file('GIF89a', 'a.gif') }),
      tried('text', multipart([['image', 'x', { filename: 'a.txt', type: 'text/plain' }]]), [refused(400, 415, 422)]),
    ],
  },
  {
    name: 'file-length',
    operation: multipartBody(object({ data: { type: 'string', format: 'binary', maxLength: 10 } }, ['data'])),
    source: oas(
      'Working with Binary Data',
      'The maxLength keyword MAY be used to set an expected upper bound on the length of a streaming payload. ... For unencoded binary, the length is the number of octets.',
    ),
    cases: [
      parts('ten-bytes', [['data', '0123456789', { filename: 'a', type: 'application/octet-stream' }]], { data: file('0123456789', 'a') }),
      tried('eleven-bytes', multipart([['data', '0123456789x', { filename: 'a', type: 'application/octet-stream' }]]), [
        refused(400, 413, 422),
      ]),
    ],
  },
  {
    name: 'files',
    operation: multipartBody({ type: 'object', properties: { file: { type: 'array', items: BINARY } } }),
    source: oas(
      'Encoding Object',
      "# The property name 'file' will be used for all files. file: { type: array, items: { type: string, format: binary } }",
      'OpenAPI 3.0.4, Example: Multipart Form with Multiple Files',
    ),
    cases: [
      parts(
        'two',
        [
          ['file', 'a', { filename: 'a', type: 'application/octet-stream' }],
          ['file', 'b', { filename: 'b', type: 'application/octet-stream' }],
        ],
        { file: [file('a', 'a'), file('b', 'b')] },
      ),
      parts('one', [['file', 'a', { filename: 'a', type: 'application/octet-stream' }]], { file: [file('a', 'a')] }),
    ],
  },
  {
    name: 'basic',
    operation: multipartBody({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        profileImage: BINARY,
        addresses: { type: 'array', items: { type: 'object', properties: { street: TEXT, city: TEXT } } },
      },
    }),
    source: oas(
      'Encoding Object',
      "When the encoding field is not used, the encoding is determined by the Encoding Object's defaults",
      'OpenAPI 3.0.4, Example: Basic Multipart Form',
    ),
    cases: [
      parts(
        'the-example',
        [
          ['id', UUID, { type: 'text/plain' }],
          ['profileImage', PNG, { filename: 'image1.png', type: 'application/octet-stream' }],
          ['addresses', '{"street":"3, Garden St","city":"Hillsbery, UT"}', { type: 'application/json' }],
        ],
        { id: UUID, profileImage: file(PNG, 'image1.png'), addresses: [{ street: '3, Garden St', city: 'Hillsbery, UT' }] },
      ),
      badParts('an-address-that-is-not-valid', [['addresses', '{"street":5}', { type: 'application/json' }]]),
    ],
  },
  {
    name: 'learn',
    operation: multipartBody({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        address: { type: 'object', properties: { street: TEXT, city: TEXT } },
        profileImage: BINARY,
      },
    }),
    source: source('Swagger documentation')(
      'Multipart Requests',
      'Multipart requests combine one or more sets of data into a single body, separated by boundaries.',
      LEARN,
    ),
    cases: [
      valid(
        'the-example',
        raw(
          line(
            '--abcde12345\nContent-Disposition: form-data; name="id"\nContent-Type: text/plain\n\n123e4567-e89b-12d3-a456-426655440000\n--abcde12345\nContent-Disposition: form-data; name="address"\nContent-Type: application/json\n\n{\n  "street": "3, Garden St",\n  "city": "Hillsbery, UT"\n}\n--abcde12345\nContent-Disposition: form-data; name="profileImage"; filename="image1.png"\nContent-Type: application/octet-stream\n\n{…file content…}\n--abcde12345--\n',
          ),
          'multipart/form-data; boundary=abcde12345',
        ),
        {
          body: {
            id: '123e4567-e89b-12d3-a456-426655440000',
            address: { street: '3, Garden St', city: 'Hillsbery, UT' },
            profileImage: file('{…file content…}', 'image1.png'),
          },
        },
      ),
    ],
  },
  {
    name: 'byte',
    operation: multipartBody(object({ icon: { type: 'string', format: 'byte' } })),
    source: oas(
      'Encoding Object',
      'Using format: "byte" for a multipart field is equivalent to specifying an Encoding Object with a headers field containing Content-Transfer-Encoding with a schema that requires the value base64.',
    ),
    cases: [
      parts('without-the-header', [['icon', 'Zm9v']], { icon: 'Zm9v' }, TEXT_PART),
      tried(
        'with-the-header',
        multipart([['icon', 'Zm9v', { head: 'Content-Disposition: form-data; name="icon"\r\nContent-Transfer-Encoding: base64\r\n' }]]),
        // RFC 7578 deprecates the header: a server may refuse it.
        [received({ body: { icon: 'Zm9v' } }), received({ body: { icon: { bytes: 'Zm9v' } } }), REFUSED],
      ),
    ],
  },
];

export const forms: Group = rowGroup('forms', '3.0.4', 'Forms', [...FLAT, ...CONTENT_TYPES, ...STYLED, ...FIELDS, ...FILES]);
