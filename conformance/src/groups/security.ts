/**
 * Credentials: API keys, basic and bearer, all, one or none of them, and scopes.
 *
 * The keys, the tokens and the passwords of the user `user` are `valid`, which has the scope `read`, and `admin`, which has `read` and `write`.
 */
import type { Group, Outcome, Source } from '../case.ts';
import { bare, invalid, refused, rowGroup, type Row, type Tried, tried, valid as understood } from '../rows.ts';
import { source } from '../source.ts';

const oas = source('OpenAPI 3.0.4');
const rfc9110 = source('RFC 9110');
const rfc7617 = source('RFC 7617');
const rfc6750 = source('RFC 6750');

const KEY = oas('Security Scheme Object', 'in - REQUIRED. The location of the API key. Valid values are "query", "header", or "cookie".');
const HTTP = oas(
  'Security Scheme Object',
  'scheme - REQUIRED. The name of the HTTP Authentication scheme to be used in the Authorization header as defined in RFC7235.',
);
const ALL = oas(
  'Security Requirement Object',
  'A Security Requirement Object MAY refer to multiple security schemes in which case all schemes MUST be satisfied for a request to be authorized.',
);
const ONE = oas(
  'Security Requirement Object',
  'When the security field ... contains multiple Security Requirement Objects, only one of the entries in the list needs to be satisfied to authorize the request.',
);
const ANONYMOUS = oas('Security Requirement Object', 'An empty Security Requirement Object ({}) indicates anonymous access is supported.');
const OVERRIDES = oas(
  'Operation Object',
  'security - ... This definition overrides any declared top-level security. To remove a top-level security declaration, an empty array can be used.',
);
const SCOPES = oas(
  'Security Requirement Object',
  'If the security scheme is of type "oauth2" or "openIdConnect", then the value is a list of scope names required for the execution',
);
const CHALLENGE = rfc9110(
  '15.5.2',
  'The server generating a 401 response MUST send a WWW-Authenticate header field containing at least one challenge applicable to the target resource.',
);
const CASE = rfc9110('11.1', 'auth-scheme: a case-insensitive token is used to identify the authentication scheme');
const FORBIDDEN = rfc6750(
  '3.1',
  'insufficient_scope: The request requires higher privileges than provided by the access token. The resource server SHOULD respond with the HTTP 403 (Forbidden) status code',
);

type Fields = Readonly<Record<string, string>>;

/** Of schemes of `http` and tokens. */
const UNAUTHORIZED: Outcome = { kind: 'refused', statuses: [401], headers: { 'www-authenticate': '*' } };
/** An API key has no scheme of HTTP, so that some servers answer 403, and some do not challenge. */
const KEY_REFUSED = refused(401, 403);

const lets = (what: string, fields: Fields = {}, from?: Source, suffix = ''): Tried =>
  understood(what, bare(suffix, fields), 'anything', from);
const refuses = (what: string, fields: Fields = {}, from?: Source, suffix = ''): Tried =>
  tried(what, bare(suffix, fields), [UNAUTHORIZED], from);
const refusesKey = (what: string, fields: Fields = {}, suffix = ''): Tried => tried(what, bare(suffix, fields), [KEY_REFUSED]);
/** Credentials that cannot be read: 400 is as good (RFC 6750, 3.1, `invalid_request`). */
const malformed = (what: string, fields: Fields, from?: Source): Tried => tried(what, bare('', fields), [refused(400, 401)], from);

const basic = (text: string): Fields => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` });
const bearer = (token: string): Fields => ({ Authorization: `Bearer ${token}` });

const row = (name: string, security: unknown, from: Source, cases: readonly Tried[], more: Partial<Row> = {}): Row => ({
  name,
  method: 'get',
  operation: security === undefined ? {} : { security },
  source: from,
  cases,
  ...more,
});

const KEYS: readonly Row[] = [
  row('key-header', [{ keyHeader: [] }], KEY, [
    lets('the-key', { 'X-Key': 'valid' }),
    lets('the-name-in-lower-case', { 'x-key': 'valid' }, rfc9110('5.1', 'Field names are case-insensitive.')),
    lets('white-space-around', { 'X-Key': '  valid\t' }, rfc9110('5.5', 'A field value does not include leading or trailing whitespace.')),
    refusesKey('none'),
    refusesKey('an-empty-one', { 'X-Key': '' }),
    refusesKey('an-unknown-one', { 'X-Key': 'unknown' }),
    refusesKey('the-key-in-capitals', { 'X-Key': 'VALID' }),
    refusesKey('the-key-and-more', { 'X-Key': 'valid2' }),
    refusesKey('a-name-that-objects-inherit', { 'X-Key': 'constructor' }),
    refusesKey('in-the-query', {}, '?X-Key=valid'),
    refusesKey('in-a-cookie', { Cookie: 'X-Key=valid' }),
    refusesKey('as-a-token', bearer('valid')),
  ]),
  row('key-query', [{ keyQuery: [] }], KEY, [
    lets('the-key', {}, undefined, '?key=valid'),
    lets(
      'percent-encoded',
      {},
      source('RFC 3986')(
        '2.3',
        'URIs that differ in the replacement of an unreserved character with its corresponding percent-encoded US-ASCII octet are equivalent.',
      ),
      '?key=%76alid',
    ),
    refusesKey('none'),
    refusesKey('an-empty-one', {}, '?key='),
    refusesKey('an-unknown-one', {}, '?key=unknown'),
    refusesKey('a-name-of-another-case', {}, '?Key=valid'),
    refusesKey('in-a-header', { key: 'valid' }),
    tried('twice', bare('?key=unknown&key=valid'), [refused(400, 401, 403, 422)]),
    tried('as-a-list', bare('?key[]=valid'), [refused(400, 401, 403, 422)]),
  ]),
  row('key-cookie', [{ keyCookie: [] }], KEY, [
    lets('the-key', { Cookie: 'sid=valid' }),
    lets(
      'beside-others',
      { Cookie: 'lang=en-US; sid=valid; a=b' },
      source('RFC 6265')('4.2.1', 'cookie-string = cookie-pair *( ";" SP cookie-pair )'),
    ),
    refusesKey('none'),
    refusesKey('an-empty-one', { Cookie: 'sid=' }),
    refusesKey('an-unknown-one', { Cookie: 'sid=31d4d96e407aad42' }),
    refusesKey('a-name-of-another-case', { Cookie: 'SID=valid' }),
    refusesKey('in-the-value-of-another', { Cookie: 'a=sid=valid' }),
    refusesKey('in-a-header', { sid: 'valid' }),
  ]),
];

const HTTP_ROWS: readonly Row[] = [
  row('basic', [{ basic: [] }], HTTP, [
    lets('name-and-password', basic('user:valid')),
    lets('the-scheme-in-lower-case', { Authorization: basic('user:valid')['Authorization']?.replace('Basic', 'basic') ?? '' }, CASE),
    lets('the-scheme-in-capitals', { Authorization: basic('user:valid')['Authorization']?.replace('Basic', 'BASIC') ?? '' }, CASE),
    refuses('none', {}, CHALLENGE),
    refuses(
      'the-example-of-the-RFC',
      { Authorization: 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==' },
      rfc7617(
        '2',
        'If the user agent wishes to send the user-id "Aladdin" and password "open sesame", it would use the following header field: Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
        'RFC 7617, 2',
      ),
    ),
    refuses(
      'the-example-with-UTF-8',
      { Authorization: 'Basic dGVzdDoxMjPCow==' },
      rfc7617(
        '2.1',
        'To authenticate with the user-id "test" and password "123£" ... Authorization: Basic dGVzdDoxMjPCow==',
        'RFC 7617, 2.1',
      ),
    ),
    refuses('another-password', basic('user:wrong'), CHALLENGE),
    refuses('another-name', basic('nobody:valid'), CHALLENGE),
    refuses('an-empty-password', basic('user:'), CHALLENGE),
    refuses('an-empty-name', basic(':valid'), CHALLENGE),
    refuses(
      'a-colon-in-the-password',
      basic('user:valid:more'),
      rfc7617(
        '2',
        'The first colon in a user-pass string separates user-id and password; ... text after the first colon is part of the password.',
      ),
    ),
    refuses('a-bearer-token', bearer('valid'), CHALLENGE),
    malformed(
      'no-Base64',
      { Authorization: 'Basic user:valid' },
      rfc7617('2', 'obtains the basic-credentials by encoding this octet sequence using Base64 into a sequence of US-ASCII characters'),
    ),
    malformed('no-colon', basic('uservalid'), rfc7617('2', 'user-pass = user-id ":" password')),
    malformed(
      'no-credentials',
      { Authorization: 'Basic' },
      rfc9110('11.4', 'credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]'),
    ),
    malformed(
      'no-scheme',
      { Authorization: Buffer.from('user:valid').toString('base64') },
      rfc9110('11.4', 'credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]'),
    ),
    malformed(
      'a-line-feed-in-Base64',
      { Authorization: `Basic ${Buffer.from('user:wrong\nuser:valid').toString('base64')}` },
      rfc7617('2', 'The user-id and password MUST NOT contain any control characters.'),
    ),
  ]),
  row('bearer', [{ bearer: [] }], HTTP, [
    lets('the-token', bearer('valid')),
    lets('the-scheme-in-lower-case', { Authorization: 'bearer valid' }, CASE),
    lets('the-scheme-in-capitals', { Authorization: 'BEARER valid' }, CASE),
    refuses('none', {}, CHALLENGE),
    refuses(
      'the-example-of-the-RFC',
      { Authorization: 'Bearer mF_9.B5f-4.1JqM' },
      rfc6750('2.1', 'GET /resource HTTP/1.1 Host: server.example.com Authorization: Bearer mF_9.B5f-4.1JqM', 'RFC 6750, 2.1'),
    ),
    refuses(
      'the-token-in-capitals',
      bearer('VALID'),
      rfc6750(
        '3.1',
        'invalid_token: The access token provided is expired, revoked, malformed, or invalid for other reasons. The resource SHOULD respond with the HTTP 401 (Unauthorized) status code.',
      ),
    ),
    refuses('name-and-password', basic('user:valid'), CHALLENGE),
    malformed('no-token', { Authorization: 'Bearer' }, rfc6750('2.1', 'credentials = "Bearer" 1*SP b64token')),
    malformed('only-blanks', { Authorization: 'Bearer  ' }, rfc6750('2.1', 'credentials = "Bearer" 1*SP b64token')),
    malformed('the-token-without-the-scheme', { Authorization: 'valid' }, rfc6750('2.1', 'credentials = "Bearer" 1*SP b64token')),
    malformed(
      'a-quoted-token',
      { Authorization: 'Bearer "valid"' },
      rfc6750('2.1', 'b64token = 1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="'),
    ),
    malformed('two-tokens', { Authorization: 'Bearer unknown valid' }, rfc6750('2.1', 'credentials = "Bearer" 1*SP b64token')),
    malformed(
      'two-credentials-in-one-field',
      { Authorization: 'Bearer unknown, Bearer valid' },
      rfc9110('11.6.2', 'Authorization = credentials'),
    ),
    // Two fields: which one counts would differ between a proxy and a server.
    malformed(
      'two-fields-the-first-is-unknown',
      { Authorization: 'Bearer unknown', authorization: 'Bearer valid' },
      rfc9110(
        '5.3',
        "a sender MUST NOT generate multiple field lines with the same name in a message ... unless that field's definition allows multiple field line values to be recombined as a comma-separated list",
      ),
    ),
    malformed('in-a-header-of-another-name', { 'X-Authorization': 'Bearer valid' }, HTTP),
  ]),
];

const COMBINED: readonly Row[] = [
  row('both', [{ keyHeader: [], bearer: [] }], ALL, [
    lets('both', { 'X-Key': 'valid', ...bearer('valid') }),
    lets('of-two-callers', { 'X-Key': 'admin', ...bearer('valid') }),
    refusesKey('none'),
    refusesKey('only-the-key', { 'X-Key': 'valid' }),
    refusesKey('only-the-token', bearer('valid')),
    refusesKey('an-unknown-key', { 'X-Key': 'unknown', ...bearer('valid') }),
    refusesKey('an-unknown-token', { 'X-Key': 'valid', ...bearer('unknown') }),
  ]),
  row(
    'two-keys',
    [{ keyQuery: [], keyCookie: [] }],
    oas(
      'Security Requirement Object',
      'This enables support for scenarios where multiple query parameters or HTTP headers are required to convey security information.',
    ),
    [
      lets('both', { Cookie: 'sid=valid' }, undefined, '?key=valid'),
      refusesKey('only-the-query', {}, '?key=valid'),
      refusesKey('only-the-cookie', { Cookie: 'sid=valid' }),
    ],
  ),
  row('either', [{ keyHeader: [] }, { bearer: [] }], ONE, [
    lets('the-first', { 'X-Key': 'valid' }),
    lets('the-second', bearer('valid')),
    lets('both', { 'X-Key': 'valid', ...bearer('valid') }),
    tried('an-unknown-one-and-a-known-one', bare('', { 'X-Key': 'unknown', ...bearer('valid') }), [
      { kind: 'received', received: 'anything' },
    ]),
    tried('a-known-one-and-an-unknown-one', bare('', { 'X-Key': 'valid', ...bearer('unknown') }), [
      { kind: 'received', received: 'anything' },
    ]),
    refusesKey('none'),
    refusesKey('two-unknown-ones', { 'X-Key': 'unknown', ...bearer('unknown') }),
  ]),
  row('either-two-or-one', [{ keyHeader: [], keyCookie: [] }, { basic: [] }], ONE, [
    lets('the-two', { 'X-Key': 'valid', Cookie: 'sid=valid' }),
    lets('the-one', basic('user:valid')),
    refusesKey('one-of-the-two', { 'X-Key': 'valid' }),
    lets('one-of-the-two-and-the-one', { 'X-Key': 'valid', ...basic('user:valid') }),
  ]),
  row('optional', [{}, { bearer: [] }], ANONYMOUS, [
    lets('none'),
    lets('the-token', bearer('valid')),
    tried('an-unknown-token', bare('', bearer('unknown')), [{ kind: 'received', received: 'anything' }, refused(401)]),
  ]),
  row(
    'inherited',
    undefined,
    oas(
      'OpenAPI Object',
      'security - A declaration of which security mechanisms can be used across the API. ... Individual operations can override this definition.',
    ),
    [lets('the-key', { 'X-Key': 'valid' }), refusesKey('none')],
  ),
  row('none', [], OVERRIDES, [lets('none'), lets('a-key', { 'X-Key': 'unknown' })]),
  row('another', [{ bearer: [] }], OVERRIDES, [lets('its-own', bearer('valid')), refuses('that-of-the-document', { 'X-Key': 'valid' })]),
];

const forbids = (what: string, fields: Fields): Tried => tried(what, bare('', fields), [refused(403)], FORBIDDEN);

const SCOPE_ROWS: readonly Row[] = [
  row('scope-read', [{ oauth: ['read'] }], SCOPES, [
    lets('a-token-with-it', bearer('valid')),
    lets('a-token-with-more', bearer('admin')),
    refuses('none', {}, CHALLENGE),
    refuses('an-unknown-token', bearer('unknown'), CHALLENGE),
  ]),
  row('scope-write', [{ oauth: ['write'] }], SCOPES, [
    lets('a-token-with-it', bearer('admin')),
    forbids('a-token-without-it', bearer('valid')),
  ]),
  row('scopes-both', [{ oauth: ['read', 'write'] }], SCOPES, [
    lets('a-token-with-both', bearer('admin')),
    forbids('a-token-with-one', bearer('valid')),
  ]),
  row(
    'scopes-none',
    [{ oauth: [] }],
    oas('Security Requirement Object', 'the list MAY be empty if authorization does not require a specified scope'),
    [lets('any-token', bearer('valid')), refuses('none')],
  ),
  row('scope-either', [{ oauth: ['write'] }, { keyHeader: [] }], ONE, [
    lets('a-token-with-it', bearer('admin')),
    lets('a-key', { 'X-Key': 'valid' }),
    tried('a-token-without-it-and-a-key', bare('', { 'X-Key': 'valid', ...bearer('valid') }), [{ kind: 'received', received: 'anything' }]),
    tried('a-token-without-it', bare('', bearer('valid')), [refused(401, 403)]),
  ]),
  row('open-id', [{ openId: ['write'] }], SCOPES, [
    lets('a-token-with-it', bearer('admin')),
    forbids('a-token-without-it', bearer('valid')),
    refuses('none', {}, CHALLENGE),
  ]),
  row(
    'petstore-auth',
    [{ petstoreAuth: ['write:pets', 'read:pets'] }],
    oas(
      'Security Requirement Object',
      'OAuth2 Security Requirement: petstore_auth: [write:pets, read:pets]',
      'OpenAPI 3.0.4, Security Requirement Object Examples',
    ),
    [forbids('a-token-without-them', bearer('admin')), refuses('none', {}, CHALLENGE)],
  ),
  row(
    'petstore-optional',
    [{}, { petstoreAuth: ['write:pets', 'read:pets'] }],
    oas(
      'Security Requirement Object',
      'Optional OAuth2 security: security: [{}, { petstore_auth: [write:pets, read:pets] }]',
      'OpenAPI 3.0.4, Security Requirement Object Examples',
    ),
    [lets('none')],
  ),
];

const REQUESTS: readonly Row[] = [
  row(
    'with-parameters',
    [{ bearer: [] }],
    HTTP,
    [
      lets('valid', bearer('valid'), undefined, '?n=5'),
      invalid(
        'not-valid',
        bare('?n=x', bearer('valid')),
        oas('Parameter Object', 'schema - The schema defining the type used for the parameter.'),
      ),
      tried('not-valid-and-no-token', bare('?n=x'), [refused(400, 401, 422)]),
      refuses('no-token', {}, CHALLENGE, '?n=5'),
    ],
    { operation: { security: [{ bearer: [] }], parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }] } },
  ),
  row('head', [{ bearer: [] }], CHALLENGE, [tried('without-a-token', (_, path) => bare()('HEAD', path), [UNAUTHORIZED])]),
];

const flows = (...scopes: string[]) => ({
  clientCredentials: {
    tokenUrl: 'https://auth.conformance.example/token',
    scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
  },
});

export const security: Group = rowGroup('security', '3.0.4', 'Security', [...KEYS, ...HTTP_ROWS, ...COMBINED, ...SCOPE_ROWS, ...REQUESTS], {
  security: [{ keyHeader: [] }],
  components: {
    securitySchemes: {
      keyHeader: { type: 'apiKey', in: 'header', name: 'X-Key' },
      keyQuery: { type: 'apiKey', in: 'query', name: 'key' },
      keyCookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'basic' },
      bearer: { type: 'http', scheme: 'bearer' },
      oauth: { type: 'oauth2', flows: flows('read', 'write') },
      petstoreAuth: { type: 'oauth2', flows: flows('write:pets', 'read:pets') },
      openId: { type: 'openIdConnect', openIdConnectUrl: 'https://auth.conformance.example/.well-known/openid-configuration' },
    },
  },
});
