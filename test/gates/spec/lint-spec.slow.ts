/** The lint of the spec reports each kind of mistake at the line that has to change, and nothing without one. */
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

/** Mistakes that hide others: what is not OpenAPI is not looked at further. Each is made alone. */
const STRUCTURAL: readonly Mutation[] = [
  {
    name: 'text that is not YAML',
    part: '  /categories:',
    from: ' summary: List',
    to: '  summary: List',
    at: 'summary: List categories',
    rule: 'contract',
  },
  {
    name: 'an unknown keyword',
    part: '  /categories:',
    from: 'summary: List',
    to: 'sumary: List',
    at: 'sumary: List categories',
    rule: 'struct',
  },
  {
    name: 'a reference that leads nowhere',
    part: '  /categories:',
    from: 'schemas/NewCategory',
    to: 'schemas/NewCategori',
    at: "schema: { $ref: '#/components/schemas/NewCategori' }",
    rule: 'no-unresolved-refs',
  },
];

/** Mistakes that stand beside each other. They are made together, so that the linters have to run only once. */
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
    name: 'a write that anybody may do',
    part: '      operationId: deletePet\n      tags',
    from: 'summary:',
    to: 'security: []\n      summary:',
    at: 'security: []',
    rule: 'owasp:api2:2023-write-restricted',
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
    name: 'a deprecation without a day',
    part: '      operationId: getPet\n      tags',
    from: "x-deprecated-sunset: '2027-12-31'",
    to: 'x-deprecated-sunset: soon',
    at: 'x-deprecated-sunset: soon',
    rule: 'contract',
  },
  {
    name: 'a response without request id',
    part: '\nx-operation-defaults:',
    from: "      X-Request-Id: { $ref: '#/components/headers/X-Request-Id' }\n",
    to: '',
    at: "'200':",
    rule: 'response-contains-header',
  },
  {
    name: 'an example that its schema refuses',
    part: '    Pet:',
    from: 'status: available',
    to: 'status: asleep',
    at: 'status: asleep',
    rule: 'valid-example',
  },
  {
    name: 'a format that nothing checks',
    part: '    Email:',
    from: 'format: email',
    to: 'format: e-mail',
    at: 'format: e-mail',
    rule: 'known-format',
  },
  {
    name: 'a string of any length',
    part: '    PetName:',
    from: '      maxLength: 100\n',
    to: '',
    at: 'PetName:',
    rule: 'owasp:api4:2023-string-limit',
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
  {
    name: 'a component that nothing uses',
    part: '    ETags:',
    from: '    ErrorCode:',
    to: '    Unused:\n      description: Nothing.\n      type: boolean\n      example: true\n\n    ErrorCode:',
    at: 'Unused:',
    rule: 'no-unused-components',
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

  test.each(STRUCTURAL)('reports $name at its line', async (mutation) => {
    const text = mutate(SPEC, mutation);
    expect(rulesAt(await lintSpec(FILE, text), text, mutation)).toEqual([mutation.rule]);
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
