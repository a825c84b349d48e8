/** A renamed component is one problem, where it was renamed, however many references it had. */
import { expect, test } from '@jest/globals';
import { checkDocument, parseSource } from '@specwright/contract/document';
import { rankSpecProblems } from '../../src/dev/watched-contract.ts';

const SPEC = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      responses:
        '200': { description: A., content: { application/json: { schema: { $ref: '#/components/schemas/Name' } } } }
        '400': { description: B., content: { application/json: { schema: { $ref: '#/components/schemas/Name' } } } }
components:
  schemas:
    Other:
      type: string
    Name:
      type: string
`;

const RENAMED = SPEC.replace('    Name:', '    Title:');
const ranked = async (text: string, before?: string) => {
  const source = parseSource('spec.yaml', text);
  const problems = rankSpecProblems(await checkDocument(source), before === undefined ? undefined : parseSource('spec.yaml', before), text);
  return problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
};

test('a renamed component is named at its line, with the number of references to the former name', async () => {
  expect(await checkDocument(parseSource('spec.yaml', RENAMED))).toHaveLength(2);
  expect(await ranked(RENAMED, SPEC)).toEqual([
    '14:5 #/components/schemas/Name is gone, and 2 references to it are left, first in line 8: restore it, or change them',
  ]);
});

test('a removed component, too', async () => {
  expect(await ranked(SPEC.replace('    Name:\n      type: string\n', ''), SPEC)).toEqual([
    expect.stringMatching(/^14:5 #\/components\/schemas\/Name is gone/),
  ]);
});

test('references to what was never there are one problem at the first of them', async () => {
  expect(await ranked(RENAMED)).toEqual([
    expect.stringMatching(/^8:\d+ Can't resolve \$ref #\/components\/schemas\/Name.*, in 2 references$/),
  ]);
  const wrong = SPEC.replace("'#/components/schemas/Name'", "'#/components/schemas/Nam'");
  expect(await ranked(wrong, SPEC)).toEqual([expect.stringMatching(/^8:\d+ Can't resolve \$ref #\/components\/schemas\/Nam\b/)]);
});
