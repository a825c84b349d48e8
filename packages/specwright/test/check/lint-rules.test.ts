/** Each project rule reports its mistake at its line, and nothing in a document without mistakes. */
import { expect, test } from '@jest/globals';
import { CALLBACK_RULES, FORM_RULES, VERSION_RULES } from '../../src/lint/rules/operation-rules.ts';
import { EFFECT_RULES } from '../../src/lint/rules/effect-rules.ts';
import { INTEGER_RULES } from '../../src/lint/rules/schema-rules.ts';
import { PATTERN_RULES } from '../../src/lint/rules/pattern-rules.ts';
import { TRAP_RULES } from '../../src/lint/rules/trap-rules.ts';
import { checkProjectRules, RULES } from '../../src/lint/rules/project-rules.ts';
import { parseSource } from '@specwright/contract/document';
import { lintProblems, expectReported, GOOD } from './support/lint.ts';
import { AGE, CONFLICT, DEFAULTS_MISTAKES, withDefaults } from './support/mistakes-in-defaults.ts';
import { OPERATION_MISTAKES } from './support/mistakes-in-operations.ts';
import { VALUE_MISTAKES } from './support/mistakes-in-values.ts';

const MISTAKES = [...OPERATION_MISTAKES, ...DEFAULTS_MISTAKES, ...VALUE_MISTAKES];

const DECLARED = `operationId: deleteThing
      deprecated: true
      x-deprecated-since: '2026-01-01'
      x-company-owner: team
`;

test('an operation that declares the headers of its deprecation, and extensions of others, are no problems', () => {
  const text = GOOD.replace('operationId: deleteThing\n', DECLARED).replace(
    'description: gone }',
    'description: gone, headers: { deprecation: { schema: { type: string } } } }',
  );
  expect(lintProblems(text)).toEqual([]);
});

test('opt-outs that change something are no problems', () => {
  const [from, to] = withDefaults(`${AGE}${CONFLICT.replace('post', '[post, delete]')}`, "x-operation-defaults: { without: [age, '409'] }");
  expect(lintProblems(GOOD.replace(from, () => to))).toEqual([]);
});

test('a document without a schema Error is not told to refer to it', () => {
  const text = GOOD.replaceAll('schemas/Error', 'schemas/Problem').replace(/^ {4}Error:/m, '    Problem:');
  expect(text).toContain('    Problem:');
  expect(lintProblems(text).filter((problem) => problem.includes('error-body'))).toEqual([]);
});

test('a readOnly property that is required in responses is no problem, in a schema of requests too', () => {
  const text = GOOD.replace(
    "content:\n          application/json:\n            schema: { $ref: '#/components/schemas/NewThing' }",
    (body) => body.replace('NewThing', 'Thing'),
  ).replace(
    '      type: object\n      required: [id, name]',
    '      type: object\n      additionalProperties: false\n      required: [id, name]',
  );
  expect(text).not.toContain('schemas/NewThing');
  expect(lintProblems(text).filter((problem) => problem.includes('required-read-only'))).toEqual([]);
});

test('the fix of a deprecation asks for what is missing, and not for what is there', () => {
  const fixes = (to: string, status = '') => {
    const text = GOOD.replace('operationId: deleteThing\n', () => `operationId: deleteThing\n${to}`).replace(
      'description: gone }',
      `description: gone${status} }`,
    );
    return checkProjectRules(parseSource('test.yaml', text), {}).map(({ rule, problem }) => problem.fix ?? rule.fix);
  };
  const declared = ', headers: { Deprecation: { schema: { type: string } } }';
  expect(fixes('      deprecated: true\n', declared)).toEqual([expect.stringMatching(/^Add x-deprecated-since: 'YYYY-MM-DD'[^;]*\.$/)]);
  expect(fixes("      deprecated: true\n      x-deprecated-since: '2026-01-01'\n")).toEqual([
    expect.stringMatching(/^Declare the header in the response/),
  ]);
});

test('reports nothing in a document without mistakes', () => {
  expect(lintProblems(GOOD)).toEqual([]);
});

test.each(MISTAKES)('reports %s at its line', (...mistake) => expectReported(...mistake));

test('every rule has a reason and a fix of one line each', () => {
  for (const { reason, fix } of RULES) for (const line of [reason, fix]) expect(line).toMatch(/^.{15,}\.$/);
});

test('every rule has a mistake', () => {
  const others = RULES.filter(
    (rule) =>
      ![...CALLBACK_RULES, ...TRAP_RULES, ...PATTERN_RULES, ...INTEGER_RULES, ...VERSION_RULES, ...FORM_RULES, ...EFFECT_RULES].includes(
        rule,
      ),
  );
  expect(new Set(MISTAKES.map(([, , , rule]) => rule))).toEqual(new Set(others.map(({ name }) => name)));
});
