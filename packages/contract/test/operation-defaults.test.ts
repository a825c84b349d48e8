/** `x-operation-defaults`: what is said once applies to every operation that meets its conditions, and problems of it are at its lines. */
import { describe, expect, test } from '@jest/globals';
import { checkDocument } from '../src/reading/check-document.ts';
import { parseSource } from '../src/reading/source-document.ts';
import type { Response } from '../src/document/openapi.ts';

const SPEC = `openapi: 3.0.3
info: { title: Test, version: '1' }
security: [{ key: [] }]
x-operation-defaults:
  - headers:
      X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }
    responses:
      '400': { $ref: '#/components/responses/BadRequest' }
      '500': { description: failed }
  - when: { requestBody: true }
    responses:
      '400': { $ref: '#/components/responses/BadBody' }
  - when: { security: true }
    responses:
      '401': { description: who are you }
  - when: { pathParameters: true }
    responses:
      '404': { description: not found }
  - when: { parameter: if-match, method: [put, delete] }
    responses:
      412: { description: changed }
  - when: { parameter: If-Match, status: 2XX }
    headers:
      ETag: { schema: { type: string } }
  - when: { deprecated: true, status: [400, '200'] }
    headers:
      Sunset: { schema: { type: string } }
paths:
  /things:
    get:
      operationId: listThings
      security: []
      responses:
        '200': { description: ok }
    post:
      operationId: createThing
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses:
        '201':
          description: ok
          headers:
            x-request-id: { schema: { type: integer } }
        '500': { description: own }
  /things/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get:
      operationId: getThing
      deprecated: true
      responses:
        '200': { description: ok }
    put:
      operationId: replaceThing
      parameters:
        - { name: If-Match, in: header, schema: { type: string } }
      responses:
        '200': { description: ok }
    delete:
      operationId: deleteThing
      responses:
        '204': { description: gone }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
  headers:
    X-Request-Id: { schema: { type: string } }
  responses:
    BadRequest: { description: bad }
    BadBody:
      description: bad body
`;

/** The responses of an operation, each as its description or reference and its headers. */
function responsesOf(text: string, path: string, method: 'get' | 'put' | 'post' | 'delete'): Record<string, [string, ...string[]]> {
  const { document } = parseSource('test.yaml', text);
  const responses = document.paths[path]?.[method]?.responses ?? {};
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const { $ref, description = '', headers = {} } = response as Response & { $ref?: string };
      return [status, [$ref?.split('/').at(-1) ?? description, ...Object.keys(headers)]];
    }),
  );
}

const edit = (from: string, to: string) => {
  expect(SPEC).toContain(from);
  return SPEC.replace(from, () => to);
};
const problemsOf = async (text: string) =>
  (await checkDocument(parseSource('test.yaml', text))).map(({ line, message }) => `${line} ${message}`);

describe('what is added', () => {
  test('without a condition, to every operation and to every response', () => {
    expect(responsesOf(SPEC, '/things', 'get')).toEqual({
      '200': ['ok', 'X-Request-Id'],
      '400': ['BadRequest'],
      '500': ['failed', 'X-Request-Id'],
    });
    const { components } = parseSource('test.yaml', SPEC).document;
    expect(components?.['responses']).toMatchObject({
      BadRequest: { headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } } },
      BadBody: { headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } } },
    });
  });

  test('by request body, security, path parameters; of several the last one, and always what the operation says itself', () => {
    expect(responsesOf(SPEC, '/things', 'post')).toEqual({
      '201': ['ok', 'x-request-id'],
      '400': ['BadBody'],
      '401': ['who are you', 'X-Request-Id'],
      '500': ['own', 'X-Request-Id'],
    });
    expect(Object.keys(responsesOf(SPEC, '/things/{id}', 'delete'))).toEqual(['204', '400', '401', '404', '500']);
  });

  test('by the name of a parameter, by method and by status', () => {
    const responses = responsesOf(SPEC, '/things/{id}', 'put');
    expect(responses).toMatchObject({ '200': ['ok', 'X-Request-Id', 'ETag'], '412': ['changed', 'X-Request-Id'] });
    const onGet = SPEC.replace('operationId: getThing', '$&\n      parameters: [{ name: If-Match, in: header, schema: { type: string } }]');
    expect(Object.keys(responsesOf(onGet, '/things/{id}', 'get'))).not.toContain('412');
  });

  test('to a copy of a response that is a reference, where the header is not for all', () => {
    expect(responsesOf(SPEC, '/things/{id}', 'get')).toEqual({
      '200': ['ok', 'X-Request-Id', 'Sunset'],
      '400': ['bad', 'X-Request-Id', 'Sunset'],
      '401': ['who are you', 'X-Request-Id'],
      '404': ['not found', 'X-Request-Id'],
      '500': ['failed', 'X-Request-Id'],
    });
    expect(responsesOf(SPEC, '/things/{id}', 'put')['400']).toEqual(['BadRequest']);
  });

  test('nothing to an operation that opts out, and not what it names', () => {
    const optOut = (value: string) => edit('operationId: deleteThing', `operationId: deleteThing\n      x-operation-defaults: ${value}`);
    expect(responsesOf(optOut('false'), '/things/{id}', 'delete')).toEqual({ '204': ['gone'] });
    expect(responsesOf(optOut("{ without: ['404', 500, x-request-id] }"), '/things/{id}', 'delete')).toEqual({
      '204': ['gone'],
      '400': ['BadRequest'],
      '401': ['who are you'],
    });
  });
});

test('the document that is served is valid, says nothing of defaults, and has the digest of one that is written out', async () => {
  const source = parseSource('test.yaml', edit('operationId: deleteThing', 'operationId: deleteThing\n      x-operation-defaults: false'));
  expect(await checkDocument(source)).toEqual([]);
  expect(JSON.stringify(source.document)).not.toContain('x-operation-defaults');
  expect(parseSource('test.json', source.text).digest).toBe(source.digest);
});

test('a document without defaults is its own text', () => {
  const text = "openapi: 3.0.3\ninfo: { title: Test, version: '1' } # a comment\npaths: {}\n";
  const source = parseSource('test.yaml', text);
  expect(source.text).toBe(text);
});

test('parts that were added are located where they are written', () => {
  const { locate } = parseSource('test.yaml', SPEC);
  const line = (...path: string[]) => locate(path).line;
  expect(line('paths', '/things', 'get', 'responses', '400')).toBe(8);
  expect(line('paths', '/things', 'post', 'responses', '400')).toBe(12);
  expect(line('paths', '/things', 'get', 'responses', '500', 'description')).toBe(9);
  expect(line('paths', '/things', 'get', 'responses', '200', 'headers', 'X-Request-Id', '$ref')).toBe(6);
  expect(line('paths', '/things/{id}', 'get', 'responses', '400', 'headers', 'Sunset')).toBe(27);
  // The copy of a component is the component; the header that it got itself is the entry's.
  expect(line('paths', '/things/{id}', 'get', 'responses', '400', 'description')).toBe(68);
  expect(line('components', 'responses', 'BadBody', 'headers', 'X-Request-Id')).toBe(6);
  expect(line('paths', '/things', 'post', 'responses', '500')).toBe(43);
});

describe('what is wrong is reported once, at its line', () => {
  test.each([
    ['a reference to nowhere', 'responses/BadBody', 'responses/BadBoddy', "12 Can't resolve $ref #/components/responses/BadBoddy"],
    ['a header to nowhere', 'headers/X-Request-Id', 'headers/X-Request', "6 Can't resolve $ref #/components/headers/X-Request"],
    [
      'an unknown condition',
      'pathParameters: true',
      'pathParameter: true',
      '16 pathParameter is not allowed here, only method, parameter, status, pathParameters, requestBody, security, deprecated',
    ],
    [
      'an unknown key',
      '  - when: { security: true }',
      '  - if: { security: true }',
      '13 if is not allowed here, only when, responses, headers',
    ],
    ['an unknown method', '[put, delete]', '[putt]', /^19 method must be get, put, .*, or a list of them$/],
    ['a condition of the wrong type', 'requestBody: true', 'requestBody: yes', '10 requestBody must be true or false'],
    ['a status that is none', "'404'", "'4004'", '18 4004 is not an HTTP status'],
    ['a condition on the status of responses', 'security: true', "status: '401'", /^13 status is a condition of headers/],
    [
      'an entry that adds nothing',
      '    headers:\n      ETag: { schema: { type: string } }\n',
      '',
      /^22 an entry .* needs responses, headers or both$/,
    ],
    [
      'an entry that is no object',
      "  - when: { security: true }\n    responses:\n      '401': { description: who are you }\n",
      '  - none\n',
      '13 an entry of x-operation-defaults must be { when, responses, headers }',
    ],
    [
      'responses that are no object',
      "responses:\n      '401': { description: who are you }",
      'responses: none',
      '14 responses must be an object',
    ],
    ['no list', 'x-operation-defaults:\n', 'x-operation-defaults:\n  all:\n', /^4 x-operation-defaults must be a list/],
    [
      'an opt-out of another form',
      'operationId: deleteThing',
      'operationId: deleteThing\n      x-operation-defaults: [404]',
      /^60 x-operation-defaults of an operation must be false, or/,
    ],
  ])('%s', async (_name, from, to, problem) => {
    const text = from.startsWith('x-operation-defaults')
      ? SPEC.replace(/x-operation-defaults:\n[^]*?(?=paths:)/, `${to}    x: 1\n`)
      : edit(from, to);
    expect(await problemsOf(text)).toEqual([typeof problem === 'string' ? problem : expect.stringMatching(problem)]);
  });

  test('a part that is not OpenAPI, which every operation has', async () => {
    const problems = await problemsOf(edit("'500': { description: failed }", "'500': { description: failed, contents: {} }"));
    expect(problems).toEqual([expect.stringMatching(/^9 Property `contents` is not expected here/)]);
  });

  test('a document with such a problem has another digest', () => {
    const wrong = parseSource('test.yaml', edit('requestBody: true', 'requestBody: yes'));
    const without = parseSource('test.json', wrong.text);
    expect(wrong.digest).not.toBe(without.digest);
  });
});
