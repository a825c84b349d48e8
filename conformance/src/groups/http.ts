/** HTTP below the contract: methods and targets, header fields, and the framing of messages. */
import { gzipSync } from 'node:zlib';
import type { Group, Outcome, Source } from '../case.ts';
import {
  bare,
  body,
  content,
  invalid,
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
const rfc9110 = source('RFC 9110');
const rfc9112 = source('RFC 9112');
const rfc3986 = source('RFC 3986');

const ALLOW = rfc9110('10.2.1', 'An origin server MUST generate an Allow header field in a 405 (Method Not Allowed) response.');
const NOT_FOUND = rfc9110(
  '15.5.5',
  'The 404 (Not Found) status code indicates that the origin server did not find a current representation for the target resource.',
);
const METHODS = rfc9110(
  '9.1',
  'An origin server that receives a request method that is unrecognized or not implemented SHOULD respond with the 501 (Not Implemented) status code. An origin server that receives a request method that is recognized and implemented, but not allowed for the target resource, SHOULD respond with the 405 (Method Not Allowed) status code.',
);
const TEMPLATES = oas(
  'Paths Object, Path Templating Matching',
  'When matching URLs, concrete (non-templated) paths would be matched before their templated counterparts.',
);
const ENCODED = rfc3986(
  '2.1',
  'A percent-encoded octet is encoded as a character triplet, consisting of the percent character "%" followed by the two hexadecimal digits representing that octet\'s numeric value.',
);
const EQUIVALENT = rfc3986(
  '2.3',
  'URIs that differ in the replacement of an unreserved character with its corresponding percent-encoded US-ASCII octet are equivalent.',
);
const HOST = rfc9112(
  '3.2',
  'A server MUST respond with a 400 (Bad Request) status code to any HTTP/1.1 request message that lacks a Host header field and to any request message that contains more than one Host header field line or a Host header field with an invalid field value.',
);
const LENGTH = rfc9112(
  '6.3',
  'If a message is received without Transfer-Encoding and with an invalid Content-Length header field, then the message framing is invalid and the recipient MUST treat it as an unrecoverable error ... If the unrecoverable error is in a request message, the server MUST respond with a 400 (Bad Request) status code and then close the connection.',
);
const CODING = rfc9112(
  '6.1',
  'A server that receives a request message with a transfer coding it does not understand SHOULD respond with 501 (Not Implemented).',
);
const CHUNKED = rfc9112('7.1', 'A recipient MUST be able to parse and decode the chunked transfer coding.');
const FIELDS = rfc9112(
  '5.1',
  'No whitespace is allowed between the field name and colon. ... A server MUST reject, with a response status code of 400 (Bad Request), any received request message that contains whitespace between a header field name and colon.',
);

/** A request as its lines, with the path in place of `PATH`, and what follows the empty line. */
const raw =
  (lines: readonly string[], rest = ''): Send =>
  (_, path) =>
    Buffer.from(`${lines.join('\r\n').replace('PATH', path)}\r\n\r\n${rest}`, 'utf8').toString('latin1');
const host = 'Host: conformance.example';
const close = 'Connection: close';
const posts = (fields: readonly string[], rest: string): Send =>
  raw(['POST PATH HTTP/1.1', host, 'Content-Type: application/json', ...fields, close], rest);
const as =
  (method: string, suffix = ''): Send =>
  (_, path) =>
    bare(suffix)(method, path);

const NOT_ALLOWED: Outcome = { kind: 'refused', statuses: [405], headers: { allow: '*' } };
const RUNS = received('anything');
const got = (what: string, send: Send, parts: Parameters<typeof received>[0], from?: Source): Tried => valid(what, send, parts, from);
const row = (name: string, from: Source, cases: readonly Tried[], more: Partial<Row> = {}): Row => ({
  name,
  method: 'get',
  operation: {},
  source: from,
  cases,
  ...more,
});
const JSON_BODY = { requestBody: { required: true, content: content({ 'application/json': { type: 'object' } }) } };
const text = (name: string, where: string) => ({
  name,
  in: where,
  ...(where === 'path' ? { required: true } : {}),
  schema: { type: 'string' },
});

const RESOURCES: readonly Row[] = [
  row('items', ALLOW, [
    got('GET', as('GET'), 'anything', oas('Path Item Object', 'get - A definition of a GET operation on this path.')),
    ...['PUT', 'PATCH', 'DELETE'].map((method) => tried(`${method}-is-not-declared`, as(method), [NOT_ALLOWED])),
    tried('PUT-with-a-body-is-not-declared', (_, path) => body('application/json', '{}')('PUT', path), [NOT_ALLOWED]),
    tried(
      'OPTIONS',
      as('OPTIONS'),
      [{ kind: 'answered', statuses: [200, 204], headers: { allow: '*' } }, NOT_ALLOWED],
      rfc9110(
        '9.3.7',
        'A server generating a successful response to OPTIONS SHOULD send any header that might indicate optional features implemented by the server and applicable to the target resource (e.g., Allow).',
      ),
    ),
    tried(
      'HEAD',
      as('HEAD'),
      [{ kind: 'answered', statuses: [200] }],
      rfc9110('9.1', 'All general-purpose servers MUST support the methods GET and HEAD.'),
    ),
    tried('TRACE', as('TRACE'), [refused(400, 405, 501)], METHODS),
    tried('a-method-that-nobody-knows', as('BREW'), [refused(400, 405, 501)], METHODS),
    tried('get-in-lower-case', as('get'), [refused(400, 405, 501)], rfc9110('9.1', 'The method token is case-sensitive.')),
    tried('a-slash-at-the-end', as('GET', '/'), [refused(404), { kind: 'answered', statuses: [301, 302, 307, 308] }], NOT_FOUND),
    tried(
      'in-capitals',
      (_, path) => bare()('GET', path.toUpperCase()),
      [refused(404)],
      rfc3986(
        '6.2.2.1',
        'the scheme and host are case-insensitive ... The other generic syntax components are assumed to be case-sensitive unless specifically defined otherwise by the scheme.',
      ),
    ),
    tried(
      'two-slashes-before-it',
      (_, path) => bare()('GET', `/${path}`),
      [refused(400, 404), { kind: 'answered', statuses: [301, 302, 307, 308] }],
      NOT_FOUND,
    ),
    tried(
      'two-slashes-within',
      (_, path) => bare()('GET', path.replace('/items', '//items')),
      [refused(400, 404), { kind: 'answered', statuses: [301, 302, 307, 308] }],
      NOT_FOUND,
    ),
    tried('a-path-below', as('GET', '/none'), [refused(404)], NOT_FOUND),
    tried('a-longer-name', (_, path) => bare()('GET', `${path}s`), [refused(404)], NOT_FOUND),
    tried('a-path-that-is-cut-off', (_, path) => bare()('GET', path.slice(0, -1)), [refused(404)], NOT_FOUND),
    got('a-letter-percent-encoded', (_, path) => bare()('GET', path.replace('items', 'it%65ms')), 'anything', EQUIVALENT),
    tried(
      'an-undeclared-parameter',
      as('GET', '?more=1'),
      [RUNS, REFUSED],
      oas('Operation Object', 'parameters - A list of parameters that are applicable for this operation.'),
    ),
    got(
      'a-question-mark-without-a-query',
      as('GET', '?'),
      'anything',
      rfc3986('3.4', 'The query component is indicated by the first question mark ("?") character.'),
    ),
  ]),
  row(
    'items',
    ALLOW,
    [
      got(
        'POST',
        (_, path) => body('application/json', '{}')('POST', path),
        'anything',
        oas('Path Item Object', 'post - A definition of a POST operation on this path.'),
      ),
    ],
    { method: 'post', operation: { requestBody: { content: content({ 'application/json': {} }) } } },
  ),
  ...['put', 'patch', 'delete', 'options'].map((method) =>
    row(
      `only-${method}`,
      oas('Path Item Object', `${method} - A definition of a ${method.toUpperCase()} operation on this path.`),
      [got('sent', as(method.toUpperCase()), 'anything'), tried('POST-is-not-declared', as('POST'), [NOT_ALLOWED], ALLOW)],
      { method },
    ),
  ),
  row(
    'head',
    oas('Path Item Object', 'head - A definition of a HEAD operation on this path.'),
    [tried('sent', as('HEAD'), [{ kind: 'answered', statuses: [200] }])],
    { method: 'head' },
  ),
];

const OPTIONAL_PATH = [text('name', 'path')];
const PATHS: readonly Row[] = [
  row(
    'files',
    ENCODED,
    [
      ...(
        [
          ['letters', 'report', 'report'],
          ['a-slash-percent-encoded', 'a%2Fb', 'a/b'],
          ['a-space-percent-encoded', 'a%20b', 'a b'],
          ['a-plus-sign', 'a+b', 'a+b'],
          ['a-plus-sign-percent-encoded', 'a%2Bb', 'a+b'],
          ['a-percent-sign', '100%25', '100%'],
          ['what-looks-encoded-twice', 'a%252Fb', 'a%2Fb'],
          ['letters-beyond-ASCII', '%C3%A9%F0%9F%98%80', 'é😀'],
          ['lower-case-digits', '%c3%a9', 'é'],
          ['a-question-mark-percent-encoded', 'a%3Fb', 'a?b'],
          ['a-number-sign-percent-encoded', 'a%23b', 'a#b'],
          ['sub-delims', "!$&'()*+,;=:@", "!$&'()*+,;=:@"],
          ['the-unreserved-characters', 'a-b.c_d~e', 'a-b.c_d~e'],
          ['a-dot-within', 'a.txt', 'a.txt'],
          ['three-dots', '...', '...'],
          ['a-text-like-a-number', '007', '007'],
          ['a-name-that-objects-inherit', 'constructor', 'constructor'],
          ['braces-percent-encoded', '%7Bname%7D', '{name}'],
        ] as const
      ).map(([what, sent, value]) =>
        got(
          what,
          as('GET', `/${sent}`),
          { path: { name: value } },
          what === 'sub-delims' || what === 'the-unreserved-characters'
            ? rfc3986('3.3', 'pchar = unreserved / pct-encoded / sub-delims / ":" / "@"')
            : undefined,
        ),
      ),
      tried('a-backslash-percent-encoded', as('GET', '/a%5Cb'), [received({ path: { name: 'a\\b' } }), refused(400, 404)]),
      tried('an-escaped-NUL', as('GET', '/a%00b'), [received({ path: { name: 'a\u0000b' } }), refused(400, 404)]),
      tried(
        'two-dots-percent-encoded',
        as('GET', '/%2e%2e'),
        [received({ path: { name: '..' } }), refused(400, 404)],
        rfc3986(
          '6.2.2.3',
          'The complete path segments "." and ".." are intended only for use within relative references ... and are removed as part of the reference resolution process.',
        ),
      ),
      tried('bytes-that-are-no-UTF-8', as('GET', '/%FF'), [refused(400, 404, 422)]),
      tried('no-hexadecimal-digits', as('GET', '/%zz'), [refused(400, 404, 422)]),
      tried('one-digit', as('GET', '/a%2'), [refused(400, 404, 422)]),
      tried(
        'nothing',
        as('GET', '/'),
        [refused(400, 404, 422)],
        oas(
          'Path Templating',
          'The value for these path parameters MUST NOT contain any unescaped "generic syntax" characters ... Each template expression in the path MUST correspond to a path parameter',
        ),
      ),
      tried(
        'two-segments',
        as('GET', '/a/b'),
        [refused(404)],
        oas(
          'Path Templating',
          'The value for these path parameters MUST NOT contain any unescaped "generic syntax" characters described by RFC3986: forward slashes (/), question marks (?), or hashes (#).',
        ),
      ),
      got('a-query-beside-it', as('GET', '/a?'), { path: { name: 'a' } }),
      tried(
        '8,000-characters',
        as('GET', `/${'a'.repeat(8_000)}`),
        [received({ path: { name: 'a'.repeat(8_000) } }), refused(400, 404, 414, 431)],
        rfc9112(
          '3',
          'It is RECOMMENDED that all HTTP senders and recipients support, at a minimum, request-line lengths of 8000 octets. ... 414 (URI Too Long)',
        ),
      ),
    ],
    { below: '/{name}', operation: { parameters: OPTIONAL_PATH } },
  ),
  row('pets', TEMPLATES, [got('the-template', as('GET', '/5'), { path: { petId: '5' } })], {
    below: '/{petId}',
    operation: { parameters: [text('petId', 'path')] },
  }),
  row(
    'pets',
    oas(
      'Paths Object, Path Templating Matching',
      'Assuming the following paths, the concrete definition, /pets/mine, will be matched first if used: /pets/{petId} /pets/mine',
      'OpenAPI 3.0.4, Path Templating Matching',
    ),
    [
      got('the-concrete-path', as('GET', '/mine'), { path: {} }),
      tried(
        'the-concrete-path-with-a-letter-percent-encoded',
        as('GET', '/m%69ne'),
        [received({ path: {} }), received({ path: { petId: 'mine' } })],
        EQUIVALENT,
      ),
    ],
    { below: '/mine' },
  ),
  row(
    'pairs',
    oas(
      'Path Templating',
      'Path templating refers to the usage of template expressions, delimited by curly braces ({}), to mark a section of a URL path as replaceable using path parameters.',
    ),
    [
      got('two-parameters', as('GET', '/a/b'), { path: { first: 'a', second: 'b' } }),
      got('a-slash-in-one', as('GET', '/a%2Fb/c'), { path: { first: 'a/b', second: 'c' } }, ENCODED),
      tried('only-one', as('GET', '/a'), [refused(404)], NOT_FOUND),
    ],
    { below: '/{first}/{second}', operation: { parameters: [text('first', 'path'), text('second', 'path')] } },
  ),
  row(
    'reports',
    oas(
      'Path Templating',
      'Path templating refers to the usage of template expressions, delimited by curly braces ({}), to mark a section of a URL path as replaceable using path parameters.',
    ),
    [
      got('text-after-the-parameter', as('GET', '/12.pdf'), { path: { id: 12 } }),
      tried('other-text-after-it', as('GET', '/12.txt'), [refused(400, 404)], NOT_FOUND),
      tried(
        'not-valid',
        as('GET', '/x.pdf'),
        [refused(400, 404, 422)],
        oas('Parameter Object', 'schema - The schema defining the type used for the parameter.'),
      ),
    ],
    { below: '/{id}.pdf', operation: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] } },
  ),
  row(
    'ids',
    oas('Parameter Object', 'schema - The schema defining the type used for the parameter.'),
    [
      got('a-number', as('GET', '/7'), { path: { id: 7 } }),
      got('a-digit-percent-encoded', as('GET', '/%37'), { path: { id: 7 } }, EQUIVALENT),
      tried('a-word', as('GET', '/seven'), [refused(400, 404, 422)]),
      tried('zero', as('GET', '/0'), [refused(400, 404, 422)]),
    ],
    { below: '/{id}', operation: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } }] } },
  ),
  row(
    'targets',
    rfc9112(
      '3.2.2',
      'To allow for transition to the absolute-form for all requests in some future version of HTTP, a server MUST accept the absolute-form in requests.',
    ),
    [
      got('the-absolute-form', raw(['GET http://conformance.example/http/targets?n=a HTTP/1.1', host, close]), { query: { n: 'a' } }),
      tried(
        'a-fragment',
        as('GET', '?n=a#b'),
        [received({ query: { n: 'a' } }), refused(400, 404)],
        rfc9112('3.2', 'request-target = origin-form / absolute-form / authority-form / asterisk-form'),
      ),
      tried(
        'a-space',
        raw(['GET PATH?n=a b HTTP/1.1', host, close]),
        [refused(400)],
        rfc9112('3.2', 'No whitespace is allowed in the request-target.'),
      ),
      tried(
        'two-dots',
        (_, path) => bare()('GET', `${path}/../targets`),
        [RUNS, refused(400, 404)],
        rfc3986('6.2.2.3', 'The complete path segments "." and ".." are intended only for use within relative references'),
      ),
      tried(
        'an-asterisk',
        raw(['OPTIONS * HTTP/1.1', host, close]),
        [{ kind: 'answered', statuses: [200, 204] }, refused(400, 404, 405, 501)],
        rfc9112('3.2.4', 'The asterisk-form of request-target is only used for a server-wide OPTIONS request'),
      ),
      tried(
        'no-slash',
        raw(['GET http HTTP/1.1', host, close]),
        [refused(400, 404)],
        rfc9112('3.2.1', 'origin-form = absolute-path [ "?" query ]'),
      ),
    ],
    { operation: { parameters: [text('n', 'query')] } },
  ),
];

const limitHeader = { name: 'X-Limit', in: 'header', schema: { type: 'integer' } };
const filler = (count: number): string[] => Array.from({ length: count }, (_, at) => `X-F${at}: a`);

const HEAD_ROWS: readonly Row[] = [
  row('head-of-request', HOST, [
    tried('no-Host', raw(['GET PATH HTTP/1.1', close]), [refused(400)]),
    tried('two-Hosts', raw(['GET PATH HTTP/1.1', host, 'Host: other.example', close]), [refused(400)]),
    tried('the-same-Host-twice', raw(['GET PATH HTTP/1.1', host, host, close]), [refused(400)]),
    tried('a-Host-with-a-space', raw(['GET PATH HTTP/1.1', 'Host: a b', close]), [refused(400)]),
    tried('a-Host-with-a-slash', raw(['GET PATH HTTP/1.1', 'Host: a/b', close]), [refused(400)]),
    got(
      'a-Host-with-a-port',
      raw(['GET PATH HTTP/1.1', 'Host: conformance.example:8080', close]),
      'anything',
      rfc9110('7.2', 'Host = uri-host [ ":" port ]'),
    ),
    got(
      'a-Host-of-IPv6',
      raw(['GET PATH HTTP/1.1', 'Host: [2001:db8::7]', close]),
      'anything',
      rfc9110('7.2', 'Host = uri-host [ ":" port ]'),
    ),
    got(
      'HTTP-1.0-without-Host',
      raw(['GET PATH HTTP/1.0']),
      'anything',
      rfc9112('3.2', 'A client MUST send a Host header field ... in all HTTP/1.1 request messages.'),
    ),
    tried(
      'HTTP-2.0-in-the-request-line',
      raw(['GET PATH HTTP/2.0', host, close]),
      [refused(400), { kind: 'answered', statuses: [505] }],
      rfc9110(
        '15.6.6',
        'The 505 (HTTP Version Not Supported) status code indicates that the server does not support, or refuses to support, the major version of HTTP that was used in the request message.',
      ),
    ),
    tried(
      'a-version-that-is-none',
      raw(['GET PATH HTTP/one', host, close]),
      [refused(400), { kind: 'answered', statuses: [505] }],
      rfc9112('2.3', 'HTTP-version = HTTP-name "/" DIGIT "." DIGIT'),
    ),
    got(
      'an-empty-line-before-the-request',
      raw(['', 'GET PATH HTTP/1.1', host, close]),
      'anything',
      rfc9112(
        '2.2',
        'In the interest of robustness, a server that is expecting to receive and parse a request-line SHOULD ignore at least one empty line (CRLF) received prior to the request-line.',
      ),
    ),
    tried('white-space-before-a-colon', raw(['GET PATH HTTP/1.1', host, 'X-Other : a', close]), [refused(400)], FIELDS),
    tried(
      'a-line-without-a-colon',
      raw(['GET PATH HTTP/1.1', host, 'X-Other', close]),
      [refused(400)],
      rfc9112('5', 'field-line = field-name ":" OWS field-value OWS'),
    ),
    tried('a-field-without-a-name', raw(['GET PATH HTTP/1.1', host, ': a', close]), [refused(400)], rfc9110('5.1', 'field-name = token')),
    tried(
      'a-name-with-a-space',
      raw(['GET PATH HTTP/1.1', host, 'X Other: a', close]),
      [refused(400)],
      rfc9110('5.1', 'field-name = token'),
    ),
    tried(
      'NUL-in-a-value',
      raw(['GET PATH HTTP/1.1', host, 'X-Other: a\u0000b', close]),
      [refused(400), RUNS],
      rfc9110(
        '5.5',
        'a recipient of CR, LF, or NUL within a field value MUST either reject the message or replace each of those characters with SP before further processing or forwarding of that message.',
      ),
    ),
    tried(
      'a-folded-line',
      raw(['GET PATH HTTP/1.1', host, 'X-Other: a', ' b', close]),
      [refused(400), RUNS],
      rfc9112(
        '5.2',
        'A server that receives an obs-fold in a request message that is not within a "message/http" container MUST either reject the message by sending a 400 (Bad Request) ... or replace each received obs-fold with one or more SP octets.',
      ),
    ),
    got('an-empty-value', raw(['GET PATH HTTP/1.1', host, 'X-Other:', close]), 'anything', rfc9110('5.5', 'field-value = *field-content')),
    got(
      'an-upgrade-that-nobody-asked',
      raw(['GET PATH HTTP/1.1', host, 'Upgrade: example/1, foo/2', close]),
      'anything',
      rfc9110(
        '7.8',
        'A server MAY ignore a received Upgrade header field if it wishes to continue using the current protocol on that connection.',
      ),
    ),
    tried(
      'an-unknown-expectation',
      raw(['GET PATH HTTP/1.1', host, 'Expect: 200-ok', close]),
      [refused(417), RUNS],
      rfc9110(
        '10.1.1',
        'A server that receives an Expect field value containing a member other than 100-continue MAY respond with a 417 (Expectation Failed) status code.',
      ),
    ),
    tried(
      'a-range',
      bare('', { Range: 'bytes=0-1' }),
      [RUNS, { kind: 'answered', statuses: [206] }],
      rfc9110('14.2', 'A server MAY ignore the Range header field.'),
    ),
    got(
      'a-range-of-another-unit',
      bare('', { Range: 'seconds=1-2' }),
      'anything',
      rfc9110('14.2', 'An origin server MUST ignore a Range header field that contains a range unit it does not understand.'),
    ),
  ]),
  row(
    'many-fields',
    rfc9110(
      '5.4',
      "A server that receives a request header field line, field value, or set of fields larger than it wishes to process MUST respond with an appropriate 4xx (Client Error) status code. Ignoring such header fields would increase the server's vulnerability to request smuggling attacks.",
    ),
    [
      got('100', raw(['GET PATH HTTP/1.1', host, ...filler(100), 'X-Limit: 5', close]), { header: { 'X-Limit': 5 } }),
      tried('1,100', raw(['GET PATH HTTP/1.1', host, ...filler(1_100), 'X-Limit: 5', close]), [
        received({ header: { 'X-Limit': 5 } }),
        refused(400, 413, 431),
      ]),
      tried('2,100', raw(['GET PATH HTTP/1.1', host, ...filler(2_100), 'X-Limit: 5', close]), [
        received({ header: { 'X-Limit': 5 } }),
        refused(400, 413, 431),
      ]),
      tried('a-value-of-100,000-characters', raw(['GET PATH HTTP/1.1', host, `X-Other: ${'a'.repeat(100_000)}`, 'X-Limit: 5', close]), [
        received({ header: { 'X-Limit': 5 } }),
        refused(400, 413, 431),
      ]),
    ],
    { operation: { parameters: [limitHeader] } },
  ),
];

const chunks = (...parts: string[]): string =>
  [...parts, ''].map((part) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`).join('');
const te = 'Transfer-Encoding: chunked';
const value = { body: { a: 1 } };

const FRAMING: readonly Row[] = [
  row(
    'framing',
    CHUNKED,
    [
      got('chunks', posts([te], chunks('{"a"', ':1}')), value),
      got('one-chunk-a-byte', posts([te], chunks('{', '"', 'a', '"', ':', '1', '}')), value),
      got(
        'the-coding-in-capitals',
        posts(['Transfer-Encoding: CHUNKED'], chunks('{"a":1}')),
        value,
        rfc9112('7', 'All transfer-coding names are case-insensitive.'),
      ),
      got('a-size-with-zeros-and-capitals', posts([te], `00A\r\n{"a":1   }\r\n0\r\n\r\n`), value, rfc9112('7.1', 'chunk-size = 1*HEXDIG')),
      got(
        'an-extension',
        posts([te], '7;name=value\r\n{"a":1}\r\n0\r\n\r\n'),
        value,
        rfc9112('7.1.1', 'A recipient MUST ignore unrecognized chunk extensions.'),
      ),
      got(
        'a-trailer',
        posts([te, 'Trailer: X-Checksum'], '7\r\n{"a":1}\r\n0\r\nX-Checksum: abc\r\n\r\n'),
        value,
        rfc9112(
          '7.1.2',
          'A recipient that removes the chunked coding from a message MAY selectively retain or discard the received trailer fields.',
        ),
      ),
      tried('a-size-that-is-none', posts([te], 'x\r\n{"a":1}\r\n0\r\n\r\n'), [refused(400)], rfc9112('7.1', 'chunk-size = 1*HEXDIG')),
      tried('a-size-with-a-sign', posts([te], '+7\r\n{"a":1}\r\n0\r\n\r\n'), [refused(400)], rfc9112('7.1', 'chunk-size = 1*HEXDIG')),
      tried(
        'a-chunk-longer-than-its-size',
        posts([te], '3\r\n{"a":1}\r\n0\r\n\r\n'),
        [refused(400)],
        rfc9112('7.1', 'chunk = chunk-size [ chunk-ext ] CRLF chunk-data CRLF'),
      ),
      tried(
        'both-length-and-chunks',
        posts([te, 'Content-Length: 7'], chunks('{"a":1}')),
        [refused(400), received(value)],
        rfc9112(
          '6.1',
          'A server MAY reject a request that contains both Content-Length and Transfer-Encoding or process such a request in accordance with the Transfer-Encoding alone.',
        ),
      ),
      tried(
        'an-unknown-coding',
        posts(['Transfer-Encoding: xchunked'], chunks('{"a":1}')),
        [refused(400), { kind: 'answered', statuses: [501] }],
        CODING,
      ),
      tried(
        'chunked-that-is-not-the-last',
        posts(['Transfer-Encoding: chunked, gzip'], chunks('{"a":1}')),
        [refused(400), { kind: 'answered', statuses: [501] }],
        rfc9112(
          '6.3',
          'If a Transfer-Encoding header field is present in a request and the chunked transfer coding is not the final encoding, the message body length cannot be determined reliably; the server MUST respond with the 400 (Bad Request) status code and then close the connection.',
        ),
      ),
      tried(
        'identity',
        posts(['Transfer-Encoding: identity', 'Content-Length: 7'], '{"a":1}'),
        [refused(400), { kind: 'answered', statuses: [501] }],
        CODING,
      ),
      tried('two-lengths', posts(['Content-Length: 7', 'Content-Length: 8'], '{"a":1} '), [refused(400)], LENGTH),
      tried('a-list-of-two-lengths', posts(['Content-Length: 7, 8'], '{"a":1} '), [refused(400)], LENGTH),
      tried(
        'the-same-length-twice',
        posts(['Content-Length: 7', 'Content-Length: 7'], '{"a":1}'),
        [refused(400), received(value)],
        rfc9110(
          '8.6',
          'a recipient of a Content-Length header field value consisting of the same decimal value repeated as a comma-separated list ... MUST either reject the message as invalid or replace that invalid field value with a single instance of the decimal value',
        ),
      ),
      tried('a-length-that-is-a-word', posts(['Content-Length: seven'], '{"a":1}'), [refused(400)], LENGTH),
      tried('a-negative-length', posts(['Content-Length: -7'], '{"a":1}'), [refused(400)], LENGTH),
      tried('a-length-with-a-sign', posts(['Content-Length: +7'], '{"a":1}'), [refused(400)], LENGTH),
      tried('a-hexadecimal-length', posts(['Content-Length: 0x7'], '{"a":1}'), [refused(400)], LENGTH),
      tried(
        'a-length-that-cuts-the-body-off',
        posts(['Content-Length: 5'], '{"a":1}'),
        [REFUSED],
        rfc9112(
          '6.3',
          'If a valid Content-Length header field is present without Transfer-Encoding, its decimal value defines the expected message body length in octets.',
        ),
      ),
      tried(
        'no-length',
        posts([], ''),
        [refused(400, 411, 415, 422)],
        rfc9112(
          '6.3',
          'If this is a request message and none of the above are true, then the message body length is zero (no message body is present).',
        ),
      ),
      got(
        'an-expectation',
        posts(['Expect: 100-continue', 'Content-Length: 7'], '{"a":1}'),
        value,
        rfc9110(
          '10.1.1',
          'A server MAY omit sending a 100 (Continue) response if it has already received some or all of the content for the corresponding request',
        ),
      ),
      tried(
        'gzip',
        (_, path) => body('application/json', gzipSync('{"a":1}'), { 'Content-Encoding': 'gzip' })('POST', path),
        [received(value), refused(415)],
        rfc9110(
          '8.4',
          'An origin server MAY respond with a status code of 415 (Unsupported Media Type) if a representation in the request message has a content coding that is not acceptable.',
        ),
      ),
      tried(
        'gzip-that-is-none',
        (_, path) => body('application/json', '{"a":1}', { 'Content-Encoding': 'gzip' })('POST', path),
        [refused(400, 415, 422)],
        rfc9110('8.4', "the Content-Encoding field's value indicates what content codings have been applied to the representation"),
      ),
      tried(
        'an-unknown-content-coding',
        (_, path) => body('application/json', '{"a":1}', { 'Content-Encoding': 'x-unknown' })('POST', path),
        [refused(400, 415)],
        rfc9110(
          '8.4',
          'An origin server MAY respond with a status code of 415 (Unsupported Media Type) if a representation in the request message has a content coding that is not acceptable.',
        ),
      ),
      tried(
        'identity-as-content-coding',
        (_, path) => body('application/json', '{"a":1}', { 'Content-Encoding': 'identity' })('POST', path),
        [received(value), refused(415)],
        rfc9110(
          '8.4.1',
          'Note that the coding named "identity" is reserved for its special role in Accept-Encoding and thus SHOULD NOT be included.',
        ),
      ),
      got(
        'a-method-in-a-header',
        (_, path) => body('application/json', '{"a":1}', { 'X-HTTP-Method-Override': 'DELETE' })('POST', path),
        value,
        rfc9110('9.1', 'The request method token is the primary source of request semantics'),
      ),
    ],
    { method: 'post', operation: JSON_BODY },
  ),
  row(
    'no-content',
    rfc9110(
      '9.3.1',
      'content received in a GET request has no generally defined semantics, cannot alter the meaning or target of the request, and might lead some implementations to reject the request',
    ),
    [
      tried('GET-with-a-body', (_, path) => body('application/json', '{"a":1}')('GET', path), [RUNS, refused(400, 413, 415)]),
      got(
        'GET-with-a-media-type',
        bare('', { 'Content-Type': 'application/json' }),
        'anything',
        rfc9110('8.3', 'The "Content-Type" header field indicates the media type of the associated representation'),
      ),
      got(
        'GET-with-length-0',
        bare('', { 'Content-Length': '0' }),
        'anything',
        rfc9110('8.6', 'A user agent SHOULD NOT send a Content-Length header field when the request message does not contain content'),
      ),
    ],
  ),
];

/** A path item with parameters for all of its operations, of which one overrides a parameter. */
const SHARED = [
  { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
  { name: 'size', in: 'query', schema: { type: 'integer', maximum: 5 } },
];

const sharedSource = oas(
  'Path Item Object',
  'parameters - A list of parameters that are applicable for all the operations described under this path. These parameters can be overridden at the operation level, but cannot be removed there.',
);
const shared: readonly Row[] = [
  row(
    'shared',
    sharedSource,
    [
      got('of-the-path-item', as('GET', '/1?size=5'), { path: { id: 1 }, query: { size: 5 } }),
      invalid('of-the-path-item-and-not-valid', as('GET', '/1?size=6')),
      tried('in-the-path-and-not-valid', as('GET', '/x'), [refused(400, 404, 422)]),
    ],
    { below: '/{id}' },
  ),
  row(
    'shared',
    sharedSource,
    [
      got('overridden', as('DELETE', '/1?size=50'), { path: { id: 1 }, query: { size: 50 } }),
      invalid('overridden-and-not-valid', as('DELETE', '/1?size=51')),
    ],
    {
      below: '/{id}',
      method: 'delete',
      operation: { parameters: [{ name: 'size', in: 'query', schema: { type: 'integer', maximum: 50 } }] },
    },
  ),
];

const group = rowGroup('http', '3.0.4', 'HTTP', [...RESOURCES, ...PATHS, ...HEAD_ROWS, ...FRAMING, ...shared]);
const path = '/http/shared/{id}';

export const http: Group = {
  ...group,
  document: { ...group.document, paths: { ...group.document.paths, [path]: { parameters: SHARED, ...group.document.paths[path] } } },
};
