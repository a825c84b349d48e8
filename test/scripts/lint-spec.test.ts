/** The lint of the spec turns red for each kind of mistake, at the line that has to change, and is green without one. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { lintSpec } from '../../scripts/lint-spec.ts';

const FILE = 'spec/petstore.yaml';
const SPEC = readFileSync(FILE, 'utf8');

/** The spec from `part` on has `from` replaced by `to`; then a finding of `rule` is due at the next line that reads `at`. */
interface Mutation {
  readonly part: string;
  readonly from: string;
  readonly to: string;
  readonly at: string;
  readonly rule: string;
}

const MUTATIONS: Readonly<Record<string, Mutation>> = {
  'text that is not YAML': { part: 'info:', from: 'info:', to: 'info: {', at: 'servers:', rule: 'contract' },
  'an unknown keyword': { part: 'operationId: listPets', from: 'summary:', to: 'sumary:', at: 'sumary: List pets', rule: 'struct' },
  'a reference that leads nowhere': {
    part: 'operationId: createPet',
    from: 'schemas/NewPet',
    to: 'schemas/NewPett',
    at: "$ref: '#/components/schemas/NewPett'",
    rule: 'no-unresolved-refs',
  },
  'an example that its schema refuses': {
    part: '    Pet:',
    from: 'status: available',
    to: 'status: asleep',
    at: 'status: asleep',
    rule: 'no-invalid-schema-examples',
  },
  'an operation without description': {
    part: '  /categories:',
    from: '      description: The categories of the account, oldest first.\n',
    to: '',
    at: 'get:',
    rule: 'operation-description',
  },
  'a response without request id': {
    part: '    TooLarge:',
    from: "        X-Request-Id:\n          $ref: '#/components/headers/X-Request-Id'\n",
    to: '',
    at: 'headers:',
    rule: 'response-contains-header',
  },
  'a component that nothing uses': { part: '    Email:', from: '    Email:', to: '    Mail:', at: 'Mail:', rule: 'no-unused-components' },
  'a body of another media type': {
    part: 'operationId: createOrder',
    from: 'application/json:',
    to: 'application/xml:',
    at: 'application/xml:',
    rule: 'request-mime-type',
  },
  'a format that nothing checks': {
    part: '    Email:',
    from: 'format: email',
    to: 'format: e-mail',
    at: 'format: e-mail',
    rule: 'contract',
  },
  'a deprecation without a day': {
    part: 'operationId: getPet\n',
    from: "x-deprecated-sunset: '2027-12-31'",
    to: 'x-deprecated-sunset: soon',
    at: 'x-deprecated-sunset: soon',
    rule: 'contract',
  },
  'a string of any length': {
    part: '    PetName:',
    from: '      maxLength: 100\n',
    to: '',
    at: 'PetName:',
    rule: 'owasp:api4:2023-string-limit',
  },
  'a list of any length': {
    part: '    Pets:',
    from: '      maxItems: 100\n',
    to: '',
    at: 'type: array',
    rule: 'owasp:api4:2023-array-limit',
  },
  'an object with unknown properties': {
    part: '    NewCategory:',
    from: '      additionalProperties: false\n',
    to: '',
    at: 'NewCategory:',
    rule: 'owasp:api3:2023-no-additionalProperties',
  },
  'a write that anybody may do': {
    part: 'operationId: deletePet',
    from: 'summary:',
    to: 'security: []\n      summary:',
    at: 'security: []',
    rule: 'owasp:api2:2023-write-restricted',
  },
  'a key in the URL': {
    part: 'operationId: listOrders',
    from: '- name: petId',
    to: '- name: api_key',
    at: '- name: api_key',
    rule: 'owasp:api2:2023-no-credentials-in-url',
  },
};

function mutate({ part, from, to, at }: Mutation): { text: string; line: number } {
  const start = SPEC.indexOf(part);
  const index = SPEC.indexOf(from, start);
  if (start === -1 || index === -1) throw new Error(`the spec has no ${JSON.stringify(start === -1 ? part : from)}: adapt this test to it`);
  const text = SPEC.slice(0, index) + to + SPEC.slice(index + from.length);
  const lines = text.split('\n');
  const first = text.slice(0, start).split('\n').length - 1;
  return { text, line: lines.findIndex((line, i) => i >= first && line.trim() === at) + 1 };
}

describe('the spec lint', () => {
  test('has nothing against the spec as it is', async () => {
    expect(await lintSpec(FILE, SPEC)).toEqual([]);
  });

  test.each(Object.entries(MUTATIONS))('finds %s, at its line', async (_name, mutation) => {
    const { text, line } = mutate(mutation);
    const findings = await lintSpec(FILE, text);
    expect(findings).toContainEqual(expect.objectContaining({ rule: mutation.rule, line }));
  });

  test('says once what two tools find', async () => {
    const { text, line } = mutate(MUTATIONS['a component that nothing uses'] as Mutation);
    const unused = (await lintSpec(FILE, text)).filter((finding) => finding.line === line);
    expect(unused).toHaveLength(1);
  });
});
