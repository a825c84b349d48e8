/** The lint of the spec reports mistakes by rules of libraries at the line that has to change, and nothing without one. */
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { lintSpec, type LintProblem } from 'specwright';

const FILE = 'spec/petstore.yaml';
const SPEC = readFileSync(FILE, 'utf8');

/** From `part` on, `from` becomes `to`; then a problem of `rule` is due at the next line that reads `at`. */
interface Mutation {
  readonly name: string;
  readonly part: string;
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly rule: string;
}

/** Mistakes that stand beside each other. They are made together, so that the linters have to run only once. mutations.nightly.ts has the others. */
const MISTAKES: readonly Mutation[] = [
  {
    name: 'an operation without description',
    part: '  /categories:',
    from: '      description: The categories of the account, oldest first.\n',
    to: '',
    at: 'get:',
    rule: 'operation-description',
  },
  {
    name: 'a body of another media type',
    part: '      operationId: createOrder\n',
    from: 'application/json:',
    to: 'application/xml:',
    at: 'application/xml:',
    rule: 'request-mime-type',
  },
  {
    name: 'a key in the URL',
    part: '      operationId: listOrders\n',
    from: '- name: petId',
    to: '- name: apiKey',
    at: '- name: apiKey',
    rule: 'owasp:api2:2023-no-credentials-in-url',
  },
  {
    name: 'a list of any length',
    part: '    Pets:',
    from: '      maxItems: 100\n',
    to: '',
    at: 'Pets:',
    rule: 'owasp:api4:2023-array-limit',
  },
  {
    name: 'an object with any properties',
    part: '    NewCategory:',
    from: 'additionalProperties: false',
    to: 'additionalProperties: true',
    at: 'additionalProperties: true',
    rule: 'owasp:api3:2023-no-additionalProperties',
  },
];

function mutate(text: string, { name, part, from, to }: Mutation): string {
  const start = text.indexOf(part);
  const index = text.indexOf(from, start);
  if (start === -1 || index === -1) throw new Error(`${FILE} has no ${JSON.stringify(start === -1 ? part : from)}: adapt "${name}" to it`);
  return text.slice(0, index) + to + text.slice(index + from.length);
}

/** The line, from 1, that a mutation is to be found at. */
function lineOf(text: string, { part, at }: Mutation): number {
  const first = text.slice(0, text.indexOf(part)).split('\n').length - 1;
  return text.split('\n').findIndex((line, i) => i >= first && line.trim() === at) + 1;
}

/** The problems at the mutation's line, as rule names. */
const rulesAt = (problems: readonly LintProblem[], text: string, mutation: Mutation) =>
  problems.filter(({ line }) => line === lineOf(text, mutation)).map(({ rule }) => rule);

describe('the spec lint', () => {
  test('reports no problems in the committed spec', async () => {
    expect(await lintSpec(FILE, SPEC)).toEqual([]);
  });

  describe('among other mistakes', () => {
    const text = MISTAKES.reduce(mutate, SPEC);
    let problems: LintProblem[];
    beforeAll(async () => {
      problems = await lintSpec(FILE, text);
    });

    test.each(MISTAKES)('reports $name at its line, once', (mutation) => {
      expect(rulesAt(problems, text, mutation)).toEqual([mutation.rule]);
    });

    test('gives a reason and a fix of one line each', () => {
      for (const { reason, fix } of problems) for (const line of [reason, fix]) expect(line).toMatch(/^.{10,}$/);
    });

    test('sorts problems by line', () => {
      expect(problems.map(({ line }) => line)).toEqual(problems.map(({ line }) => line).sort((a, b) => a - b));
    });
  });
});
