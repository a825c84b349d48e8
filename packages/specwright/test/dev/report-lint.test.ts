/** What the loop says of lint: what was edited first, before the errors that follow from it, and no server with a pattern that can stop it. */
import { beforeEach, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { readProjectConfig } from '../../src/select-contracts.ts';
import { editedLines } from '../../src/dev/walk/changed-operations.ts';
import { createLintReport, type LintReport } from '../../src/dev/watched-contract.ts';
import type { Screen } from '../../src/dev/report/screen.ts';
import { withFolder } from '../../../../test/support/tools/folder.ts';

const SPEC = `openapi: 3.0.3
info: { title: Test, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      responses:
        '204':
          description: None.
components:
  schemas:
    Old: { type: string, format: e-mail }
    Name: { type: string, pattern: '^[a-z]+$' }
    Note: { type: string, nullable: true }
`;

const root = withFolder();
let report: LintReport;
let sections: [string, string, readonly string[], string | undefined][];
beforeEach(() => {
  root.write('package.json', '{"name":"test"}');
  root.write('.config/contract-rules.yaml', 'rules: {}\n');
  sections = [];
  const screen = {
    section: (name: string, summary: string, details: readonly string[] = [], fix?: string) =>
      void sections.push([name, summary, details, fix]),
  } as unknown as Screen;
  report = createLintReport({ project: readProjectConfig(root.path), screen, spec: 'spec.yaml' });
});

const save = (from = '', to = '') => {
  sections = [];
  const source = parseSource(
    'spec.yaml',
    SPEC.replace(from, () => to),
  );
  return { source, safe: report.begin(source) };
};

test('a problem in what was edited is shown at once; one that was there before waits for the complete lint', () => {
  expect(save().safe).toBe(true);
  expect(sections).toEqual([]);
  expect(save('None.\n', 'None.\n          content: { application/json: { schema: { type: string } } }\n').safe).toBe(true);
  expect(sections).toEqual([
    [
      'lint',
      expect.stringContaining('in what was edited'),
      [expect.stringMatching(/^spec\.yaml:10:11 a response with status 204 has no body \(status-without-body\)\n/)],
      'fix spec.yaml:10:11',
    ],
  ]);
});

test('nullable that is left in OpenAPI 3.1 is shown at once, though another line was edited', () => {
  expect(save().safe).toBe(true);
  save('openapi: 3.0.3', 'openapi: 3.1.0');
  expect(sections).toEqual([
    [
      'lint',
      '1 problem that other problems may follow from',
      [expect.stringMatching(/^spec\.yaml:14:27 nullable has no meaning in OpenAPI 3\.1 \(no-nullable\)\n/)],
      'fix spec.yaml:14:27',
    ],
  ]);
});

test('no server is started with an exponential pattern, whenever it was written', () => {
  expect(save("'^[a-z]+$'", "'^([a-z]+)+$'").safe).toBe(false);
  expect(save().safe).toBe(true);
  root.write('.config/contract-rules.yaml', 'rules: { exponential-pattern: off }\n');
  expect(save("'^[a-z]+$'", "'^([a-z]+)+$'").safe).toBe(true);
});

test('the complete lint names what was edited first, and repeats nothing', () => {
  report.end(save().source, []);
  const { source } = save('Name: {', 'Name: { format: nmae,');
  const shown = sections[0]?.[2][0] ?? '';
  expect(shown).toMatch(/^spec\.yaml:13:13 unknown format nmae/);
  report.end(source, ['spec.yaml:1:1 old (rule)\nfix', shown]);
  expect(sections.at(-1)).toEqual(['lint', '2 problems', [shown, 'spec.yaml:1:1 old (rule)\nfix'], 'fix spec.yaml:13:13']);
  report.end(source, [shown]);
  expect(sections.at(-1)).toEqual(['lint', '1 problem, shown above', [], undefined]);
});

test.each([
  ['a changed line', 'a\nb\nc', 'a\nx\nc', [2]],
  ['lines that were added', 'a\nb', 'a\nx\ny\nb', [2, 3]],
  ['a line that is gone: the next one', 'a\nb\nc', 'a\nc', [2]],
  ['two places: all between them', 'a\nb\nc\nd', 'x\nb\ny\nd', [1, 2, 3]],
  ['nothing', 'a\nb', 'a\nb', []],
])('lines that were edited: %s', (_, before, after, expected) => {
  const isEdited = editedLines(before, after);
  expect([1, 2, 3, 4].filter(isEdited)).toEqual(expected);
});
