/** Where a break is reported and how, warnings, and flaws that both documents have. */
import { describe, expect, test } from '@jest/globals';
import { parseSource } from '@specwright/contract/document';
import { compareSpecs } from '../src/breaking/compare-specs.ts';
import { FORMATS, listChange } from '../src/breaking/formats.ts';
import { matchRecords } from '../src/breaking/records.ts';
import { formatReport, unrecorded } from '../src/breaking/report.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const source = (text: string) => parseSource('spec.yaml', text);
const compare = (before: string, after: string) => compareSpecs(source(before), source(after), NOW);
/** Compares two texts that differ in one place. @returns each change with its sentence and its lines. */
async function edited(text: string, from: string, to: string) {
  expect(text).toContain(from);
  const after = text.replace(from, to);
  const line = (all: string, at: { line: number }) => all.split('\n')[at.line - 1]?.trim();
  const found = await compare(text, after);
  return found.map(({ change, at, base, working, operations }) => ({
    change,
    at,
    operations,
    base: line(text, base),
    working: line(after, working),
  }));
}

const SPEC = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /a:
    get:
      operationId: a
      security:
        - oauth:
            - read
      parameters:
        - $ref: '#/components/parameters/Limit'
      responses:
        '200': { description: ok }
        '404': { $ref: '#/components/responses/None' }
  /b:
    post:
      operationId: b
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        '200': { description: ok }
        '404': { $ref: '#/components/responses/None' }
components:
  securitySchemes:
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://a.test/t', scopes: { read: r, write: w } } } }
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer, default: 20 } }
  responses:
    None: { description: none }
  schemas:
    Pet:
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }]
      discriminator:
        propertyName: kind
        mapping:
          cat: '#/components/schemas/Cat'
          dog: '#/components/schemas/Dog'
    Cat: { type: object, required: [kind], properties: { kind: { type: string }, age: { type: integer } } }
    Dog: { type: object, required: [kind], properties: { kind: { type: string } }, not: { required: [bark] } }
`;

describe('the place of a break', () => {
  test('is the operation that no longer refers to a response or a parameter', async () => {
    const response = `        '404': { $ref: '#/components/responses/None' }\n`;
    expect(await edited(SPEC, `${response}  /b`, '  /b')).toEqual([
      {
        change: 'GET /a: response 404 removed.',
        at: '#/paths/~1a/get/responses/404',
        operations: ['GET /a'],
        base: "'404': { $ref: '#/components/responses/None' }",
        working: 'responses:',
      },
    ]);
    const parameter = `      parameters:\n        - $ref: '#/components/parameters/Limit'\n`;
    expect(await edited(SPEC, parameter, '')).toMatchObject([
      { at: '#/paths/~1a/get/parameters/0', base: "- $ref: '#/components/parameters/Limit'" },
    ]);
  });

  test('is the line of a scope and of a name in a mapping', async () => {
    expect(await edited(SPEC, '            - read\n', '            - read\n            - write\n')).toMatchObject([
      { at: '#/paths/~1a/get/security/0/oauth/1', working: '- write' },
    ]);
    expect(await edited(SPEC, "          cat: '", "          lion: '")).toMatchObject([
      { change: 'Pet: type `cat` removed.', base: "cat: '#/components/schemas/Cat'", working: 'mapping:' },
    ]);
  });
});

describe('the sentence of a break', () => {
  test('tells a text from a number', async () => {
    expect(await edited(SPEC, 'default: 20', "default: '20'")).toContainEqual(
      expect.objectContaining({ change: 'Limit, query parameter `limit`: `default` changed from `20` to `"20"`.' }),
    );
  });

  test('names the keyword by which other values are valid', async () => {
    expect(await edited(SPEC, 'not: { required: [bark] }', 'not: { required: [meow] }')).toMatchObject([
      { change: 'Dog: other values are valid, by `not`.' },
    ]);
  });
});

test('a property that leaves an open request object is a warning, which needs no record', async () => {
  const changes = matchRecords(await compare(SPEC, SPEC.replace(', age: { type: integer }', '')), [], []);
  expect(changes.changes).toMatchObject([{ rule: 'property-ignored', isWarning: true }]);
  expect(unrecorded(changes.changes)).toEqual([]);
  const report = formatReport(changes, { spec: 'spec.yaml', records: 'r.yaml', baseFile: 'old.yaml', baseName: 'old.yaml' });
  expect(report).toContain('warning: Cat: optional property `age` removed. (property-ignored)');
  expect(report).toContain('spec.yaml: no breaking changes, 1 warning against old.yaml');
  expect(report).not.toContain('if intended');
  const listed = changes.changes.map(listChange('spec.yaml', 'old.yaml'));
  expect(FORMATS['github']?.(listed)).toMatch(/^::warning file=spec\.yaml/);
  expect(FORMATS['sarif']?.(listed)).toContain('"level": "warning"');
});

describe('a flaw', () => {
  const broken = SPEC.replace('        - oauth:\n            - read', '        - nobody: []');

  test('that both documents have does not refuse the comparison', async () => {
    const found = await compare(broken, broken.replace('default: 20', 'default: 30'));
    expect(found.map(({ rule }) => rule)).toEqual(['default-changed']);
  });

  test('of one alone is reported, or refuses it', async () => {
    expect((await compare(broken, SPEC)).map(({ rule }) => rule)).toContain('base-invalid');
    await expect(compare(SPEC, broken)).rejects.toThrow(/nobody/);
  });
});
