/** Bodies of requests: media types, presence, values that JSON and the Schema Object have, and what a handler gets of them. */
import type { Group, Source } from '../case.ts';
import { parseExactly } from '../exact-json.ts';
import { bare, body, content, invalid, json, received, REFUSED, refused, rowGroup, type Row, type Tried, tried, valid } from '../rows.ts';
import { source } from '../source.ts';

const oas = source('OpenAPI 3.0.4');
const rfc = (number: number, ...cited: Parameters<typeof oas>) => source(`RFC ${number}`)(...cited);

const CONTENT = oas(
  'Request Body Object',
  'content - REQUIRED. The content of the request body. The key is a media type or media type range and the value describes it.',
);
const REQUIRED = oas('Request Body Object', 'required - Determines if the request body is required in the request. Defaults to false.');
const TYPE = oas(
  'Schema Object',
  'type - Value MUST be a string. ... An instance matches successfully if its primitive type is one of the types defined by keyword.',
);
const UNSUPPORTED = rfc(
  9110,
  '15.5.16',
  'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
);
const MEDIA_TYPE = rfc(9110, '8.3.1', 'The type and subtype tokens are case-insensitive.');
const UNIQUE = rfc(
  8259,
  '4',
  'The names within an object SHOULD be unique. ... When the names within an object are not unique, the behavior of software that receives such an object is unpredictable.',
);
const UTF8 = rfc(8259, '8.1', 'JSON text exchanged between systems that are not part of a closed ecosystem MUST be encoded using UTF-8.');
const NUMBERS = rfc(8259, '6', 'This specification allows implementations to set limits on the range and precision of numbers accepted.');
const STRINGS = rfc(
  8259,
  '7',
  'All Unicode characters may be placed within the quotation marks, except for the characters that MUST be escaped.',
);

const required = (types: Readonly<Record<string, unknown>>) => ({ requestBody: { required: true, content: content(types) } });
const jsonBody = (schema: unknown) => required({ 'application/json': schema });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Valid JSON whose value the handler has to get. */
const same = (what: string, text: string, source?: Source): Tried => valid(what, json(text), { body: parseExactly(text) }, source);
const bad = (what: string, text: string, source?: Source): Tried => invalid(what, json(text), source);
/** A number that a server may refuse, because its numbers cannot hold it, but not replace by another. */
const exactOrRefused = (what: string, text: string, source?: Source): Tried =>
  tried(what, json(text), [received({ body: parseExactly(text) }), REFUSED], source);
const wrongType = (what: string, mediaType: string | undefined, text: string | Uint8Array, source = UNSUPPORTED): Tried =>
  tried(what, body(mediaType, text), [refused(415, 400)], source);

const base64 = (bytes: Uint8Array | string): { bytes: string } => ({ bytes: Buffer.from(bytes).toString('base64') });
const ALL_BYTES = Uint8Array.from({ length: 256 }, (_, at) => at);

const NOTE = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string' }, count: { type: 'integer' } },
};

const OBJECTS: readonly Row[] = [
  {
    name: 'object',
    operation: jsonBody(NOTE),
    source: TYPE,
    cases: [
      same('all-properties', '{"name":"a","count":1}'),
      same(
        'white-space',
        ' \t\r\n{ "name" : "a" ,\n"count"\t:1 }\n',
        rfc(8259, '2', 'Insignificant whitespace is allowed before or after any of the six structural characters.'),
      ),
      valid(
        'an-escaped-name',
        json('{"\\u006eame":"a"}'),
        { body: { name: 'a' } },
        rfc(
          8259,
          '8.3',
          'Implementations that transform the textual representation into sequences of Unicode code units and then perform the comparison numerically ... are interoperable.',
        ),
      ),
      bad(
        'a-required-property-is-missing',
        '{"count":1}',
        oas(
          'Schema Object',
          "required - An object instance is valid against this keyword if its property set contains all elements in this keyword's array value.",
        ),
      ),
      bad(
        'an-undeclared-property',
        '{"name":"a","more":1}',
        oas(
          'Schema Object',
          'additionalProperties - If "additionalProperties" is false, validation succeeds only if the instance is an object and all properties on the instance were covered by "properties".',
        ),
      ),
      bad('an-undeclared-property-of-another-case', '{"name":"a","Count":1}', rfc(8259, '4', 'A name is a string.')),
      bad(
        'null-for-a-string',
        '{"name":null}',
        oas(
          'Schema Object',
          'nullable - A true value indicates that both null values and values of the type specified by type are allowed. ... The default value is false.',
        ),
      ),
      bad('a-number-for-a-string', '{"name":5}'),
      bad('a-number-in-a-string', '{"name":"a","count":"1"}'),
      bad('true-for-a-number', '{"name":"a","count":true}'),
      bad('the-empty-text-for-a-number', '{"name":"a","count":""}'),
      bad('a-list-for-a-string', '{"name":["a"]}'),
      bad('a-list-for-the-object', '[{"name":"a"}]'),
      bad('a-string-for-the-object', '"{\\"name\\":\\"a\\"}"'),
      bad('null-for-the-object', 'null'),
      tried(
        'a-name-twice',
        json('{"name":"a","name":"b"}'),
        [REFUSED, received({ body: { name: 'a' } }), received({ body: { name: 'b' } })],
        UNIQUE,
      ),
      // Large numbers of problems: all are invalid, and the answer is still a refusal.
      bad('a-thousand-undeclared-properties', `{${Array.from({ length: 1000 }, (_, at) => `"p${at}":1`).join()}}`),
      tried('the-proto-member', json('{"name":"a","__proto__":{"count":1}}'), [REFUSED]),
      tried('the-constructor-member', json('{"name":"a","constructor":1}'), [REFUSED]),
    ],
  },
  {
    name: 'duplicate-deep',
    operation: jsonBody({ type: 'object', properties: { a: { type: 'array', items: { type: 'object' } } } }),
    source: UNIQUE,
    // A validator that reads one of two values, and a handler that gets the other, is the attack.
    cases: [
      tried('a-name-twice-in-an-item', json('{"a":[{"x":1,"x":2}]}'), [
        REFUSED,
        received({ body: { a: [{ x: 1 }] } }),
        received({ body: { a: [{ x: 2 }] } }),
      ]),
      tried('once-escaped', json('{"a":[{"x":1,"\\u0078":2}]}'), [
        REFUSED,
        received({ body: { a: [{ x: 1 }] } }),
        received({ body: { a: [{ x: 2 }] } }),
      ]),
    ],
  },
  {
    name: 'open-object',
    operation: jsonBody({ type: 'object', properties: { id: { type: 'integer' } } }),
    source: oas('Schema Object', 'additionalProperties - ... additionalProperties defaults to true.'),
    cases: [
      same('undeclared-properties', '{"id":1,"more":{"a":[1,"x",null]}}'),
      tried(
        'the-proto-member',
        json('{"__proto__":{"id":"x"}}'),
        [received({ body: parseExactly('{"__proto__":{"id":"x"}}') }), REFUSED],
        rfc(8259, '4', 'A name is a string.'),
      ),
      tried(
        'the-proto-member-below',
        json('{"more":{"__proto__":1}}'),
        [received({ body: parseExactly('{"more":{"__proto__":1}}') }), REFUSED],
        rfc(8259, '4', 'A name is a string.'),
      ),
      same('names-that-objects-inherit', '{"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":4}'),
      same('the-empty-name', '{"":1}'),
      same('names-that-are-numbers-in-any-order', '{"2":1,"1":2,"01":3}'),
    ],
  },
  {
    name: 'map',
    operation: jsonBody({ type: 'object', additionalProperties: { type: 'string' } }),
    source: oas(
      'Schema Object, Model with Map/Dictionary Properties',
      'For a simple string to string mapping: type: object, additionalProperties: { type: string }',
      'OpenAPI 3.0.4, Model with Map/Dictionary Properties',
    ),
    cases: [same('strings', '{"en":"Hello","de":"Hallo"}'), same('nothing', '{}'), bad('a-number', '{"en":5}')],
  },
  {
    name: 'map-of-models',
    operation: jsonBody({ type: 'object', additionalProperties: ref('ComplexModel') }),
    source: oas(
      'Schema Object, Model with Map/Dictionary Properties',
      "For a string to model mapping: type: object, additionalProperties: { $ref: '#/components/schemas/ComplexModel' }",
      'OpenAPI 3.0.4, Model with Map/Dictionary Properties',
    ),
    cases: [
      same('models', '{"a":{"code":1},"b":{"code":2,"text":"x"}}'),
      bad('a-model-that-is-not-valid', '{"a":{"code":1},"b":{"code":"2"}}'),
      bad('no-model', '{"a":1}'),
    ],
  },
  {
    name: 'simple-model',
    operation: jsonBody({
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, address: ref('Address'), age: { type: 'integer', format: 'int32', minimum: 0 } },
    }),
    source: oas(
      'Schema Object, Simple Model',
      "type: object, required: [name], properties: { name: { type: string }, address: { $ref: '#/components/schemas/Address' }, age: { type: integer, format: int32, minimum: 0 } }",
      'OpenAPI 3.0.4, Simple Model',
    ),
    cases: [
      same('all', '{"name":"Ada","address":{"street":"Main"},"age":36}'),
      same('the-least', '{"name":""}'),
      bad('no-name', '{"age":36}'),
      bad('a-negative-age', '{"name":"Ada","age":-1}'),
      bad('an-address-that-is-a-text', '{"name":"Ada","address":"Main"}'),
    ],
  },
  {
    name: 'model-with-example',
    operation: jsonBody({
      type: 'object',
      properties: { id: { type: 'integer', format: 'int64' }, name: { type: 'string' } },
      required: ['name'],
      example: { name: 'Puma', id: 1 },
    }),
    source: oas('Schema Object, Model with Example', 'example: { name: Puma, id: 1 }', 'OpenAPI 3.0.4, Model with Example'),
    cases: [same('the-example', '{"name":"Puma","id":1}'), bad('an-id-that-is-a-text', '{"name":"Puma","id":"1"}')],
  },
  {
    name: 'composition',
    operation: jsonBody(ref('ExtendedErrorModel')),
    source: oas(
      'Schema Object, Models with Composition',
      "ExtendedErrorModel: allOf: [{ $ref: '#/components/schemas/ErrorModel' }, { type: object, required: [rootCause], properties: { rootCause: { type: string } } }]",
      'OpenAPI 3.0.4, Models with Composition',
    ),
    cases: [
      same('both-parts', '{"message":"x","code":100,"rootCause":"y"}'),
      bad('the-first-part-is-missing', '{"rootCause":"y"}'),
      bad('the-second-part-is-missing', '{"message":"x","code":100}'),
      bad('a-code-beyond-the-maximum', '{"message":"x","code":601,"rootCause":"y"}'),
    ],
  },
  ...(['hasOwnProperty', 'constructor', 'toString'] as const).map((name): Row => ({
    name: `property-${name}`,
    operation: jsonBody({ type: 'object', required: [name], additionalProperties: false, properties: { [name]: { type: 'integer' } } }),
    source: rfc(8259, '4', 'A name is a string.'),
    cases: [same('given', `{"${name}":1}`), bad('missing', '{}'), bad('of-another-type', `{"${name}":"1"}`)],
  })),
];

const PRESENCE: readonly Row[] = [
  {
    name: 'required',
    operation: jsonBody({ type: 'object' }),
    source: REQUIRED,
    cases: [
      tried('no-body', bare(), [refused(400, 411, 415, 422)]),
      tried('an-empty-body', body('application/json', ''), [refused(400, 415, 422)]),
      tried('only-white-space', json('  \n'), [REFUSED], rfc(8259, '2', 'JSON-text = ws value ws')),
      same('an-empty-object', '{}'),
    ],
  },
  {
    name: 'optional',
    operation: {
      requestBody: {
        content: content({ 'application/json': { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } }),
      },
    },
    source: REQUIRED,
    cases: [
      valid('no-body', bare(), 'anything'),
      valid(
        'content-length-0',
        body(undefined, ''),
        'anything',
        rfc(9110, '8.6', 'A Content-Length field value of 0 is a content of no octets.'),
      ),
      same('a-body', '{"a":1}'),
      bad('a-body-that-is-not-valid', '{"a":"1"}'),
      bad('an-empty-object', '{}'),
      bad('null', 'null'),
    ],
  },
  {
    name: 'no-body',
    method: 'delete',
    operation: {},
    source: oas('Operation Object', 'requestBody - The request body applicable for this operation.'),
    cases: [valid('no-body', bare(), 'anything')],
  },
];

const NUMBER_ROWS: readonly Row[] = [
  {
    name: 'integer',
    operation: jsonBody({ type: 'integer' }),
    source: oas(
      'Data Types',
      'JSON Schema defines integers mathematically. This means that both 1 and 1.0 are equivalent, and are both considered to be integers.',
    ),
    cases: [
      same('one', '1'),
      same('one-with-a-zero-fraction', '1.0'),
      same('one-with-an-exponent', '1e0'),
      same('a-hundred-with-an-exponent', '1E+2'),
      same('minus-zero', '-0'),
      bad('a-fraction', '1.5'),
      bad('a-fraction-with-an-exponent', '15e-1'),
      bad('a-string', '"1"'),
      bad('true', 'true'),
      same(
        'the-greatest-safe-integer',
        '9007199254740991',
        rfc(8259, '6', 'Numbers that are integers and are in the range [-(2**53)+1, (2**53)-1] are interoperable.'),
      ),
      same(
        'the-least-safe-integer',
        '-9007199254740991',
        rfc(8259, '6', 'Numbers that are integers and are in the range [-(2**53)+1, (2**53)-1] are interoperable.'),
      ),
      // Large numbers: another integer is another record.
      exactOrRefused('beyond-2-to-the-53', '9007199254740993', NUMBERS),
      exactOrRefused('beyond-2-to-the-53-with-a-fraction-of-zero', '9007199254740993.0', NUMBERS),
      exactOrRefused('beyond-2-to-the-53-with-an-exponent', '9007199254740993e0', NUMBERS),
      exactOrRefused('thirty-digits', '123456789012345678901234567891', NUMBERS),
      exactOrRefused('minus-thirty-digits', '-123456789012345678901234567891', NUMBERS),
      tried('beyond-every-double', json('1e400'), [received({ body: parseExactly('1e400') }), REFUSED], NUMBERS),
    ],
  },
  {
    name: 'int64',
    operation: jsonBody({ type: 'integer', format: 'int64' }),
    source: oas('Data Type Format', 'int64 - signed 64 bits (a.k.a long)'),
    cases: [
      exactOrRefused('the-greatest', '9223372036854775807'),
      // Exact in a double, whose shortest text ends with zeros.
      tried('the-least', json('-9223372036854775808'), [
        received({ body: parseExactly('-9223372036854775808') }),
        received({ body: parseExactly('-9223372036854776000') }),
        REFUSED,
      ]),
      exactOrRefused('not-a-multiple-of-a-double', '1152921504606846977'),
    ],
  },
  {
    name: 'number',
    operation: jsonBody({ type: 'number' }),
    source: rfc(8259, '6', 'number = [ minus ] int [ frac ] [ exp ]'),
    cases: [
      same('a-fraction', '0.1'),
      same('seventeen-digits', '0.30000000000000004'),
      same('a-small-one', '5e-324'),
      same('a-great-one', '1.7976931348623157e308'),
      same('an-integer', '7'),
      bad('a-string', '"0.1"'),
      bad('the-string-NaN', '"NaN"'),
      bad('null', 'null'),
    ],
  },
  {
    name: 'cents',
    operation: jsonBody({ type: 'number', multipleOf: 0.01 }),
    source: {
      standard: 'JSON Schema Validation, draft Wright 00',
      section: '5.1',
      sentence: "A numeric instance is only valid if division by this keyword's value results in an integer.",
    },
    // In binary 4.35 / 0.01 is 434.99999999999994.
    cases: [same('19.99', '19.99'), same('4.35', '4.35'), same('0.07', '0.07'), bad('a-tenth-of-a-cent', '19.995')],
  },
  {
    name: 'bounded',
    operation: jsonBody({ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }),
    source: {
      standard: 'JSON Schema Validation, draft Wright 00',
      section: '5.2',
      sentence:
        'If the instance is a number, then this keyword validates if ... the instance is less than or exactly equal to the provided value.',
    },
    cases: [
      same('the-maximum', '9007199254740991'),
      bad('one-more', '9007199254740992'),
      bad('two-more', '9007199254740993'),
      bad('one-less-than-the-minimum', '-9007199254740992'),
    ],
  },
  {
    name: 'enum-of-numbers',
    operation: jsonBody({ enum: [1, 2.5] }),
    source: {
      standard: 'JSON Schema Validation, draft Wright 00',
      section: '5.20',
      sentence:
        "An instance validates successfully against this keyword if its value is equal to one of the elements in this keyword's array value.",
    },
    cases: [same('1.0', '1.0'), same('25e-1', '25e-1'), bad('a-string', '"1"'), bad('true', 'true')],
  },
];

const LENGTH: Source = {
  standard: 'JSON Schema Validation, draft Wright 00',
  section: '5.6',
  sentence: 'The length of a string instance is defined as the number of its characters as defined by RFC 7159.',
};

const STRING_ROWS: readonly Row[] = [
  {
    name: 'string',
    operation: jsonBody({ type: 'string' }),
    source: STRINGS,
    cases: [
      valid('every-escape', json('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"'), { body: '"\\/\b\f\n\r\té' }),
      valid('the-escaped-NUL', json('"a\\u0000b"'), { body: 'a\u0000b' }),
      valid(
        'an-escaped-surrogate-pair',
        json('"\\ud834\\udd1e"'),
        { body: '\u{1d11e}' },
        rfc(
          8259,
          '7',
          'A string containing only the G clef character (U+1D11E) may be represented as "\\uD834\\uDD1E".',
          'RFC 8259, 7, the G clef',
        ),
      ),
      same('U+FEFF-within', '"a\ufeffb"'),
      same('a-decomposed-letter', '"e\u0301"', {
        standard: 'RFC 8259',
        section: '8.3',
        sentence: 'Implementations that ... perform the comparison numerically, code unit by code unit, are interoperable.',
      }),
      same('white-space-around', '"  a  "'),
      same('a-text-like-a-number', '"007"'),
      same('a-text-like-null', '"null"'),
      same('a-text-like-a-date', '"2024-02-30"'),
      same('60,000-characters', JSON.stringify('é'.repeat(30_000))),
    ],
  },
  {
    name: 'one-character',
    operation: jsonBody({ type: 'string', minLength: 1, maxLength: 1 }),
    source: LENGTH,
    cases: [
      same('beyond-the-basic-plane', '"😀"'),
      valid('as-an-escaped-pair', json('"\\ud83d\\ude00"'), { body: '😀' }),
      bad('a-letter-and-a-combining-accent', '"e\u0301"'),
      bad('none', '""'),
      bad('a-joined-family', '"👨‍👩‍👧"'),
    ],
  },
  {
    name: 'pattern',
    operation: jsonBody({ type: 'string', pattern: '^[a-z]+$' }),
    source: oas(
      'Schema Object',
      'pattern - This string SHOULD be a valid regular expression, according to the Ecma-262 Edition 5.1 regular expression dialect.',
    ),
    cases: [
      same('letters', '"abc"'),
      bad('a-line-feed-at-the-end', '"abc\\n"'),
      bad('a-second-line', '"abc\\n1"'),
      bad('a-capital', '"Abc"'),
      bad('none', '""'),
    ],
  },
  {
    name: 'pattern-digits',
    operation: jsonBody({ type: 'string', pattern: '^\\d+$' }),
    source: oas(
      'Schema Object',
      'pattern - This string SHOULD be a valid regular expression, according to the Ecma-262 Edition 5.1 regular expression dialect.',
    ),
    cases: [same('ASCII-digits', '"123"'), bad('Arabic-digits', '"١٢٣"')],
  },
  {
    name: 'date-time',
    operation: jsonBody({ type: 'string', format: 'date-time' }),
    source: rfc(
      3339,
      '5.8',
      'Examples: 1985-04-12T23:20:50.52Z ... 1996-12-19T16:39:57-08:00 ... 1990-12-31T23:59:60Z ... 1937-01-01T12:00:27.87+00:20',
    ),
    cases: [
      // A handler that gets a point in time may write it in another way.
      ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.520Z'],
      ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57Z', '1996-12-20T00:39:57.000Z'],
      ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.87Z', '1937-01-01T11:40:27.870Z'],
    ].map((texts): Tried =>
      tried(
        `${texts[0]}`,
        json(JSON.stringify(texts[0])),
        texts.map((text) => received({ body: text })),
        rfc(3339, '5.8', `Examples: ${texts[0]}`, 'RFC 3339, 5.8'),
      ),
    ),
  },
  {
    name: 'byte',
    operation: jsonBody({ type: 'string', format: 'byte' }),
    source: oas('Data Type Format', 'byte - base64 encoded characters - RFC4648'),
    cases: (
      [
        ['foobar', 'Zm9vYmFy'],
        ['fo', 'Zm8='],
        ['', ''],
      ] as const
    ).map(([text, encoded]) =>
      tried(
        `base64-of-${text === '' ? 'nothing' : text}`,
        json(`"${encoded}"`),
        [received({ body: encoded }), received({ body: base64(text) })],
        rfc(4648, '10', `BASE64("${text}") = "${encoded}"`, 'RFC 4648, 10'),
      ),
    ),
  },
];

const DIRECTIONS: readonly Row[] = [
  {
    name: 'read-only',
    operation: jsonBody({
      type: 'object',
      required: ['id', 'name'],
      additionalProperties: false,
      properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
    }),
    source: oas(
      'Schema Object',
      'readOnly - ... it MAY be sent as part of a response but SHOULD NOT be sent as part of the request. If the property is marked as readOnly being true and is in the required list, the required will take effect on the response only.',
    ),
    cases: [
      same('left-out', '{"name":"a"}'),
      tried('sent', json('{"id":1,"name":"a"}'), [received({ body: { name: 'a' } }), received({ body: { id: 1, name: 'a' } }), REFUSED]),
      bad('another-property-is-missing', '{"id":1}'),
    ],
  },
  {
    name: 'read-only-by-reference',
    operation: jsonBody({ type: 'object', required: ['id'], properties: { id: { allOf: [ref('Id')], readOnly: true } } }),
    source: oas(
      'Schema Object',
      'readOnly - If the property is marked as readOnly being true and is in the required list, the required will take effect on the response only.',
    ),
    cases: [same('left-out', '{}')],
  },
  {
    name: 'write-only',
    operation: jsonBody({ type: 'object', required: ['password'], properties: { password: { type: 'string', writeOnly: true } } }),
    source: oas(
      'Schema Object',
      'writeOnly - ... it MAY be sent as part of a request but SHOULD NOT be sent as part of the response. If the property is marked as writeOnly being true and is in the required list, the required will take effect on the request only.',
    ),
    cases: [same('sent', '{"password":"x"}'), bad('left-out', '{}')],
  },
  {
    name: 'nullable',
    operation: jsonBody({ type: 'object', properties: { a: { type: 'string', nullable: true, minLength: 2 } } }),
    source: oas(
      'Schema Object',
      'nullable - A true value indicates that both null values and values of the type specified by type are allowed.',
    ),
    cases: [
      same('null', '{"a":null}'),
      same('a-value', '{"a":"ab"}'),
      same('left-out', '{}'),
      bad('a-value-that-is-too-short', '{"a":"a"}'),
      bad('the-text-null', '{"a":0}'),
    ],
  },
  {
    name: 'nullable-enum',
    operation: jsonBody({ type: 'string', nullable: true, enum: ['a', 'b'] }),
    source: oas(
      'Schema Object',
      'nullable - Other Schema Object constraints retain their defined behavior, and therefore may disallow the use of null as a value.',
    ),
    cases: [same('a-value', '"a"'), bad('null', 'null')],
  },
  {
    name: 'nullable-object',
    operation: jsonBody({ type: 'object', nullable: true, required: ['a'], properties: { a: { type: 'integer' } } }),
    source: oas(
      'Schema Object',
      'nullable - A true value indicates that both null values and values of the type specified by type are allowed.',
    ),
    cases: [same('null', 'null'), same('an-object', '{"a":1}'), bad('an-empty-object', '{}')],
  },
  {
    name: 'nullable-without-type',
    operation: jsonBody({ nullable: true, allOf: [ref('ComplexModel')] }),
    source: oas('Schema Object', 'nullable - This keyword only takes effect if type is explicitly defined within the same Schema Object.'),
    cases: [bad('null', 'null'), same('an-object', '{"code":1}')],
  },
  {
    name: 'nullable-beside-reference',
    operation: jsonBody({ $ref: '#/components/schemas/ComplexModel', nullable: true }),
    source: oas(
      'Reference Object',
      'This object cannot be extended with additional properties, and any properties added SHALL be ignored.',
    ),
    cases: [bad('null', 'null'), same('an-object', '{"code":1}')],
  },
];

const DEFAULT = oas(
  'Schema Object',
  'default - The default value represents what would be assumed by the consumer of the input as the value of the schema if one is not provided.',
);
const unions = (name: string, parts: readonly unknown[]): Row => ({
  name,
  operation: jsonBody({ oneOf: parts }),
  source: DEFAULT,
  // The default of a branch that does not match is a property that nobody sent.
  cases: [
    tried('the-branch-without-a-default', json('{"iban":"X"}'), [received({ body: { iban: 'X' } })]),
    tried('the-branch-with-a-default', json('{"number":"1"}'), [
      received({ body: { number: '1' } }),
      received({ body: { number: '1', kind: 'checking' } }),
    ]),
    same('the-default-given', '{"number":"1","kind":"saving"}'),
    bad('a-property-of-the-other-branch', '{"iban":"X","kind":"checking"}'),
  ],
});

const DEFAULTS: readonly Row[] = [
  {
    name: 'default',
    operation: jsonBody({ type: 'object', properties: { size: { type: 'integer', default: 5, maximum: 9 } } }),
    source: DEFAULT,
    cases: [
      tried('not-provided', json('{}'), [received({ body: {} }), received({ body: { size: 5 } })]),
      same('provided', '{"size":7}'),
      bad('null', '{"size":null}'),
      bad('provided-and-not-valid', '{"size":10}'),
    ],
  },
  unions('default-of-a-branch-by-reference', [ref('Iban'), ref('Account')]),
  unions('default-of-a-branch-in-place', [
    { type: 'object', required: ['iban'], additionalProperties: false, properties: { iban: { type: 'string' } } },
    {
      type: 'object',
      required: ['number'],
      additionalProperties: false,
      properties: { number: { type: 'string' }, kind: { type: 'string', default: 'checking' } },
    },
  ]),
];

const MAPPING = oas(
  'Discriminator Object',
  'Here the discriminating value of dog will map to the schema #/components/schemas/Dog, rather than the default (implicit) value of #/components/schemas/dog. If the discriminating value does not match an implicit or explicit mapping, no schema can be determined and validation SHOULD fail.',
  'OpenAPI 3.0.4, Discriminator Object, Examples',
);
const PETS = ['Cat', 'Dog', 'Lizard'].map(ref);

const UNIONS: readonly Row[] = [
  {
    name: 'one-of',
    operation: jsonBody({ oneOf: PETS }),
    source: oas(
      'Discriminator Object',
      'the payload MUST, by validation, match exactly one of the schemas described by Cat, Dog, or Lizard',
      'OpenAPI 3.0.4, Discriminator Object, Examples',
    ),
    cases: [
      same('one', '{"petType":"Cat","huntingSkill":"lazy"}'),
      bad('none', '{"petType":"Cat"}'),
      bad('two', '{"petType":"Cat","huntingSkill":"lazy","packSize":1}'),
    ],
  },
  {
    name: 'discriminator',
    operation: jsonBody({ oneOf: PETS, discriminator: { propertyName: 'petType' } }),
    source: oas(
      'Discriminator Object',
      'a property with name petType MUST be present in the response payload, and the value will correspond to the name of a schema defined in the OpenAPI Description',
      'OpenAPI 3.0.4, Discriminator Object, Examples',
    ),
    cases: [
      same('a-cat', '{"petType":"Cat","huntingSkill":"lazy"}'),
      same('a-dog', '{"petType":"Dog","packSize":3}'),
      bad('a-cat-without-its-property', '{"petType":"Cat"}'),
      bad('a-cat-with-the-value-of-no-skill', '{"petType":"Cat","huntingSkill":"none"}'),
      bad('an-unknown-kind', '{"petType":"Bird"}'),
      bad('no-kind', '{"huntingSkill":"none"}'),
    ],
  },
  {
    name: 'discriminator-mapping',
    operation: jsonBody({
      oneOf: PETS,
      discriminator: { propertyName: 'petType', mapping: { dog: '#/components/schemas/Dog', reptile: 'Lizard' } },
    }),
    source: MAPPING,
    cases: [
      same('a-mapped-pointer', '{"petType":"dog","packSize":3}'),
      same('a-mapped-name', '{"petType":"reptile","lovesRocks":true}'),
      same('the-name-of-a-mapped-schema', '{"petType":"Dog","packSize":3}'),
      bad('an-unknown-name', '{"petType":"Bird","packSize":3}'),
      same('an-implicit-name', '{"petType":"Cat","huntingSkill":"lazy"}'),
      bad('a-mapped-value-with-another-body', '{"petType":"dog","packSize":"x"}'),
    ],
  },
  {
    name: 'parent',
    operation: jsonBody(ref('Pet')),
    source: oas(
      'Discriminator Object',
      'The allOf form of discriminator is only useful for non-validation use cases; validation with the parent schema with this form of discriminator does not perform a search for child schemas or use them in validation in any way.',
      'OpenAPI 3.0.4, Models with Polymorphism Support',
    ),
    cases: [same('a-child', '{"petType":"Hamster","name":"Misty"}'), bad('no-kind', '{"name":"Misty"}')],
  },
  {
    name: 'child',
    operation: jsonBody(ref('Hamster')),
    source: oas(
      'Schema Object, Models with Polymorphism Support',
      "allOf: [{ $ref: '#/components/schemas/Pet' }, { type: object, properties: { ... }, required: [...] }]",
      'OpenAPI 3.0.4, Models with Polymorphism Support',
    ),
    cases: [
      same('both-parts', '{"petType":"Hamster","name":"Misty","wheel":true}'),
      bad('without-the-part-of-the-child', '{"petType":"Hamster","name":"Misty"}'),
      bad('without-the-part-of-the-parent', '{"petType":"Hamster","wheel":true}'),
    ],
  },
];

const CHARSET = rfc(
  8259,
  '11',
  'No "charset" parameter is defined for this registration. Adding one really has no effect on compliant recipients.',
);
const RANGE = oas(
  'Request Body Object',
  'For requests that match multiple keys, only the most specific key is applicable. e.g. "text/plain" overrides "text/*"',
);
const text = (content: string | Uint8Array, type = 'text/plain'): ReturnType<typeof body> => body(type, content);

const MEDIA_TYPES: readonly Row[] = [
  {
    name: 'json-only',
    operation: jsonBody({ type: 'object' }),
    source: CONTENT,
    cases: [
      valid('in-capitals', body('Application/JSON', '{"a":1}'), { body: { a: 1 } }, MEDIA_TYPE),
      valid('with-charset', body('application/json; charset=utf-8', '{"a":"é"}'), { body: { a: 'é' } }, CHARSET),
      valid(
        'with-a-quoted-charset-in-capitals',
        body('application/json;charset="UTF-8"', '{"a":"é"}'),
        { body: { a: 'é' } },
        rfc(9110, '8.3.2', 'charset names ... are matched case-insensitively. text/html;charset="utf-8" is equivalent.'),
      ),
      valid(
        'with-white-space-before-the-parameter',
        body('application/json \t; charset=utf-8', '{"a":1}'),
        { body: { a: 1 } },
        rfc(9110, '5.6.6', 'parameters = *( OWS ";" OWS [ parameter ] )'),
      ),
      valid(
        'with-a-parameter-that-nobody-knows',
        body('application/json; profile="a;b"', '{"a":1}'),
        { body: { a: 1 } },
        rfc(
          9110,
          '8.3.1',
          'The presence or absence of a parameter might be significant to the processing of a media type, depending on its definition within the media type registry.',
        ),
      ),
      tried(
        'another-charset',
        body('application/json; charset=iso-8859-1', '{"a":"é"}'),
        [received({ body: { a: 'é' } }), refused(400, 415)],
        CHARSET,
      ),
      tried(
        'UTF-16',
        body('application/json; charset=utf-16', Buffer.from('\ufeff{"a":1}', 'utf16le')),
        [received({ body: { a: 1 } }), refused(400, 415)],
        UTF8,
      ),
      wrongType('text', 'text/plain', '{"a":1}'),
      wrongType('another-JSON', 'application/vnd.api+json', '{"a":1}'),
      wrongType('a-form', 'application/x-www-form-urlencoded', 'a=1'),
      wrongType('octets', 'application/octet-stream', '{"a":1}'),
      wrongType('a-longer-name', 'application/jsonp', '{"a":1}'),
      wrongType('no-slash', 'json', '{"a":1}', rfc(9110, '8.3.1', 'media-type = type "/" subtype parameters')),
      wrongType('a-range', 'application/*', '{"a":1}', rfc(9110, '8.3.1', 'media-type = type "/" subtype parameters')),
      tried(
        'none',
        body(undefined, '{"a":1}'),
        [received({ body: { a: 1 } }), refused(400, 415)],
        rfc(
          9110,
          '8.3',
          'If a Content-Type header field is not present, the recipient MAY either assume a media type of "application/octet-stream" or examine the data to determine its type.',
        ),
      ),
    ],
  },
  {
    name: 'suffix',
    operation: required({ 'application/vnd.example.v1+json': { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } }),
    source: rfc(
      6839,
      '3.1',
      'The suffix "+json" MAY be used with any media type whose representation follows that established for "application/json".',
    ),
    cases: [
      valid('the-declared-one', body('application/vnd.example.v1+json', '{"a":1}'), { body: { a: 1 } }),
      invalid('not-valid', body('application/vnd.example.v1+json', '{"a":"1"}')),
      invalid('no-JSON', body('application/vnd.example.v1+json', '{')),
      wrongType('without-the-suffix', 'application/json', '{"a":1}'),
      wrongType('another-version', 'application/vnd.example.v2+json', '{"a":1}'),
    ],
  },
  {
    name: 'json-range',
    operation: required({ 'application/*': { type: 'object', required: ['a'] } }),
    source: CONTENT,
    cases: [
      valid('JSON', body('application/json', '{"a":1}'), { body: { a: 1 } }),
      valid('with-a-suffix', body('application/merge-patch+json', '{"a":1}'), { body: { a: 1 } }),
      invalid('not-valid', body('application/json', '{}')),
      wrongType('text', 'text/plain', 'a'),
    ],
  },
  {
    name: 'several',
    operation: required({
      'application/json': { type: 'integer' },
      'text/plain': { type: 'string', maxLength: 3 },
      'application/octet-stream': { type: 'string', format: 'binary' },
    }),
    source: CONTENT,
    cases: [
      same('JSON', '5'),
      valid('text', text('5'), { body: '5' }),
      valid('octets', body('application/octet-stream', '5'), { body: base64('5') }),
      bad('JSON-that-is-valid-as-text', '"5"'),
      invalid('text-that-is-too-long', text('five')),
      wrongType('XML', 'application/xml', '<a/>'),
    ],
  },
  {
    name: 'range-and-type',
    operation: required({ 'text/*': { type: 'string', maxLength: 10 }, 'text/plain': { type: 'string', maxLength: 3 } }),
    source: RANGE,
    cases: [
      valid('only-the-range', text('a,b,c,d', 'text/csv'), { body: 'a,b,c,d' }),
      valid('both', text('abc'), { body: 'abc' }),
      invalid('both-and-valid-for-the-range-only', text('abcd')),
      invalid('not-valid-for-the-range', text('a,b,c,d,e,f,g', 'text/csv')),
      wrongType('neither', 'application/json', '"a"'),
    ],
  },
  {
    name: 'text',
    operation: required({ 'text/plain': { type: 'string', minLength: 1, pattern: '^[^x]*$' } }),
    source: CONTENT,
    cases: [
      valid('ASCII', text('hello\r\nworld\n'), { body: 'hello\r\nworld\n' }),
      valid(
        'UTF-8',
        text('héllo 😀', 'text/plain; charset=utf-8'),
        { body: 'héllo 😀' },
        rfc(9110, '8.3.2', 'HTTP uses charset names to indicate or negotiate the character encoding scheme of a textual representation.'),
      ),
      tried(
        'latin-1',
        text(Buffer.from('h\u00e9', 'latin1'), 'text/plain; charset=iso-8859-1'),
        [received({ body: 'hé' }), refused(400, 415)],
        rfc(9110, '8.3.2', 'HTTP uses charset names to indicate or negotiate the character encoding scheme of a textual representation.'),
      ),
      tried(
        'bytes-that-are-no-UTF-8',
        text(Uint8Array.of(0x68, 0xff), 'text/plain; charset=utf-8'),
        [refused(400, 415, 422)],
        rfc(3629, '3', 'Implementations of the decoding algorithm above MUST protect against decoding invalid sequences.'),
      ),
      valid('JSON-is-a-text-here', text('{"a":1}'), { body: '{"a":1}' }),
      valid('a-number-is-a-text-here', text('12'), { body: '12' }),
      invalid('not-valid', text('axb')),
    ],
  },
  {
    name: 'octets',
    operation: required({ 'application/octet-stream': { type: 'string', format: 'binary' } }),
    source: oas(
      'Working with Binary Data',
      'binary is used where unencoded binary data is allowed, such as when sending a binary payload as an HTTP message body',
    ),
    cases: [
      valid('all-256', body('application/octet-stream', ALL_BYTES), { body: base64(ALL_BYTES) }),
      valid('JSON-is-octets-here', body('application/octet-stream', '{"a":1}'), { body: base64('{"a":1}') }),
      valid('line-ends', body('application/octet-stream', '\r\n\n\r'), { body: base64('\r\n\n\r') }),
      wrongType('text', 'text/plain', 'a'),
      wrongType('JSON', 'application/json', '{}'),
    ],
  },
  {
    name: 'image',
    operation: required({ 'image/jpeg': { type: 'string', format: 'binary' }, 'image/png': { type: 'string', format: 'binary' } }),
    source: oas(
      'Media Type Object, Considerations for File Uploads',
      '# multiple, specific media types may be specified: requestBody: content: image/jpeg: schema: { type: string, format: binary }, image/png: ...',
      'OpenAPI 3.0.4, Considerations for File Uploads',
    ),
    cases: [
      valid('png', body('image/png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)), {
        body: base64(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)),
      }),
      valid('jpeg', body('image/jpeg', Uint8Array.of(0xff, 0xd8, 0xff)), { body: base64(Uint8Array.of(0xff, 0xd8, 0xff)) }),
      wrongType('gif', 'image/gif', 'GIF89a'),
    ],
  },
  {
    name: 'anything',
    operation: required({ '*/*': { type: 'string', format: 'binary' } }),
    source: CONTENT,
    cases: [
      valid('an-unknown-type', body('application/x-unknown', 'ab'), { body: base64('ab') }),
      valid('an-image', body('image/gif', 'GIF89a'), { body: base64('GIF89a') }),
    ],
  },
];

const LIMITS: readonly Row[] = [
  {
    name: 'free',
    operation: jsonBody({}),
    source: rfc(
      8259,
      '9',
      'An implementation may set limits on the size of texts that it accepts. An implementation may set limits on the maximum depth of nesting.',
    ),
    cases: [
      tried('1,000-lists-in-each-other', json(`${'['.repeat(1000)}${']'.repeat(1000)}`), [received('anything'), refused(400, 413, 422)]),
      tried('10,000-objects-in-each-other', json(`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`), [
        received('anything'),
        refused(400, 413, 422),
      ]),
      tried('300,000-bytes', json(JSON.stringify('x'.repeat(300_000))), [received('anything'), refused(413)]),
      same(
        'the-example-object',
        '{"Image":{"Width":800,"Height":600,"Title":"View from 15th Floor","Thumbnail":{"Url":"http://www.example.com/image/481989943","Height":125,"Width":100},"Animated":false,"IDs":[116,943,234,38793]}}',
        rfc(8259, '13', 'This is a JSON object', 'RFC 8259, 13'),
      ),
      same(
        'the-example-list',
        '[{"precision":"zip","Latitude":37.7668,"Longitude":-122.3959,"Address":"","City":"SAN FRANCISCO","State":"CA","Zip":"94107","Country":"US"},{"precision":"zip","Latitude":37.371991,"Longitude":-122.026020,"Address":"","City":"SUNNYVALE","State":"CA","Zip":"94085","Country":"US"}]',
        rfc(8259, '13', 'This is a JSON array containing two objects', 'RFC 8259, 13'),
      ),
    ],
  },
  {
    name: 'tree',
    operation: jsonBody(ref('Tree')),
    source: oas(
      'Reference Object',
      'A simple object to allow referencing other components in the OpenAPI Description, internally and externally.',
    ),
    cases: [
      same('three-levels', '{"value":1,"children":[{"value":2,"children":[{"value":3}]}]}'),
      bad('not-valid-at-the-third-level', '{"value":1,"children":[{"value":2,"children":[{"value":"3"}]}]}'),
      tried(
        '500-levels',
        json(`${'{"value":1,"children":['.repeat(500)}${']}'.repeat(500)}`),
        [received('anything'), REFUSED],
        rfc(8259, '9', 'An implementation may set limits on the maximum depth of nesting.'),
      ),
    ],
  },
];

const kind = { petType: { type: 'string' } };
const SCHEMAS = {
  ComplexModel: { type: 'object', required: ['code'], properties: { code: { type: 'integer' }, text: { type: 'string' } } },
  Address: { type: 'object', properties: { street: { type: 'string' } } },
  ErrorModel: {
    type: 'object',
    required: ['message', 'code'],
    properties: { message: { type: 'string' }, code: { type: 'integer', minimum: 100, maximum: 600 } },
  },
  ExtendedErrorModel: {
    allOf: [ref('ErrorModel'), { type: 'object', required: ['rootCause'], properties: { rootCause: { type: 'string' } } }],
  },
  Id: { type: 'integer' },
  Iban: { type: 'object', required: ['iban'], additionalProperties: false, properties: { iban: { type: 'string' } } },
  Account: {
    type: 'object',
    required: ['number'],
    additionalProperties: false,
    properties: { number: { type: 'string' }, kind: { type: 'string', default: 'checking' } },
  },
  Cat: {
    type: 'object',
    required: ['petType', 'huntingSkill'],
    properties: { ...kind, huntingSkill: { type: 'string', enum: ['clueless', 'lazy', 'adventurous', 'aggressive'] } },
  },
  Dog: { type: 'object', required: ['petType', 'packSize'], properties: { ...kind, packSize: { type: 'integer', minimum: 0 } } },
  Lizard: { type: 'object', required: ['petType', 'lovesRocks'], properties: { ...kind, lovesRocks: { type: 'boolean' } } },
  Pet: {
    type: 'object',
    discriminator: { propertyName: 'petType' },
    required: ['name', 'petType'],
    properties: { name: { type: 'string' }, ...kind },
  },
  Hamster: { allOf: [ref('Pet'), { type: 'object', required: ['wheel'], properties: { wheel: { type: 'boolean' } } }] },
  Tree: {
    type: 'object',
    required: ['value'],
    properties: { value: { type: 'integer' }, children: { type: 'array', items: ref('Tree') } },
  },
};

export const bodies: Group = rowGroup(
  'bodies',
  '3.0.4',
  'Bodies of requests',
  [...OBJECTS, ...PRESENCE, ...NUMBER_ROWS, ...STRING_ROWS, ...DIRECTIONS, ...DEFAULTS, ...UNIONS, ...MEDIA_TYPES, ...LIMITS],
  { components: { schemas: SCHEMAS } },
);
