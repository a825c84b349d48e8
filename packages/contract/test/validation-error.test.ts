/** What is said of a value that a schema refuses: what is wrong, and which part of it. */
import { expect, test } from '@jest/globals';
import { parseSource } from '../src/document.ts';
import { createSchemaCompiler } from '../src/schema/model-of.ts';
import { describeErrors } from '../src/schema/validation-error.ts';

test.each<[schema: object, value: unknown, ...problems: string[]]>([
  [
    { type: 'array', prefixItems: [{ type: 'integer' }], items: false },
    [1, 2, 3],
    'body/1 is one item too many',
    'body/2 is one item too many',
  ],
  [{ type: 'object', properties: { no: false } }, { no: 1 }, 'body/no must not be given'],
  [
    { type: 'object', propertyNames: { maxLength: 3 } },
    { abcd: 1, 'a/bc': 2, ok: 3 },
    'body/abcd name must NOT have more than 3 characters',
    'body/a~1bc name must NOT have more than 3 characters',
  ],
  [
    { type: 'object', properties: { tags: { type: 'object', propertyNames: { maxLength: 3 } } } },
    { tags: { ['a'.repeat(100)]: 1, ['b'.repeat(101)]: 2 } },
    `body/tags/${'a'.repeat(100)} name must NOT have more than 3 characters`,
    `body/tags name ${'b'.repeat(100)}... must NOT have more than 3 characters`,
  ],
  [{ type: 'object', propertyNames: { enum: ['a', 'b'] } }, { c: 1 }, 'body/c name must be equal to one of the allowed values: a, b'],
  [{ type: 'object', propertyNames: false }, { c: 1 }, 'body/c name must not be given'],
  [{ not: { type: 'string' } }, 'x', 'body must not be string'],
  [{ not: { type: ['string', 'null'] } }, null, 'body must not be string or null'],
  [{ not: { const: 'draft' } }, 'draft', 'body must not be "draft"'],
  [{ not: { enum: [1, 2] } }, 2, 'body must not be one of 1, 2'],
  [{ enum: [1, '1'] }, 2, 'body must be equal to one of the allowed values: 1, "1"'],
  [{ not: { required: ['a', 'b'] } }, { a: 1, b: 1 }, 'body must not have a and b'],
  [{ not: { type: 'object', required: ['a'] } }, { a: 1 }, 'body must not be what the schema refuses by `not`'],
])('%j refuses %j', (X, value, ...problems) => {
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components: { schemas: { X } } };
  const validate = createSchemaCompiler(parseSource('t.json', JSON.stringify(document)).document)('#/components/schemas/X');
  expect(validate(value)).toBe(false);
  expect(describeErrors('body', validate.errors).map(({ location, message }) => `${location} ${message}`)).toEqual(problems);
});

test('the keyword of a pattern is pattern, and that of a format is format', () => {
  const X = { type: 'object', properties: { a: { type: 'string', pattern: '^x$' }, b: { type: 'string', format: 'date' } } };
  const document = { openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {}, components: { schemas: { X } } };
  const validate = createSchemaCompiler(parseSource('t.json', JSON.stringify(document)).document)('#/components/schemas/X');
  expect(validate({ a: 'y', b: 'y' })).toBe(false);
  expect(describeErrors('body', validate.errors).map(({ location, keyword }) => [location, keyword])).toEqual([
    ['body/a', 'pattern'],
    ['body/b', 'format'],
  ]);
});
