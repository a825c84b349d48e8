/** Problems are collected by our code, in the words and the order of Ajv with all errors: what clients read does not depend on who finds them. */
import { ALL_MODULES } from '../src/all-modules.ts';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, parseSource, type Document } from '../src/document.ts';
import { MAX_VALIDATION_ERRORS } from '../src/document/problems.ts';
import { multipleOfKeyword } from '../src/schema/big-integers.ts';
import { AJV_FORMATS, FORMATS } from '../src/schema/formats.ts';
import { createSchemaSet } from '../src/schema/normalize-schema.ts';
import { REFERENCE_PREFIX } from '../src/schema/schema-reference.ts';
import { createSchemaCompiler, modelOf } from '../src/schema/model-of.ts';
import { STEPS } from '../src/schema/validation-run.ts';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly data: unknown }[];
}

const { files } = JSON.parse(readFileSync('packages/server/test/fixtures/json-schema-2020-12.json', 'utf8')) as {
  files: Readonly<Record<string, readonly Group[]>>;
};
/** Values that most schemas refuse. */
const VALUES: readonly unknown[] = [
  ...[null, true, 1, -5, 1.5, '', 'abc', 'x'.repeat(30)],
  ...[[], [1, 1], [{}, {}], [1, 'a', null, { a: [] }], {}, { a: 1 }, { foo: 1, bar: 'x', baz: null }, { a: { b: { c: 1 } } }],
];
/** Unevaluated parts: Ajv also reports those that a refused branch has evaluated. */
const listed = Object.entries(files).filter(([file]) => !file.startsWith('unevaluated'));

/** Ajv, with the same schemas. */
function oracleOf(document: Document): (value: unknown) => readonly ErrorObject[] {
  const set = createSchemaSet(modelOf(document), ALL_MODULES, 'response');
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    ownProperties: true,
    logger: false,
    formats: FORMATS,
  });
  addFormats.default(ajv, { mode: 'full', formats: [...AJV_FORMATS] });
  ajv.removeKeyword('multipleOf').addKeyword(multipleOfKeyword()).addKeyword(STEPS);
  const root = set.nameOf('#/components/schemas/X');
  const names = new Set([root]);
  for (const name of names) {
    const { schema, references } = set.named(name);
    for (const reference of references) names.add(reference.name);
    ajv.addSchema(schema, REFERENCE_PREFIX + name);
  }
  for (const [format, { test: isOfFormat }] of set.patterns) ajv.addFormat(format, isOfFormat);
  const validate = ajv.getSchema(REFERENCE_PREFIX + root);
  return (value) => (validate?.(value) === true ? [] : (validate?.errors ?? []).slice(0, MAX_VALIDATION_ERRORS));
}

const described = (errors: readonly ErrorObject[]) =>
  errors.map(({ keyword, instancePath, message, params }) => ({ keyword, instancePath, message, params: JSON.stringify(params) }));

test.each(listed)('%s', (_file, groups) => {
  for (const { schema, tests, description } of groups) {
    const X = isObject(schema) ? { $id: 'https://suite.example/schema', ...schema } : schema;
    const given = { openapi: '3.1.0', info: { title: 'Suite', version: '1' }, paths: {}, components: { schemas: { X } } };
    const compile = () => {
      const { document } = parseSource('suite.json', JSON.stringify(given));
      return { validate: createSchemaCompiler(document)('#/components/schemas/X'), oracle: oracleOf(document) };
    };
    let compiled: ReturnType<typeof compile>;
    try {
      compiled = compile();
    } catch {
      // The exceptions of the suite's own test.
      continue;
    }
    for (const value of [...tests.map(({ data }) => data), ...VALUES]) {
      compiled.validate(value);
      const problems = described(compiled.validate.errors ?? []);
      expect({ description, value, problems }).toEqual({ description, value, problems: described(compiled.oracle(value)) });
    }
  }
});

test('a format that is a hint is no problem of a value that is refused for something else', () => {
  const formats = ['password', 'binary', 'unknown'].map((format): [string, object] => [format, { type: 'string', format }]);
  const schema = { type: 'object', required: ['id'], properties: Object.fromEntries(formats) };
  const document = { openapi: '3.1.0', info: { title: 'Hints', version: '1' }, paths: {}, components: { schemas: { X: schema } } };
  const validate = createSchemaCompiler(document as unknown as Document)('#/components/schemas/X');
  expect(validate({ password: 'a', binary: 'b', unknown: 'c' })).toBe(false);
  expect(validate.errors?.map(({ message }) => message)).toEqual(["must have required property 'id'"]);
});
