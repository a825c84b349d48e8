/** JSON-Schema-Test-Suite, draft 2020-12: every required case, as a schema of an OpenAPI 3.1 document, but the exceptions listed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createSchemaCompiler, isObject, parseSource } from '../../src/document.ts';
import { SUITE_EXCEPTIONS } from '../support/suite-exceptions.ts';

/** The folder of a checkout of the suite; no package of npm has draft 2020-12. */
const FOLDER = process.env['JSON_SCHEMA_TEST_SUITE'] ?? '';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const folder = join(FOLDER, 'tests/draft2020-12');
const groups = !existsSync(folder)
  ? []
  : readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) =>
        (JSON.parse(readFileSync(join(folder, name), 'utf8')) as Group[]).map((group): [string, Group] => [
          `${name.slice(0, -'.json'.length)} / ${group.description}`,
          group,
        ]),
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

if (groups.length === 0) test.todo('JSON_SCHEMA_TEST_SUITE names no folder with tests/draft2020-12');
else
  test.each(groups)('%s', (name, group) => {
    const excepted = SUITE_EXCEPTIONS.flatMap(({ cases }) => cases[name] ?? []);
    // An exception that passes is no exception any more.
    expect(wrongCases(group).sort()).toEqual(
      (excepted.includes('*') ? group.tests.map(({ description }) => description) : excepted).sort(),
    );
  });
