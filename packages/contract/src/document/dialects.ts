/** The dialects of JSON Schema that a document names: schemas are read as JSON Schema 2020-12, so another one would be misread. */
import { isObject, type Document } from './openapi.ts';
import { visitSchemas, type DocumentPath } from './visit-schemas.ts';

const KNOWN = /^https:\/\/(spec\.openapis\.org\/oas\/3\.[12]\/dialect\/(base|\d{4}-\d\d-\d\d)|json-schema\.org\/draft\/2020-12\/schema)#?$/;

/** Each dialect that is not read, with the path of what names it: `jsonSchemaDialect`, or `$schema` within a schema. */
export function dialectProblems(document: Document): [path: DocumentPath, problem: string][] {
  const problems: [DocumentPath, string][] = [];
  const check = (keyword: string, value: unknown, path: DocumentPath): void => {
    if (value === undefined || (typeof value === 'string' && KNOWN.test(value))) return;
    problems.push([
      [...path, keyword],
      `${keyword} ${JSON.stringify(value)} is another dialect of JSON Schema: write the schemas in 2020-12, and remove ${keyword}`,
    ]);
  };
  check('jsonSchemaDialect', document.jsonSchemaDialect, []);
  visitSchemas(document, (schema, path) => isObject(schema) && check('$schema', schema['$schema'], path));
  return problems;
}
