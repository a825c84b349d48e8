/** Each project rule reports its mistake at its line, and nothing in a document without mistakes. */
import { expect, test } from '@jest/globals';
import { PATTERN_RULES } from '../src/lint/rules/pattern-rules.ts';
import { TRAP_RULES } from '../src/lint/rules/trap-rules.ts';
import { checkProjectRules, RULES } from '../src/lint/rules/project-rules.ts';
import { parseSource } from '@specwright/server';
import { lintProblems, expectReported, GOOD, type Mistake } from './support/lint.ts';

/** The document begins with these defaults, and `deleteThing` with this line. */
const DELETE = 'paths:\n  /things/{id}:\n    delete:\n';
const withDefaults = (defaults: string, line = ''): [from: string, to: string] => [
  DELETE,
  `x-operation-defaults:\n${defaults}${DELETE}${line === '' ? '' : `      ${line}\n`}`,
];
const AGE = '  - headers: { Age: { schema: { type: integer }, example: 1 } }\n';
const CONFLICT = "  - when: { method: post }\n    responses: { '409': { $ref: '#/components/responses/Failed' } }\n";

const MISTAKES: readonly Mistake[] = [
  [
    'a body on DELETE',
    '      operationId: deleteThing\n',
    '      operationId: deleteThing\n      requestBody: { content: { text/plain: { schema: { type: string } } } }\n',
    'no-request-body',
    /a DELETE request has no body/,
    'requestBody: { content: { text',
  ],
  [
    'a body on GET',
    '    delete:\n      operationId: deleteThing\n',
    '    get:\n      operationId: deleteThing\n      requestBody: { content: { text/plain: { schema: { type: string } } } }\n',
    'no-request-body',
    /a GET request has no body/,
    'requestBody: { content: { text',
  ],
  [
    'an operationId that is not an identifier',
    'operationId: createThing',
    'operationId: create-thing',
    'operation-id-identifier',
    /create-thing/,
  ],
  [
    'an error without body',
    "4XX: { $ref: '#/components/responses/Failed' }",
    '4XX: { description: failed }',
    'error-body',
    /4XX of DELETE .* has no body/,
  ],
  [
    'an error with another body',
    "          schema: { $ref: '#/components/schemas/Error' }",
    "          schema: { $ref: '#/components/schemas/Thing' }",
    'error-body',
    /another body than Error/,
    "        application/json:\n          schema: { $ref: '#/components/schemas/Thing' }",
  ],
  [
    'a link to an unknown operation',
    'remove: { operationId: deleteThing',
    'remove: { operationId: deletThing',
    'link-operation',
    /no operation deletThing: did you mean deleteThing\?/,
  ],
  [
    'a default for a parameter that no operation has',
    'paths:\n',
    'x-operation-defaults:\n  - when: { parameter: [id, ide] }\n    headers: { Age: { schema: { type: integer }, example: 1 } }\npaths:\n',
    'operation-defaults',
    /no operation has a parameter ide: did you mean id\?/,
    'parameter: [id, ide]',
  ],
  [
    'a default that no operation meets',
    'paths:\n',
    'x-operation-defaults:\n  - when: { method: put, deprecated: true }\n    headers: { Age: { schema: { type: integer }, example: 1 } }\npaths:\n',
    'operation-defaults',
    /no operation meets method: put, deprecated: true: the entry has no effect/,
    'when: { method: put',
  ],
  [
    'a default for a status that no response has',
    'paths:\n',
    'x-operation-defaults:\n  - when: { method: [post, delete], status: [201, 204, 3XX] }\n    headers: { Age: { schema: { type: integer }, example: 1 } }\npaths:\n',
    'operation-defaults',
    /no operation that meets the condition has a response 3XX/,
    'status: [201',
  ],
  [
    'an opt-out of a header that no default adds',
    ...withDefaults(AGE, 'x-operation-defaults: { without: [Agee] }'),
    'operation-defaults',
    /Agee has no effect: no default adds it to this operation: did you mean Age\?/,
    'x-operation-defaults: { without',
  ],
  [
    'an opt-out of a status that the operation would not get',
    ...withDefaults(CONFLICT, "x-operation-defaults: { without: ['409'] }"),
    'operation-defaults',
    /409 has no effect: no default adds it to this operation$/,
    'x-operation-defaults: { without',
  ],
  [
    'an opt-out of a status that the operation declares',
    ...withDefaults(
      "  - responses: { '204': { description: gone }, '503': { $ref: '#/components/responses/Failed' } }\n",
      'x-operation-defaults: { without: [204] }',
    ),
    'operation-defaults',
    /204 has no effect: the operation declares this response itself/,
    'x-operation-defaults: { without',
  ],
  [
    'an opt-out of all defaults where none applies',
    ...withDefaults(CONFLICT, 'x-operation-defaults: false'),
    'operation-defaults',
    /no default applies to this operation/,
    'x-operation-defaults: false',
  ],
  [
    'an opt-out in a document without defaults',
    DELETE,
    `${DELETE}      x-operation-defaults: { without: [Age] }\n`,
    'operation-defaults',
    /Age has no effect/,
    'x-operation-defaults',
  ],
  [
    'a default response that every operation overrides',
    ...withDefaults("  - when: { method: delete }\n    responses:\n      4XX: { $ref: '#/components/responses/Failed' }\n"),
    'operation-defaults',
    /no operation takes the response 4XX from here/,
    "      4XX: { $ref: '#/components/responses/Failed' }",
  ],
  [
    'a default response that a later entry overrides',
    ...withDefaults(`${CONFLICT}${CONFLICT.replace('post', '[post, delete]')}`),
    'operation-defaults',
    /no operation takes the response 409 from here/,
    "    responses: { '409'",
  ],
  [
    'a default header that every response declares',
    ...withDefaults("  - when: { method: post, status: '201' }\n    headers:\n      count: { schema: { type: integer }, example: 1 }\n"),
    'operation-defaults',
    /no response takes the header count from here/,
    '      count:',
  ],
  [
    'an Idempotency-Key on GET',
    '    delete:\n      operationId: deleteThing\n      parameters:\n',
    '    get:\n      operationId: deleteThing\n      parameters:\n        - { name: idempotency-key, in: header, schema: { type: string } }\n',
    'idempotency-key',
    /a GET request changes nothing/,
    '{ name: idempotency-key',
  ],
  [
    'an Idempotency-Key in the query',
    'operationId: createThing\n',
    'operationId: createThing\n      parameters: [{ name: Idempotency-Key, in: query, schema: { type: string } }]\n',
    'idempotency-key',
    /is read from a header, not from the query/,
    'parameters: [{ name: Idempotency-Key',
  ],
  [
    'a response header Content-Type',
    'Count: { schema: { type: integer }, example: 1 }',
    'Content-Type: { schema: { type: string } }',
    'ignored-header',
    /the response header Content-Type is ignored: declare the media types of the body/,
  ],
  [
    'a readOnly property that requests are to have',
    '      required: [name]\n      properties:\n',
    '      required: [name, id]\n      properties:\n        id: { type: integer, readOnly: true }\n',
    'required-read-only',
    /id is required and readOnly, in a schema that only requests have/,
    'required: [name, id]',
  ],
  ['a link to an unknown path', '~1things~1{id}/delete', '~1things~1{id}/get', 'link-operation', /no operation at/],
  ['a link with an unknown parameter', '{ id: $response', '{ ident: $response', 'link-parameter', /deleteThing has no parameter ident/],
  ['a link with a parameter elsewhere', 'path.id:', 'query.id:', 'link-parameter', /no parameter query\.id/],
  ['lengths that cross', 'minLength: 2, maxLength: 4', 'minLength: 5, maxLength: 4', 'bounds', /minLength 5 is greater than maxLength 4/],
  [
    'counts of properties that cross',
    'tags: { type: object,',
    'tags: { type: object, minProperties: 2, maxProperties: 1,',
    'bounds',
    /minProperties 2/,
  ],
  [
    'items that cross',
    'Count: { schema: { type: integer }, example: 1 }',
    'Count: { schema: { type: array, items: { type: string }, minItems: 2, maxItems: 1 } }',
    'bounds',
    /minItems 2/,
  ],
  [
    'an empty range',
    'schema: { type: integer, minimum: 1, maximum: 9 }',
    'schema: { type: integer, minimum: 1, exclusiveMaximum: true, maximum: 1 }',
    'bounds',
    /one of them is exclusive/,
  ],
  ['an unknown format', 'format: date-time', 'format: datetime', 'known-format', /unknown format datetime: did you mean date-time\?/],
  ['an invalid pattern', "'^[a-z]+$'", "'^[a-z+$'", 'valid-pattern', /Invalid regular expression/],
  ['an enum value of another type', 'enum: [s, m, xl]', 'enum: [s, 1, xl]', 'valid-enum', /^1 must be string|1 must be string/],
  ['an enum value that is too long', 'enum: [s, m, xl]', 'enum: [s, m, xxl]', 'valid-enum', /"xxl" must NOT have more than 2/],
  ['null in an enum that is not nullable', 'enum: [s, m, xl]', 'enum: [s, m, null]', 'valid-enum', /null must be string/],
  [
    'a default that is not in the enum',
    'default: s',
    'default: xxl',
    'valid-default',
    /the default must be equal to one of the allowed values/,
  ],
  [
    'an example of a body without what is required',
    'example: { name: ab }',
    'example: { size: s }',
    'valid-example',
    /must have required property 'name'/,
  ],
  ['an example of a response, at the value', 'value: { id: 1, name: ab }', 'value: { id: 0, name: ab }', 'valid-example', /must be >= 1/],
  ['an example of a header', 'example: 1', 'example: one', 'valid-example', /must be integer/],
  [
    'an example of a schema',
    'name: { type: string, minLength: 2, maxLength: 4 }',
    'name: { type: string, minLength: 2, maxLength: 4, example: a }',
    'valid-example',
    /fewer than 2/,
  ],
  [
    'a discriminator that is not required',
    'Cat: { type: object, required: [kind],',
    'Cat: { type: object,',
    'discriminator-required',
    /kind is not required/,
  ],
  [
    'a discriminator that is not declared',
    'properties: { kind: { type: string, enum: [dog] }, name',
    'properties: { name',
    'discriminator-required',
    /kind is not a property/,
  ],
  [
    'a discriminator that the schema of no branches does not declare',
    'Dog: { type: object,',
    'Dog: { type: object, discriminator: { propertyName: breed },',
    'discriminator-required',
    /breed is not a property of this schema/,
  ],
  [
    'a discriminator that the schema of no branches does not require',
    'Dog: { type: object,',
    'Dog: { type: object, discriminator: { propertyName: name },',
    'discriminator-required',
    /name is not required in this schema/,
  ],
  ['a mapping to an unknown schema', 'dog: Dog', 'dog: Doge', 'discriminator-mapping', /dog is mapped to Doge, which is not defined/],
  [
    'a mapping to a schema that is not a branch',
    'dog: Dog',
    'dog: Dog, bird: Thing',
    'discriminator-mapping',
    /bird is mapped to Thing, which is not a branch/,
  ],
  [
    'a branch that accepts any value of the discriminator',
    'enum: [cat] }',
    'maxLength: 9 }',
    'discriminator-value',
    /kind must allow exactly cat here/,
  ],
  [
    'a header parameter that is ignored',
    '{ name: id, in: path, required: true',
    '{ name: authorization, in: header, schema: { type: string } }\n        - { name: id, in: path, required: true',
    'ignored-header',
    /authorization is ignored: declare a security scheme/,
    '{ name: authorization',
  ],
  [
    'a body of a response that has none',
    "'204': { description: gone }",
    "'204': { description: gone, content: { text/plain: { schema: { type: string } } } }",
    'status-without-body',
    /status 204 has no body/,
  ],
  [
    'a property that is neither read nor written',
    'maximum: 9, readOnly: true }',
    'maximum: 9, readOnly: true, writeOnly: true }',
    'read-or-write-only',
    /both/,
  ],
  ['a required property with a default', 'required: [name]\n', 'required: [name, size]\n', 'required-default', /size is required/],
  [
    'a required parameter with a default',
    'schema: { type: integer, minimum: 1, maximum: 9 }',
    'schema: { type: integer, default: 1, minimum: 1, maximum: 9 }',
    'required-default',
    /parameter id is required/,
  ],
  [
    'a request that accepts any property',
    '      additionalProperties: false\n      required: [name]\n',
    '      required: [name]\n',
    'closed-request',
    /without additionalProperties/,
    '    NewThing:',
  ],
  [
    'an object in a request that accepts any property',
    'name: { type: string, minLength: 2, maxLength: 4 }',
    'name: { type: string, minLength: 2, maxLength: 4 }\n        list: { type: array, items: { type: object, properties: { a: { type: string } } } }',
    'closed-request',
    /without additionalProperties/,
    'list: {',
  ],
  [
    'a misspelled extension',
    'operationId: deleteThing\n',
    'operationId: deleteThing\n      x-stabilty: beta\n',
    'extension-name',
    /unknown extension x-stabilty: did you mean x-stability\?/,
    'x-stabilty',
  ],
  [
    'an extension that is not read where it is',
    '  /things/{id}:\n',
    '  /things/{id}:\n    x-stability: beta\n',
    'extension-name',
    /x-stability is only read at an operation/,
    'x-stability',
  ],
  [
    'a deprecation that no response announces',
    'operationId: deleteThing\n',
    'operationId: deleteThing\n      deprecated: true\n',
    'lifecycle-headers',
    /deprecated without x-deprecated-since/,
    'deprecated: true',
  ],
  [
    'a deprecation whose header is not declared',
    'operationId: deleteThing\n',
    "operationId: deleteThing\n      deprecated: true\n      x-deprecated-since: '2026-01-01'\n",
    'lifecycle-headers',
    /response 204 does not declare Deprecation, which x-deprecated-since/,
    "'204'",
  ],
];

const DECLARED = `operationId: deleteThing
      deprecated: true
      x-deprecated-since: '2026-01-01'
      x-company-owner: team
`;

test('an operation that declares the headers of its deprecation, and extensions of others, are no problems', () => {
  const text = GOOD.replace('operationId: deleteThing\n', DECLARED).replace(
    'description: gone }',
    'description: gone, headers: { deprecation: { schema: { type: string } } } }',
  );
  expect(lintProblems(text)).toEqual([]);
});

test('opt-outs that change something are no problems', () => {
  const [from, to] = withDefaults(`${AGE}${CONFLICT.replace('post', '[post, delete]')}`, "x-operation-defaults: { without: [age, '409'] }");
  expect(lintProblems(GOOD.replace(from, () => to))).toEqual([]);
});

test('a readOnly property that is required in responses is no problem, in a schema of requests too', () => {
  const text = GOOD.replace(
    "content:\n          application/json:\n            schema: { $ref: '#/components/schemas/NewThing' }",
    (body) => body.replace('NewThing', 'Thing'),
  ).replace(
    '      type: object\n      required: [id, name]',
    '      type: object\n      additionalProperties: false\n      required: [id, name]',
  );
  expect(text).not.toContain('schemas/NewThing');
  expect(lintProblems(text).filter((problem) => problem.includes('required-read-only'))).toEqual([]);
});

test('the fix of a deprecation asks for what is missing, and not for what is there', () => {
  const fixes = (to: string, status = '') => {
    const text = GOOD.replace('operationId: deleteThing\n', () => `operationId: deleteThing\n${to}`).replace(
      'description: gone }',
      `description: gone${status} }`,
    );
    return checkProjectRules(parseSource('test.yaml', text), {}).map(({ rule, problem }) => problem.fix ?? rule.fix);
  };
  const declared = ', headers: { Deprecation: { schema: { type: string } } }';
  expect(fixes('      deprecated: true\n', declared)).toEqual([expect.stringMatching(/^Add x-deprecated-since: 'YYYY-MM-DD'[^;]*\.$/)]);
  expect(fixes("      deprecated: true\n      x-deprecated-since: '2026-01-01'\n")).toEqual([
    expect.stringMatching(/^Declare the header in the response/),
  ]);
});

test('reports nothing in a document without mistakes', () => {
  expect(lintProblems(GOOD)).toEqual([]);
});

test.each(MISTAKES)('reports %s at its line', (...mistake) => expectReported(...mistake));

test('every rule has a reason and a fix of one line each', () => {
  for (const { reason, fix } of RULES) for (const line of [reason, fix]) expect(line).toMatch(/^.{15,}\.$/);
});

test('every rule has a mistake', () => {
  const others = RULES.filter((rule) => ![...TRAP_RULES, ...PATTERN_RULES].includes(rule));
  expect(new Set(MISTAKES.map(([, , , rule]) => rule))).toEqual(new Set(others.map(({ name }) => name)));
});
