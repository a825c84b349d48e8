/** The rule of the linter that keeps header fields of responses in one value: each way past it that is put back is an error. */
import { expect, test } from '@jest/globals';
import { ESLint } from 'eslint';

// With CI=true the parser reads files from the disk, and not the text that is linted.
process.env['TSESTREE_SINGLE_RUN'] = 'false';

const eslint = new ESLint({ overrideConfigFile: '.config/eslint.js' });
const RULE = 'responses/header-fields';

/** How often a text breaks the rule as a source of the server. */
async function count(text: string, file: string): Promise<number> {
  const [result] = await eslint.lintText(`${text}\n`, { filePath: `packages/server/src/${file}` });
  return (result?.messages ?? []).filter(({ ruleId }) => ruleId === RULE).length;
}

const PRELUDE = `import type { ServerResponse } from 'node:http';
import { HeaderFields } from '@specwright/contract';
interface Given { readonly headers: Record<string, string>; readonly response: ServerResponse }`;
const inSource = (body: string) => `${PRELUDE}\nexport function f({ response, ...given }: Given): unknown {\n  ${body}\n}`;

test.each([
  ['is written to the response', `return response.setHeader('Cache-Control', 'no-store');`],
  ['is added to the response', `return response.appendHeader('Vary', 'Origin');`],
  ['is written with the head', `return response.writeHead(200, { ETag: '"1"' });`],
  ['is removed from the response', `response.removeHeader('ETag'); return given;`],
  ['is read by its spelling', `return given.headers['ETag'];`],
  ['is looked for by its spelling', `return 'Retry-After' in given.headers;`],
  ['is looked for in an object', `return Object.hasOwn(given.headers, 'ETag');`],
  ['is made of a list of names', `return new HeaderFields(['A', '1', 'a', '2']);`],
])('a header field that %s is refused', async (_, body) => expect(await count(inSource(body), 'errors.ts')).toBe(1));

test.each([
  ['of a request, in lower case', `return given.headers['if-match'];`],
  ['of the one value', `return HeaderFields.of(given.headers).get('ETag');`],
])('a header field %s is not', async (_, body) => expect(await count(inSource(body), 'errors.ts')).toBe(0));

test('what writes the one value to the response is exempt', async () =>
  expect(await count(inSource('return response.writeHead(200);'), 'pipeline/send-response.ts')).toBe(0));
