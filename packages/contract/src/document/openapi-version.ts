/** Which versions of OpenAPI are read, and what to do with a document of another one. */
import { isObject, type Document } from './openapi.ts';
import { quotedPath } from './quoted-path.ts';
import { visitSchemas, type DocumentPath } from './visit-schemas.ts';

/** Whether a document is of OpenAPI 3.0, in which what is beside a `$ref` is ignored (3.0.3, section 4.7.23). */
export const isVersion30 = (document: { readonly openapi?: unknown }): boolean => String(document.openapi).startsWith('3.0.');

const SUPPORTED = 'only OpenAPI 3.0, 3.1 and 3.2 are supported';

/**
 * Why a document is not read.
 *
 * @param file its name, for the command that converts it. @returns `undefined` for OpenAPI 3.0.x, 3.1.x and 3.2.x.
 */
export function versionProblem(document: unknown, file: string): string | undefined {
  const { swagger, openapi } = isObject(document) ? document : {};
  if (typeof openapi === 'string' && /^3\.[012]\.\d+(-.*)?$/.test(openapi)) return undefined;
  if (swagger !== undefined)
    return `is Swagger 2.0, and ${SUPPORTED}: \`npx swagger2openapi ${quotedPath(file)} --outfile openapi.yaml\` converts it`;
  const minor = /^3\.[012]$/.exec(String(openapi))?.[0] ?? (openapi === 3 ? '3.0' : undefined);
  if (minor !== undefined) return `has no full OpenAPI version: write \`openapi: ${LATEST[minor]}\``;
  if (typeof openapi === 'number' || /^\d/.test(String(openapi)))
    return `is OpenAPI ${String(openapi)}, and ${SUPPORTED}. Swagger 2.0 says \`swagger: '2.0'\` in its place`;
  return 'is not an OpenAPI document: it has no `openapi: 3.1.2` at its root';
}

const LATEST: Readonly<Record<string, string>> = { '3.0': '3.0.4', '3.1': '3.1.2', '3.2': '3.2.0' };

/** Also as it is often misspelt: with `http`, and with a fragment. */
const KNOWN =
  /^https?:\/\/(spec\.openapis\.org\/oas\/3\.[12]\/dialect\/(base|\d{4}-\d\d-\d\d)|json-schema\.org\/draft\/2020-12\/schema)#?$/;

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
