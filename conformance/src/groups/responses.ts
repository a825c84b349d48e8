/**
 * Answers of handlers, right and wrong: the request says what the handler returns, so that what a server lets out is seen.
 *
 * A wrong answer is a defect of the service, not of the request: the client gets 500, and never the answer.
 */
import type { ExpectedBody, ExpectedHeaders, Group, Outcome, Source } from '../case.ts';
import { bare, content, refused, rowGroup, type Row, type Send, type Tried, tried } from '../rows.ts';
import { source } from '../source.ts';

const oas = source('OpenAPI 3.0.4');
const rfc9110 = source('RFC 9110');

const CONTENT = oas(
  'Response Object',
  'content - A map containing descriptions of potential response payloads. The key is a media type or media type range and the value describes it.',
);
const CODES = oas('Responses Object', 'The container maps a HTTP response code to the expected response.');
const RANGES = oas(
  'Responses Object',
  'To define a range of response codes, this field MAY contain the uppercase wildcard character X. For example, 2XX represents all response codes between 200 and 299. ... If a response is defined using an explicit code, the explicit code definition takes precedence over the range definition for that code.',
);
const DEFAULT = oas(
  'Responses Object',
  'default - The documentation of responses other than the ones declared for specific HTTP response codes. Use this field to cover undeclared responses.',
);
const HEADERS = oas('Response Object', 'headers - Maps a header name to its definition. RFC7230 states header names are case insensitive.');
const NEGOTIATION = rfc9110(
  '12.5.1',
  'If the header field is present in a request and none of the available representations for the response have a media type that is listed as acceptable, the origin server can either honor the header field by sending a 406 (Not Acceptable) response or disregard the header field by treating the response as if it is not subject to content negotiation.',
);
const ITEMS = oas('Schema Object', 'items - Inline or referenced schema MUST be of a Schema Object.');

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: string;
  readonly throws?: string;
}

/** The request that asks for an answer, or for one that is written as JSON already. */
const asks = (answer: Answer | string, fields: Readonly<Record<string, string>> = {}): Send =>
  bare(`?answer=${encodeURIComponent(typeof answer === 'string' ? answer : JSON.stringify(answer))}`, fields);

const answered = (status: number, body?: ExpectedBody, headers?: ExpectedHeaders): Outcome => ({
  kind: 'answered',
  statuses: [status],
  ...(body === undefined ? {} : { body }),
  ...(headers === undefined ? {} : { headers }),
});
const FAILED = answered(500);

/** What the handler returns is what the client gets. */
function right(what: string, answer: Answer, from?: Source, headers?: ExpectedHeaders): Tried {
  const body = answer.text === undefined ? ('json' in answer ? { json: answer.json } : undefined) : { text: answer.text };
  return tried(what, asks(answer), [answered(answer.status, body, headers)], from);
}
const wrong = (what: string, answer: Answer | string, from?: Source): Tried => tried(what, asks(answer), [FAILED], from);

const ANSWER = { name: 'answer', in: 'query', required: true, schema: { type: 'string' } };
const row = (name: string, responses: unknown, from: Source, cases: readonly Tried[], more: Partial<Row> = {}): Row => ({
  name,
  method: 'get',
  kind: 'answer',
  operation: { parameters: [ANSWER], responses },
  source: from,
  cases,
  ...more,
});
const json = (schema: unknown, rest: object = {}): unknown => ({
  description: 'What was asked.',
  content: content({ 'application/json': schema }),
  ...rest,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const only = (property: string, type = 'integer') => ({
  type: 'object',
  additionalProperties: false,
  required: [property],
  properties: { [property]: { type } },
});

const NOTE = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: {
    id: { type: 'integer', minimum: 1 },
    name: { type: 'string', maxLength: 5 },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const BODIES: readonly Row[] = [
  row('object', { 200: json(NOTE) }, CONTENT, [
    right('every-property', { status: 200, json: { id: 1, name: 'é😀', tags: ['a'] } }, undefined, { 'content-type': '*' }),
    right('the-least', { status: 200, json: { id: 1 } }),
    wrong('a-required-property-is-missing', { status: 200, json: { name: 'a' } }),
    wrong('a-text-for-a-number', { status: 200, json: { id: '1' } }),
    wrong('below-the-minimum', { status: 200, json: { id: 0 } }),
    wrong('a-text-that-is-too-long', { status: 200, json: { id: 1, name: 'longer' } }),
    wrong('null-for-a-text', { status: 200, json: { id: 1, name: null } }),
    wrong('an-item-of-another-type', { status: 200, json: { id: 1, tags: ['a', 5] } }),
    wrong('a-list-for-the-object', { status: 200, json: [{ id: 1 }] }),
    wrong('null-for-the-object', { status: 200, json: null }),
    wrong('a-text-for-the-object', { status: 200, json: 'id' }),
    tried(
      'an-undeclared-property',
      asks({ status: 200, json: { id: 1, secret: 'x' } }),
      [FAILED, answered(200, { json: { id: 1 } })],
      oas(
        'Schema Object',
        'additionalProperties - If "additionalProperties" is false, validation succeeds only if the instance is an object and all properties on the instance were covered by "properties".',
      ),
    ),
    wrong('no-body', { status: 200 }),
    wrong('a-media-type-that-is-not-declared', { status: 200, headers: { 'Content-Type': 'text/plain' }, text: 'x' }),
    wrong('a-success-that-is-not-declared', { status: 201, json: { id: 1 } }, CODES),
    tried(
      'an-error-that-is-not-declared',
      asks({ status: 404, json: { id: 1 } }),
      [FAILED, answered(404)],
      oas(
        'Responses Object',
        'The documentation is not necessarily expected to cover all possible HTTP response codes because they may not be known in advance.',
      ),
    ),
    wrong(
      'an-exception',
      { status: 200, throws: 'x' },
      rfc9110(
        '15.6.1',
        'The 500 (Internal Server Error) status code indicates that the server encountered an unexpected condition that prevented it from fulfilling the request.',
      ),
    ),
    wrong(
      'NaN-or-Infinity',
      '{"status":200,"json":{"id":1e999}}',
      source('RFC 8259')(
        '6',
        'Numeric values that cannot be represented in the grammar below (such as Infinity and NaN) are not permitted.',
      ),
    ),
    tried(
      'without-the-parameter',
      bare(),
      [refused(400, 422)],
      oas('Parameter Object', 'required - Determines whether this parameter is mandatory.'),
    ),
  ]),
  row(
    'open',
    { 200: json({ type: 'object', properties: { id: { type: 'integer' } } }) },
    oas('Schema Object', 'additionalProperties - additionalProperties defaults to true.'),
    [
      tried('an-undeclared-property', asks({ status: 200, json: { id: 1, more: 2 } }), [
        answered(200, { json: { id: 1, more: 2 } }),
        answered(200, { json: { id: 1 } }),
      ]),
      wrong('a-text-for-a-number', { status: 200, json: { id: 'x' } }),
    ],
  ),
  row(
    'map',
    { 200: json({ type: 'object', additionalProperties: { type: 'integer' } }) },
    oas(
      'Schema Object, Model with Map/Dictionary Properties',
      'For a simple string to string mapping: type: object, additionalProperties: ...',
    ),
    [
      right('any-names', { status: 200, json: { a: 1, constructor: 2 } }),
      tried('the-proto-member', asks('{"status":200,"json":{"__proto__":1}}'), [answered(200, { jsonText: '{"__proto__":1}' }), FAILED]),
      wrong('a-text', { status: 200, json: { a: 'x' } }),
    ],
  ),
  row('list', { 200: json({ type: 'array', minItems: 1, maxItems: 600, uniqueItems: true, items: { type: 'integer' } }) }, ITEMS, [
    right('one', { status: 200, json: [1] }),
    right('500', { status: 200, json: Array.from({ length: 500 }, (_, at) => at) }),
    wrong('none', { status: 200, json: [] }),
    wrong('the-500th-is-a-text', { status: 200, json: [...Array.from({ length: 499 }, (_, at) => at), 'x'] }),
    wrong('two-equal-ones', { status: 200, json: [1, 1] }),
  ]),
  row(
    'complex-list',
    { 200: json({ type: 'array', items: ref('VeryComplexType') }) },
    oas('Response Object', 'Response of an array of a complex type', 'OpenAPI 3.0.4, Response Object Examples'),
    [
      right('two', { status: 200, json: [{ parts: [{ name: 'a' }] }, { parts: [] }] }),
      wrong('one-that-is-not-valid-deep-within', { status: 200, json: [{ parts: [{ name: 'a' }] }, { parts: [{ name: 5 }] }] }),
    ],
  ),
  row('scalar', { 200: json({ type: 'number' }) }, source('RFC 8259')('2', 'A JSON text is a serialized value.'), [
    right('a-number', { status: 200, json: 1.5 }),
    right('a-great-integer', { status: 200, json: 1e21 }),
    right('zero', { status: 200, json: 0 }),
    wrong('a-text', { status: 200, json: '1.5' }),
    wrong('true', { status: 200, json: true }),
  ]),
  row(
    'falsy',
    { 200: json({ nullable: true, type: 'boolean' }) },
    oas('Schema Object', 'nullable - A true value indicates that both null values and values of the type specified by type are allowed.'),
    [
      right('false', { status: 200, json: false }),
      right('null', { status: 200, json: null }),
      wrong('the-empty-text', { status: 200, json: '' }),
    ],
  ),
  row(
    'enum',
    { 200: json({ type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: ['a', 'b'] } } }) },
    source('JSON Schema Validation, draft Wright 00')(
      '5.20',
      "An instance validates successfully against this keyword if its value is equal to one of the elements in this keyword's array value.",
    ),
    [right('a-listed-value', { status: 200, json: { kind: 'a' } }), wrong('another', { status: 200, json: { kind: 'c' } })],
  ),
  row(
    'union',
    { 200: json({ oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'petType' } }) },
    oas(
      'Discriminator Object',
      'will indicate that the Cat schema is expected to match this payload',
      'OpenAPI 3.0.4, Discriminator Object, Examples',
    ),
    [
      right('a-cat', { status: 200, json: { petType: 'Cat', lives: 9 } }),
      right('a-dog', { status: 200, json: { petType: 'Dog', packSize: 3 } }),
      wrong('a-cat-with-the-body-of-a-dog', { status: 200, json: { petType: 'Cat', packSize: 3 } }),
      wrong('an-unknown-kind', { status: 200, json: { petType: 'Bird', lives: 1 } }),
    ],
  ),
  row(
    'composition',
    {
      200: json({
        allOf: [only('a', 'string'), ref('VeryComplexType')].map((part) => ({
          ...part,
          ...('additionalProperties' in part ? { additionalProperties: true } : {}),
        })),
      }),
    },
    source('JSON Schema Validation, draft Wright 00')(
      '5.22',
      "An instance validates successfully against this keyword if it validates successfully against all schemas defined by this keyword's value.",
    ),
    [
      right('both-parts', { status: 200, json: { a: 'x', parts: [] } }),
      wrong('the-second-part-is-missing', { status: 200, json: { a: 'x' } }),
    ],
  ),
  row(
    'write-only',
    {
      200: json({
        type: 'object',
        required: ['name', 'password'],
        properties: { name: { type: 'string' }, password: { type: 'string', writeOnly: true } },
      }),
    },
    oas(
      'Schema Object',
      'writeOnly - ... it MAY be sent as part of a request but SHOULD NOT be sent as part of the response. If the property is marked as writeOnly being true and is in the required list, the required will take effect on the request only.',
    ),
    [
      right('left-out', { status: 200, json: { name: 'a' } }),
      tried('returned', asks({ status: 200, json: { name: 'a', password: 'x' } }), [answered(200, { json: { name: 'a' } }), FAILED]),
    ],
  ),
  row(
    'read-only',
    { 200: json({ type: 'object', required: ['id'], properties: { id: { type: 'integer', readOnly: true } } }) },
    oas(
      'Schema Object',
      'readOnly - ... it MAY be sent as part of a response ... If the property is marked as readOnly being true and is in the required list, the required will take effect on the response only.',
    ),
    [right('returned', { status: 200, json: { id: 1 } }), wrong('left-out', { status: 200, json: {} })],
  ),
  row(
    'default',
    { 200: json({ type: 'object', properties: { size: { type: 'integer', default: 5 } } }) },
    oas(
      'Schema Object',
      'default - The default value represents what would be assumed by the consumer of the input as the value of the schema if one is not provided.',
    ),
    [tried('not-provided', asks({ status: 200, json: {} }), [answered(200, { json: {} }), answered(200, { json: { size: 5 } })])],
  ),
  row('no-schema', { 200: { description: 'Anything.', content: { 'application/json': {} } } }, CONTENT, [
    right('an-object', { status: 200, json: { any: ['thing', null] } }),
    right('a-text', { status: 200, json: 'text' }),
  ]),
];

const STATUSES: readonly Row[] = [
  row('ranges', { 200: json(only('a')), '2XX': json(only('b')), '4XX': json(only('c')), default: json(only('d')) }, RANGES, [
    right('the-code', { status: 200, json: { a: 1 } }),
    wrong('the-code-with-the-body-of-its-range', { status: 200, json: { b: 1 } }),
    right('another-code-of-the-range', { status: 202, json: { b: 1 } }),
    wrong('another-code-of-the-range-with-the-body-of-the-code', { status: 202, json: { a: 1 } }),
    right('the-range-of-errors', { status: 418, json: { c: 1 } }),
    wrong('the-range-of-errors-with-another-body', { status: 404, json: { d: 1 } }),
    right('neither', { status: 503, json: { d: 1 } }, DEFAULT),
    wrong('neither-with-the-body-of-a-code', { status: 503, json: { a: 1 } }, DEFAULT),
  ]),
  row('default-only', { default: json(only('d')) }, DEFAULT, [
    right('200', { status: 200, json: { d: 1 } }),
    right('404', { status: 404, json: { d: 1 } }),
    wrong('200-that-is-not-valid', { status: 200, json: { d: 'x' } }),
  ]),
  row(
    'by-reference',
    { 200: { $ref: '#/components/responses/Note' }, 404: { $ref: '#/components/responses/NotFound' } },
    oas('Responses Object', "A Reference Object can link to a response that the OpenAPI Object's components.responses section defines."),
    [
      right('the-response', { status: 200, json: { id: 1 } }),
      wrong('not-valid', { status: 200, json: { id: 'x' } }),
      right('the-error', { status: 404, json: { code: 404, message: 'none' } }),
      wrong('an-error-that-is-not-valid', { status: 404, json: { code: '404' } }),
    ],
  ),
  row(
    'no-content',
    { 204: { description: 'Nothing.' } },
    rfc9110('15.3.5', 'A 204 response is terminated by the end of the header section; it cannot contain content or trailers.'),
    [
      right(
        '204',
        { status: 204 },
        rfc9110(
          '8.6',
          'A server MUST NOT send a Content-Length header field in any response with a status code of 1xx (Informational) or 204 (No Content).',
        ),
        { 'content-length': null, 'transfer-encoding': null },
      ),
      tried('204-with-a-body', asks({ status: 204, json: { a: 1 } }), [FAILED, answered(204, { text: '' }, { 'content-length': null })]),
    ],
  ),
  row(
    'created',
    { 201: { description: 'object created' } },
    oas('Response Object', 'Response with no return value: description: object created', 'OpenAPI 3.0.4, Response Object Examples'),
    [
      tried('no-body', asks({ status: 201 }), [answered(201, { text: '' })]),
      tried('a-body', asks({ status: 201, json: { a: 1 } }), [FAILED, answered(201, { text: '' })], CONTENT),
    ],
  ),
  row(
    'redirect',
    { 303: { description: 'Elsewhere.', headers: { Location: { required: true, schema: { type: 'string' } } } } },
    rfc9110(
      '15.4.4',
      'the server is redirecting the user agent to a different resource, as indicated by a URI in the Location header field',
    ),
    [
      right('with-its-location', { status: 303, headers: { Location: '/elsewhere' } }, undefined, { location: '/elsewhere' }),
      wrong('without-its-location', { status: 303 }),
    ],
  ),
  row(
    'problem',
    {
      200: json({}),
      404: {
        description: 'None.',
        content: content({
          'application/problem+json': {
            type: 'object',
            required: ['title', 'status'],
            properties: { title: { type: 'string' }, status: { type: 'integer' } },
          },
        }),
      },
    },
    source('RFC 9457')('3', 'the members ... are serialized as JSON objects, with the media type "application/problem+json"'),
    [
      right('valid', {
        status: 404,
        headers: { 'Content-Type': 'application/problem+json' },
        json: { title: 'You do not have enough credit.', status: 404 },
      }),
      wrong('not-valid', { status: 404, headers: { 'Content-Type': 'application/problem+json' }, json: { title: 5 } }),
    ],
  ),
];

const HEADER_ROWS: readonly Row[] = [
  row('header', { 200: json({}, { headers: { 'X-Count': { required: true, schema: { type: 'integer', minimum: 0 } } } }) }, HEADERS, [
    right('a-number', { status: 200, headers: { 'X-Count': '5' }, json: 1 }, undefined, { 'x-count': '5' }),
    right('its-name-in-lower-case', { status: 200, headers: { 'x-count': '5' }, json: 1 }, undefined, { 'x-count': '5' }),
    wrong(
      'missing',
      { status: 200, json: 1 },
      oas('Header Object', 'required - Determines whether this header is mandatory. The default value is false.'),
    ),
    wrong('a-word', { status: 200, headers: { 'X-Count': 'five' }, json: 1 }),
    wrong('below-the-minimum', { status: 200, headers: { 'X-Count': '-1' }, json: 1 }),
    wrong('empty', { status: 200, headers: { 'X-Count': '' }, json: 1 }),
  ]),
  row(
    'header-optional',
    {
      200: json(
        {},
        {
          headers: {
            'X-Note': { schema: { type: 'string', maxLength: 20 } },
            'X-List': { schema: { type: 'array', items: { type: 'integer' } } },
          },
        },
      ),
    },
    HEADERS,
    [
      right('left-out', { status: 200, json: 1 }, undefined, { 'x-note': null }),
      right('a-text', { status: 200, headers: { 'X-Note': 'a, b' }, json: 1 }, undefined, { 'x-note': 'a, b' }),
      right(
        'a-list',
        { status: 200, headers: { 'X-List': '1,2' }, json: 1 },
        oas(
          'Header Object',
          'style - Describes how the header value will be serialized. The default (and only legal value for headers) is "simple".',
        ),
        { 'x-list': '1,2' },
      ),
      wrong('a-list-with-a-word', { status: 200, headers: { 'X-List': '1,x' }, json: 1 }),
      wrong('a-text-that-is-too-long', { status: 200, headers: { 'X-Note': 'x'.repeat(21) }, json: 1 }),
      tried(
        'line-breaks',
        asks({ status: 200, headers: { 'X-Note': 'a\r\nX-Evil: 1' }, json: 1 }),
        [{ kind: 'answered', statuses: [500], headers: { 'x-evil': null } }, answered(200, undefined, { 'x-evil': null })],
        rfc9110(
          '5.5',
          'Field values containing CR, LF, or NUL characters are invalid and dangerous, due to the varying ways that implementations might parse and interpret those characters.',
        ),
      ),
      tried('undeclared', asks({ status: 200, headers: { 'X-More': 'x' }, json: 1 }), [answered(200, { json: 1 }), FAILED]),
    ],
  ),
  row(
    'header-content-type',
    { 200: json({}, { headers: { 'Content-Type': { required: true, schema: { type: 'string', enum: ['never/sent'] } } } }) },
    oas('Response Object', 'If a response header is defined with the name "Content-Type", it SHALL be ignored.'),
    [right('is-ignored', { status: 200, json: 1 })],
  ),
  row(
    'header-on-error',
    { 200: json({}), 429: { description: 'Later.', headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } } } },
    HEADERS,
    [
      right('sent', { status: 429, headers: { 'Retry-After': '5' } }, undefined, { 'retry-after': '5' }),
      wrong('missing', { status: 429 }),
      right('not-of-another-response', { status: 200, json: 1 }, undefined, { 'retry-after': null }),
    ],
  ),
  row(
    'rate-limits',
    {
      200: {
        description: 'A simple string response',
        content: { 'text/plain': { schema: { type: 'string' }, example: 'whoa!' } },
        headers: Object.fromEntries(
          ['Limit', 'Remaining', 'Reset'].map((name) => [`X-Rate-Limit-${name}`, { schema: { type: 'integer' } }]),
        ),
      },
    },
    oas('Response Object', 'Plain text response with headers', 'OpenAPI 3.0.4, Response Object Examples'),
    [
      right(
        'the-example',
        {
          status: 200,
          headers: { 'X-Rate-Limit-Limit': '100', 'X-Rate-Limit-Remaining': '99', 'X-Rate-Limit-Reset': '60' },
          text: 'whoa!',
        },
        undefined,
        { 'x-rate-limit-limit': '100', 'x-rate-limit-remaining': '99', 'x-rate-limit-reset': '60' },
      ),
      wrong('a-limit-that-is-no-number', { status: 200, headers: { 'X-Rate-Limit-Limit': 'many' }, text: 'whoa!' }),
    ],
  ),
];

const MEDIA: readonly Row[] = [
  row(
    'text',
    { 200: { description: 'A text.', content: content({ 'text/plain': { type: 'string', maxLength: 5 } }) } },
    oas('Response Object', 'Response with a string type: text/plain: schema: type: string', 'OpenAPI 3.0.4, Response Object Examples'),
    [
      right('a-text', { status: 200, text: 'héé😀!' }, undefined, { 'content-type': '*' }),
      right('JSON-is-a-text-here', { status: 200, text: '"a"' }),
      right('a-text-that-is-a-number', { status: 200, text: '5' }),
      wrong('too-long', { status: 200, text: 'longer' }, CONTENT),
    ],
  ),
  row(
    'octets',
    { 200: { description: 'Bytes.', content: content({ 'application/octet-stream': { type: 'string', format: 'binary' } }) } },
    oas(
      'Media Type Object, Considerations for File Uploads',
      'content transferred in binary (octet-stream): schema: { type: string, format: binary }',
      'OpenAPI 3.0.4, Considerations for File Uploads',
    ),
    [
      tried('bytes', asks({ status: 200, bytes: 'YQ0KYg==' }), [
        answered(200, { text: 'a\r\nb' }, { 'content-type': 'application/octet-stream' }),
      ]),
    ],
  ),
  row(
    'several',
    { 200: { description: 'One of two.', content: content({ 'application/json': only('a'), 'text/plain': { type: 'string' } }) } },
    CONTENT,
    [
      right('JSON', { status: 200, headers: { 'Content-Type': 'application/json' }, json: { a: 1 } }),
      right('text', { status: 200, headers: { 'Content-Type': 'text/plain' }, text: 'a' }),
      wrong('JSON-that-is-not-valid', { status: 200, headers: { 'Content-Type': 'application/json' }, json: { a: 'x' } }),
      wrong('a-third-media-type', { status: 200, headers: { 'Content-Type': 'text/csv' }, text: 'a' }),
      ...(
        [
          ['the-range-of-all', '*/*'],
          ['JSON', 'application/json'],
          ['JSON-with-a-quality', 'text/html, application/json;q=0.5'],
          ['a-range', 'application/*'],
          ['white-space-and-parameters', 'text/html;level=1 , application/json ; q=0.1'],
        ] as const
      ).map(([what, accept]) =>
        tried(
          `accepts-${what}`,
          asks({ status: 200, headers: { 'Content-Type': 'application/json' }, json: { a: 1 } }, { Accept: accept }),
          [answered(200, { json: { a: 1 } })],
          rfc9110(
            '12.5.1',
            'Accept: audio/*; q=0.2, audio/basic ... The "Accept" header field can be used by user agents to specify their preferences regarding response media types.',
          ),
        ),
      ),
      ...(
        [
          ['another-one', 'image/png'],
          ['JSON-with-quality-0', 'application/json;q=0'],
          ['a-malformed-range', 'application'],
        ] as const
      ).map(([what, accept]) =>
        tried(
          `accepts-only-${what}`,
          asks({ status: 200, headers: { 'Content-Type': 'application/json' }, json: { a: 1 } }, { Accept: accept }),
          [answered(200, { json: { a: 1 } }), refused(400, 406)],
          NEGOTIATION,
        ),
      ),
    ],
  ),
  row('range', { 200: { description: 'Some text.', content: content({ 'text/*': { type: 'string' } }) } }, CONTENT, [
    right('a-type-of-the-range', { status: 200, headers: { 'Content-Type': 'text/csv' }, text: 'a,b' }),
    wrong('a-type-beyond-the-range', { status: 200, headers: { 'Content-Type': 'image/svg+xml' }, text: '<svg/>' }),
  ]),
];

const METHODS: readonly Row[] = [
  row(
    'head',
    { 200: json(NOTE, { headers: { 'X-Count': { schema: { type: 'integer' } } } }) },
    rfc9110(
      '9.3.2',
      'The HEAD method is identical to GET except that the server MUST NOT send content in the response. ... The server SHOULD send the same header fields in response to a HEAD request as it would have sent if the request method had been GET.',
    ),
    [
      tried('of-a-GET', (_, path) => asks({ status: 200, headers: { 'X-Count': '5' }, json: { id: 1 } })('HEAD', path), [
        answered(200, { text: '' }, { 'x-count': '5' }),
      ]),
      tried('of-a-GET-whose-answer-is-wrong', (_, path) => asks({ status: 200, json: { id: 'x' } })('HEAD', path), [FAILED]),
      tried('of-a-GET-that-is-refused', (_, path) => bare()('HEAD', path), [refused(400, 422)]),
    ],
  ),
  row(
    'conditional',
    {
      200: json({}, { headers: { ETag: { schema: { type: 'string' } } } }),
      304: { description: 'Not modified.', headers: { ETag: { schema: { type: 'string' } } } },
    },
    rfc9110(
      '13.1.2',
      'If-None-Match ... MUST NOT perform the requested method if the condition evaluates to false; instead, the origin server MUST respond with ... the 304 (Not Modified) status code if the request method is GET or HEAD.',
    ),
    [
      right(
        'an-entity-tag',
        { status: 200, headers: { ETag: '"xyzzy"' }, json: 1 },
        rfc9110('8.8.3', 'Examples: ETag: "xyzzy" ETag: W/"xyzzy" ETag: ""', 'RFC 9110, 8.8.3'),
        { etag: '"xyzzy"' },
      ),
      right(
        'a-weak-entity-tag',
        { status: 200, headers: { ETag: 'W/"xyzzy"' }, json: 1 },
        rfc9110('8.8.3', 'Examples: ETag: "xyzzy" ETag: W/"xyzzy" ETag: ""', 'RFC 9110, 8.8.3'),
        { etag: 'W/"xyzzy"' },
      ),
      tried('that-matches', asks({ status: 200, headers: { ETag: '"xyzzy"' }, json: 1 }, { 'If-None-Match': '"xyzzy", "r2d2xxxx"' }), [
        answered(200, { json: 1 }),
        answered(304, { text: '' }),
      ]),
      tried('that-does-not-match', asks({ status: 200, headers: { ETag: '"xyzzy"' }, json: 1 }, { 'If-None-Match': '"c3piozzzz"' }), [
        answered(200, { json: 1 }),
      ]),
      tried(
        '304-of-the-handler',
        asks({ status: 304, headers: { ETag: '"xyzzy"' } }),
        [answered(304, { text: '' }, { etag: '"xyzzy"' })],
        rfc9110('15.4.5', 'A 304 response is terminated by the end of the header section; it cannot contain content or trailers.'),
      ),
    ],
  ),
  row(
    'delete',
    { 200: json(only('a')), 404: json(only('c')) },
    CODES,
    [
      right('done', { status: 200, json: { a: 1 } }),
      right('none', { status: 404, json: { c: 1 } }),
      wrong('not-valid', { status: 200, json: { c: 1 } }),
    ],
    { method: 'delete' },
  ),
];

export const responses: Group = rowGroup(
  'responses',
  '3.0.4',
  'Responses',
  [...BODIES, ...STATUSES, ...HEADER_ROWS, ...MEDIA, ...METHODS],
  {
    components: {
      schemas: {
        VeryComplexType: {
          type: 'object',
          required: ['parts'],
          properties: { parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } } },
        },
        Cat: {
          type: 'object',
          additionalProperties: false,
          required: ['petType', 'lives'],
          properties: { petType: { type: 'string' }, lives: { type: 'integer' } },
        },
        Dog: {
          type: 'object',
          additionalProperties: false,
          required: ['petType', 'packSize'],
          properties: { petType: { type: 'string' }, packSize: { type: 'integer' } },
        },
        Error: { type: 'object', required: ['code', 'message'], properties: { code: { type: 'integer' }, message: { type: 'string' } } },
      },
      responses: {
        Note: { description: 'A note.', content: content({ 'application/json': NOTE }) },
        NotFound: { description: 'None.', content: content({ 'application/json': ref('Error') }) },
      },
    },
  },
);
