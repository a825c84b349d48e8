/** Spectral lints documents on which its own resolver would not end and some rules of its rulesets would throw. */
import { expect, test } from '@jest/globals';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';
import { runSpectral } from '../../src/lint/spectral.ts';
import { parseSource } from '@specwright/contract/document';

const document = (parameters: unknown, schemas: unknown) =>
  parseSource(
    'test.json',
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Test', version: '1' },
      paths: {
        '/things/{id}': {
          get: {
            operationId: 'getThing',
            parameters,
            responses: { 200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/S0' } } } } },
          },
        },
      },
      components: { schemas },
    }),
  );

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string', maxLength: 9 } };

const NUMERIC_IDS = 'owasp:api1:2023-no-numeric-ids';
const only = (rule: string) =>
  new spectralCore.Ruleset(
    { extends: [[owasp as unknown as RulesetDefinition, 'off']], rules: { [rule]: 'error' } },
    {
      source: '/spectral.ts',
    },
  );

test('references between schemas are not resolved: a million paths to one schema are one problem', async () => {
  const levels = Array.from({ length: 24 }, (_, i) => [
    `S${i}`,
    { type: 'object', properties: { a: ref(`S${i + 1}`), b: ref(`S${i + 1}`) } },
  ]);
  const source = document([ID], { ...Object.fromEntries(levels), S24: { type: 'string' } });
  const found = await runSpectral(source, only('owasp:api4:2023-string-limit'));
  expect(found.filter(({ rule }) => rule === 'owasp:api4:2023-string-limit')).toHaveLength(1);
});

test('a rule about a list gets the list', async () => {
  const source = document([{ ...ID, schema: { type: 'string', enum: ['a', 'a'] } }], { S0: { type: 'string' } });
  const rules = new spectralCore.Ruleset(
    { extends: [[oas as RulesetDefinition, 'off']], rules: { 'duplicated-entry-in-enum': 'error' } },
    { source: '/spectral.ts' },
  );
  expect(await runSpectral(source, rules)).toMatchObject([{ rule: 'duplicated-entry-in-enum' }]);
});

test('a rule about parameters gets the schema that a parameter refers to', async () => {
  const source = document([{ ...ID, schema: ref('S0') }], { S0: { type: 'integer' } });
  expect(await runSpectral(source, only(NUMERIC_IDS))).toMatchObject([{ rule: NUMERIC_IDS }]);
});

test('a schema that only another schema refers to counts as used', async () => {
  const source = document([ID], { S0: { type: 'object', properties: { a: ref('S1') } }, S1: { type: 'string' }, S2: { type: 'string' } });
  const rules = new spectralCore.Ruleset(
    { extends: [[oas as RulesetDefinition, 'off']], rules: { 'oas3-unused-component': 'error' } },
    {
      source: '/spectral.ts',
    },
  );
  const found = await runSpectral(source, rules);
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('unused')]);
});

test('a property named like a keyword does not end the run', async () => {
  const named = { type: 'object', properties: { name: { type: 'string' }, in: { type: 'string' } } };
  const source = document([{ ...ID, schema: { type: 'object', properties: { parameters: named } } }], { S0: { type: 'string' } });
  await expect(runSpectral(source, only(NUMERIC_IDS))).resolves.toEqual([]);
});

test('a reference in an extension, which no rule is about, is no problem: it could not be switched off', async () => {
  const source = document([{ ...ID, 'x-notes': { $ref: './docs/missing.md' } }], { S0: { type: 'string' } });
  expect(await runSpectral(source, only(NUMERIC_IDS))).toEqual([]);
});

test('a property with the name of a method of every object does not end the run', async () => {
  const properties = Object.fromEntries(['hasOwnProperty', 'toString', 'constructor'].map((name) => [name, { type: 'string' }]));
  const source = document([ID], { S0: { type: 'object', properties, examples: [{ hasOwnProperty: 'a' }] } });
  const found = await runSpectral(source, only('owasp:api4:2023-string-limit'));
  expect(found).toHaveLength(3);
});
