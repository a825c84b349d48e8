/** JSON-Schema-Test-Suite, draft 2020-12: every required case, as a schema of an OpenAPI 3.1 document, but the exceptions listed. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createSchemaCompiler, isObject, parseSource } from '../src/document.ts';
import { SUITE_EXCEPTIONS } from './support/suite-exceptions.ts';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

/** No package of npm has draft 2020-12: the file is made of the suite's, with its license. */
const { files } = JSON.parse(readFileSync('packages/server/test/fixtures/json-schema-2020-12.json', 'utf8')) as {
  files: Readonly<Record<string, readonly Group[]>>;
};
const groups = Object.entries(files).flatMap(([file, listed]) =>
  listed.map((group): [string, Group] => [`${file} / ${group.description}`, group]),
);

/** @returns the cases whose result is another than that of the suite. */
function wrongCases({ schema, tests }: Group): string[] {
  try {
    // It is a resource of its own: its references begin at its root, not at the document's.
    const X = isObject(schema) ? { $id: 'https://suite.example/schema', ...schema } : schema;
    const document = { openapi: '3.1.0', info: { title: 'Suite', version: '1' }, paths: {}, components: { schemas: { X } } };
    const validate = createSchemaCompiler(parseSource('suite.json', JSON.stringify(document)).document)('#/components/schemas/X');
    return tests.filter(({ data, valid }) => validate(data) !== valid).map(({ description }) => description);
  } catch {
    return tests.map(({ description }) => description);
  }
}

test.each(groups)('%s', (name, group) => {
  const excepted = SUITE_EXCEPTIONS.flatMap(({ cases }) => cases[name] ?? []);
  // An exception that passes is no exception any more.
  expect(wrongCases(group).sort()).toEqual((excepted.includes('*') ? group.tests.map(({ description }) => description) : excepted).sort());
});

test('each exception is of a group that there is', () => {
  const names = new Set(groups.map(([name]) => name));
  expect(SUITE_EXCEPTIONS.flatMap(({ cases }) => Object.keys(cases).filter((name) => !names.has(name)))).toEqual([]);
});
