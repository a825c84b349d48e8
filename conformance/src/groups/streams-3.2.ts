/**
 * What OpenAPI 3.2 adds: sequences of items, the query as one value, the method QUERY and others, cookies, and a default of a discriminator.
 *
 * This project's server does not start with `style: cookie`: the checker of the document's structure does not know it.
 */
import type { Group, Outcome, Source } from '../case.ts';
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
import { request } from '../request.ts';

const oas = source('OpenAPI 3.2.0');

const ITEM = oas(
  'Media Type Object, Streaming Sequential Media Types',
  'itemSchema MUST be applied to each item in the stream independently, which supports processing each item as it is read from the stream.',
);
const LINES = source('JSON Lines')('2', 'Each Line is a Valid JSON Value');
const SEQUENCE = source('RFC 7464')('2.2', 'JSON-sequence = *(RS JSON-text LF); RS = %x1E');
const WHOLE = oas(
  'Parameter Object, Parameter Locations',
  'querystring - A parameter that treats the entire URL query string as a value which MUST be specified using the content field, most often with media type application/x-www-form-urlencoded.',
);
const LOG = 'OpenAPI 3.2.0, Sequential JSON';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const items = (type: string) => ({ requestBody: { required: true, content: { [type]: { itemSchema: ref('LogEntry') } } } });

const FIRST = { timestamp: '1985-04-12T23:20:50.52Z', level: 1, message: 'Hi!' };
const SECOND = { timestamp: '1985-04-12T23:20:51.37Z', level: 1, message: 'Bye!' };
const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const sequence = (...values: readonly unknown[]): string => values.map((value) => `\u001e${JSON.stringify(value, null, 2)}\n`).join('');

/** A sequence that is sent to an operation: its media type, and how items are written. */
const sent = (name: string, type: string, write: (...values: readonly unknown[]) => string, standard: Source): Row => ({
  name,
  operation: items(type),
  source: ITEM,
  cases: [
    valid(
      'the-example',
      body(type, write(FIRST, SECOND)),
      { body: [FIRST, SECOND] },
      oas('Media Type Object, Sequential JSON', 'This shows the relationship between schema and itemSchema, and when to use each', LOG),
    ),
    valid('one', body(type, write(FIRST)), { body: [FIRST] }),
    invalid('one-that-is-not-valid', body(type, write({ ...FIRST, level: -1 }))),
    invalid('the-second-is-not-valid', body(type, write(FIRST, { ...SECOND, level: 'x' }))),
    invalid('the-last-of-100-is-not-valid', body(type, write(...Array.from({ length: 99 }, () => FIRST), { level: 'x' }))),
    invalid('one-that-is-no-JSON', body(type, write(FIRST).replace('}', '')), standard),
    tried('a-list-in-place-of-items', body(type, write([FIRST])), [REFUSED]),
    tried(
      'JSON',
      json(lines(FIRST)),
      [refused(400, 415)],
      source('RFC 9110')(
        '15.5.16',
        'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
      ),
    ),
    tried('an-empty-body', body(type, ''), [REFUSED, refused(415), received({ body: [] })]),
  ],
});

const REQUESTS: readonly Row[] = [
  sent('jsonl', 'application/jsonl', lines, LINES),
  sent('ndjson', 'application/x-ndjson', lines, LINES),
  sent('json-seq', 'application/json-seq', sequence, SEQUENCE),
  {
    name: 'jsonl-details',
    operation: { requestBody: { required: true, content: { 'application/jsonl': { itemSchema: {} } } } },
    source: LINES,
    cases: [
      valid(
        'no-line-feed-at-the-end',
        body('application/jsonl', '1\n2'),
        { body: [1, 2] },
        source('JSON Lines')(
          '3',
          'The last character in the file may be a line terminator, and it will be treated the same as if there was no line terminator present.',
        ),
      ),
      valid(
        'lines-that-end-with-CR-LF',
        body('application/jsonl', '1\r\n2\r\n'),
        { body: [1, 2] },
        source('JSON Lines')(
          '3',
          "The line terminator is '\\n' ... This means '\\r\\n' is also supported because surrounding white space is implicitly ignored when parsing JSON values.",
        ),
      ),
      valid('values-of-every-type', body('application/jsonl', '"a"\nnull\ntrue\n[1]\n{}\n'), { body: ['a', null, true, [1], {}] }),
      tried(
        'a-byte-order-mark',
        body('application/jsonl', '\ufeff1\n'),
        [received({ body: [1] }), REFUSED],
        source('JSON Lines')('1', 'UTF-8 Encoding ... a byte order mark (U+FEFF) must not be included.'),
      ),
      invalid('two-values-in-a-line', body('application/jsonl', '1 2\n')),
      invalid('a-value-on-two-lines', body('application/jsonl', '{"a":\n1}\n')),
      invalid(
        'bytes-that-are-no-UTF-8',
        body('application/jsonl', Uint8Array.of(0x22, 0xff, 0x22, 0x0a)),
        source('JSON Lines')('1', 'UTF-8 Encoding'),
      ),
    ],
  },
];

const ANSWER = { name: 'answer', in: 'query', required: true, schema: { type: 'string' } };
const asks = (answer: unknown): Send => bare(`?answer=${encodeURIComponent(JSON.stringify(answer))}`);
const texts = (...bodies: readonly string[]): Outcome[] =>
  bodies.map((text) => ({ kind: 'answered', statuses: [200], headers: { 'content-type': '*' }, body: { text } }));
const FAILED: Outcome = { kind: 'answered', statuses: [500] };
/** With and without the blanks that some writers of JSON add. */
const spaced = (text: string): string[] => [text, text.replace(/([:,])(?=["\d])/gu, '$1 ')];

const answers = (name: string, type: string, schema: unknown, cases: readonly Tried[], from: Source): Row => ({
  name,
  method: 'get',
  kind: 'answer',
  operation: { parameters: [ANSWER], responses: { 200: { description: 'Items.', content: { [type]: { itemSchema: schema } } } } },
  source: from,
  cases,
});

const COUNT = { type: 'object', required: ['n'], additionalProperties: false, properties: { n: { type: 'integer' } } };
const RESPONSES: readonly Row[] = [
  answers(
    'answer-jsonl',
    'application/jsonl',
    COUNT,
    [
      tried('two-items', asks({ status: 200, items: [{ n: 1 }, { n: 2 }] }), texts(...spaced('{"n":1}\n{"n":2}\n'))),
      tried('no-items', asks({ status: 200, items: [] }), texts('')),
      tried('the-first-is-not-valid', asks({ status: 200, items: [{ n: 'x' }] }), [FAILED]),
    ],
    ITEM,
  ),
  answers(
    'answer-ndjson',
    'application/x-ndjson',
    COUNT,
    [tried('two-items', asks({ status: 200, items: [{ n: 1 }, { n: 2 }] }), texts(...spaced('{"n":1}\n{"n":2}\n')))],
    ITEM,
  ),
  answers(
    'answer-json-seq',
    'application/json-seq',
    COUNT,
    [
      tried('two-items', asks({ status: 200, items: [{ n: 1 }, { n: 2 }] }), texts(...spaced('\u001e{"n":1}\n\u001e{"n":2}\n')), SEQUENCE),
      tried('the-first-is-not-valid', asks({ status: 200, items: [{}] }), [FAILED]),
    ],
    ITEM,
  ),
  answers(
    'answer-events',
    'text/event-stream',
    { type: 'object', required: ['data'], properties: { data: { type: 'string' }, event: { type: 'string' } } },
    [
      tried(
        'a-text',
        asks({ status: 200, items: [{ data: 'hello' }] }),
        texts('data: hello\n\n', 'data:hello\n\n'),
        source('HTML Standard')('9.2.6', 'If the line is empty (a blank line): Dispatch the event'),
      ),
      tried(
        'two-lines',
        asks({ status: 200, items: [{ data: 'This data is formatted\nacross two lines' }] }),
        texts('data: This data is formatted\ndata: across two lines\n\n', 'data:This data is formatted\ndata:across two lines\n\n'),
        oas(
          'Media Type Object, Server-Sent Event Streams',
          'data: This data is formatted data: across two lines',
          'OpenAPI 3.2.0, Server-Sent Event Streams',
        ),
      ),
      tried('the-first-is-not-valid', asks({ status: 200, items: [{ data: 5 }] }), [FAILED]),
      tried('the-first-has-no-data', asks({ status: 200, items: [{ event: 'a' }] }), [FAILED]),
    ],
    ITEM,
  ),
];

const FORM = 'application/x-www-form-urlencoded';
const whole = (type: string, schema: unknown, required = false) => ({
  parameters: [{ name: 'whole', in: 'querystring', ...(required ? { required } : {}), content: content({ [type]: schema }) }],
});
/** The query is the value; some give it under the name of the parameter. */
const query = (what: string, text: string, value: unknown, from?: Source): Tried =>
  tried(what, bare(`?${text}`), [received({ query: value as Record<string, unknown> }), received({ query: { whole: value } })], from);

const QUERIES: readonly Row[] = [
  {
    name: 'querystring-form',
    method: 'get',
    operation: whole(FORM, {
      type: 'object',
      additionalProperties: false,
      properties: { foo: { type: 'string' }, bar: { type: 'boolean' } },
    }),
    source: WHOLE,
    cases: [
      query(
        'the-example',
        'foo=a+%2B+b&bar=true',
        { foo: 'a + b', bar: true },
        oas(
          'Parameter Object, Parameter Object Examples',
          'A querystring parameter using regular form encoding, but managed with a Media Type Object.',
          'OpenAPI 3.2.0, Parameter Object Examples',
        ),
      ),
      query('one-field', 'foo=a', { foo: 'a' }),
      invalid('a-field-that-is-not-valid', bare('?bar=yes')),
      invalid('an-undeclared-field', bare('?more=1')),
      invalid('a-field-twice', bare('?foo=a&foo=b')),
      tried(
        'no-query',
        bare(),
        [received('anything')],
        oas('Parameter Object', 'required - Determines whether this parameter is mandatory. ... its default value is false.'),
      ),
    ],
  },
  {
    name: 'querystring-json',
    method: 'get',
    operation: whole(
      'application/json',
      { type: 'object', properties: { numbers: { type: 'array', items: { type: 'integer' } }, flag: { type: ['boolean', 'null'] } } },
      true,
    ),
    source: WHOLE,
    cases: [
      query(
        'the-example',
        '%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
        { numbers: [1, 2], flag: null },
        oas(
          'Parameter Object, Parameter Object Examples',
          'the full URL incorporating the value from serializedValue would be: https://example.com/foo?%7B%22numbers%22%3A%5B1%2C2%5D%2C%22flag%22%3Anull%7D',
          'OpenAPI 3.2.0, Parameter Object Examples',
        ),
      ),
      invalid('not-valid', bare('?%7B%22numbers%22%3A%5B%22x%22%5D%7D')),
      invalid('no-JSON', bare('?numbers=1')),
      invalid('no-query', bare(), oas('Parameter Object', 'required - Determines whether this parameter is mandatory.')),
    ],
  },
  {
    name: 'querystring-text',
    method: 'get',
    operation: whole('application/jsonpath', { type: 'string' }),
    source: WHOLE,
    cases: [
      tried(
        'the-example',
        bare('?%24.a.b%5B1%3A1%5D'),
        [received({ query: '$.a.b[1:1]' as never }), received({ query: { whole: '$.a.b[1:1]' } })],
        oas(
          'Parameter Object, Parameter Object Examples',
          'the full URL incorporating the value from serializedValue would be: https://example.com/foo?%24.a.b%5B1%3A1%5D',
          'OpenAPI 3.2.0, Parameter Object Examples',
        ),
      ),
    ],
  },
];

const QUERY = oas(
  'Path Item Object',
  'query - A definition of a QUERY operation, as defined in the most recent IETF draft ... or its RFC successor, on this path.',
);
const NOT_ALLOWED: Outcome = { kind: 'refused', statuses: [405], headers: { allow: '*' } };
const asMethod =
  (method: string): Send =>
  (_, path) =>
    request(method, path);

const METHODS: readonly Row[] = [
  {
    name: 'query',
    method: 'query',
    operation: {
      requestBody: {
        required: true,
        content: content({ 'application/json': { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } }),
      },
    },
    source: QUERY,
    cases: [
      valid('valid', json('{"text":"a"}'), { body: { text: 'a' } }),
      invalid('not-valid', json('{"text":5}')),
      tried(
        'another-media-type',
        body('text/plain', 'a'),
        [refused(400, 415)],
        source('RFC 9110')(
          '15.5.16',
          'The 415 (Unsupported Media Type) status code indicates that the origin server is refusing to service the request because the content is in a format not supported by this method on the target resource.',
        ),
      ),
      tried(
        'GET-is-not-declared',
        asMethod('GET'),
        [NOT_ALLOWED],
        source('RFC 9110')('10.2.1', 'An origin server MUST generate an Allow header field in a 405 (Method Not Allowed) response.'),
      ),
    ],
  },
  {
    name: 'copy',
    method: 'COPY',
    source: oas(
      'Path Item Object',
      'additionalOperations - A map of additional operations on this path. The map key is the HTTP method with the same capitalization that is to be sent in the request.',
      'OpenAPI 3.2.0, Path Item Object Example',
    ),
    cases: [
      valid('sent', asMethod('COPY'), 'anything'),
      tried('in-lower-case', asMethod('copy'), [refused(400, 405, 501)]),
      tried('another-method', asMethod('MOVE'), [refused(400, 405, 501)]),
    ],
  },
];

const COOKIE: readonly Row[] = [
  {
    name: 'cookie-object',
    method: 'get',
    operation: {
      parameters: [
        {
          name: 'cookie',
          in: 'cookie',
          style: 'cookie',
          schema: { type: 'object', properties: { greeting: { type: 'string' }, code: { type: 'integer', minimum: 0 } } },
        },
      ],
    },
    source: oas(
      'Parameter Object, Parameter Object Examples',
      'A cookie parameter with an exploded object (the default for style: "cookie")',
      'OpenAPI 3.2.0, Parameter Object Examples',
    ),
    cases: [
      valid('the-example', bare('', { Cookie: 'greeting=Hello%2C world!; code=42' }), {
        cookie: { cookie: { greeting: 'Hello%2C world!', code: 42 } },
      }),
      invalid('not-valid', bare('', { Cookie: 'greeting=a; code=-1' })),
    ],
  },
  {
    name: 'cookie-text',
    method: 'get',
    operation: { parameters: [{ name: 'greeting', in: 'cookie', style: 'cookie', schema: { type: 'string' } }] },
    source: oas('Appendix D', 'The behavior of style: "cookie" assumes this usage, and does not apply or remove percent-encoding.'),
    cases: [valid('percent-signs-are-data', bare('', { Cookie: 'greeting=Hello%2C' }), { cookie: { greeting: 'Hello%2C' } })],
  },
];

const UNIONS: readonly Row[] = [
  {
    name: 'default-mapping',
    operation: {
      requestBody: {
        required: true,
        content: content({
          'application/json': {
            oneOf: ['Cat', 'Dog', 'OtherPet'].map(ref),
            discriminator: { propertyName: 'petType', defaultMapping: 'OtherPet' },
          },
        }),
      },
    },
    source: oas(
      'Discriminator Object, Examples',
      'if the petType property is not present in the payload, or if the value of petType is not "Cat", "Dog", or "Lizard", then the payload should validate against the OtherPet schema.',
      'OpenAPI 3.2.0, Discriminator Object, Examples',
    ),
    cases: [
      valid('a-cat', json('{"petType":"Cat","name":"Misty"}'), { body: { petType: 'Cat', name: 'Misty' } }),
      valid('another-kind', json('{"petType":"Bird"}'), { body: { petType: 'Bird' } }),
      valid('no-kind', json('{"name":"Misty"}'), { body: { name: 'Misty' } }),
      invalid('a-dog-that-is-not-valid', json('{"petType":"Dog","bark":5}')),
    ],
  },
];

const kind = (name: string, properties: object) => ({
  type: 'object',
  required: ['petType'],
  properties: { petType: { const: name }, ...properties },
});

const group = rowGroup(
  'streams-3.2',
  '3.2.0',
  'What OpenAPI 3.2 adds',
  [...REQUESTS, ...RESPONSES, ...QUERIES, ...METHODS, ...COOKIE, ...UNIONS],
  {
    components: {
      schemas: {
        LogEntry: {
          type: 'object',
          properties: {
            timestamp: { type: 'string', format: 'date-time' },
            level: { type: 'integer', minimum: 0 },
            message: { type: 'string' },
          },
        },
        Cat: kind('Cat', { name: { type: 'string' } }),
        Dog: kind('Dog', { bark: { type: 'string' } }),
        OtherPet: { type: 'object', properties: { petType: { not: { enum: ['Cat', 'Dog'] } } } },
      },
    },
  },
);
const COPIED = '/streams-3.2/copy';

export const streams32: Group = {
  ...group,
  document: { ...group.document, paths: { ...group.document.paths, [COPIED]: { additionalOperations: group.document.paths[COPIED] } } },
};
