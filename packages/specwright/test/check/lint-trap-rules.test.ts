/** Each trap rule reports its mistake at its line; a rule can be switched off, or have exceptions. */
import { expect, test } from '@jest/globals';
import { TRAP_RULES } from '../../src/lint/rules/trap-rules.ts';
import { expectReported, lintProblems, withMistake, type Mistake } from './support/lint.ts';

const MISTAKES: readonly Mistake[] = [
  [
    'an object without properties',
    'tags: { type: object, additionalProperties: { type: string } }',
    'tags: { type: object }',
    'empty-object',
    /without properties/,
  ],
  [
    'an object without type',
    'tags: { type: object, additionalProperties: { type: string } }',
    'tags: { required: [a] }',
    'untyped-object',
    /required without type/,
  ],
  [
    'closed parts of an allOf',
    '- { type: object, required: [a],',
    '- { type: object, additionalProperties: false, required: [a],',
    'closed-all-of',
    /refuses b of another part/,
  ],
  [
    'a map beside properties',
    'tags: { type: object,',
    'tags: { type: object, properties: { n: { type: integer } },',
    'map-with-properties',
    /beside properties/,
  ],
  [
    'a required property that is not declared',
    'required: [id, name]',
    'required: [id, name, colour]',
    'required-property',
    /colour is required/,
  ],
  [
    'a misspelled required property',
    'required: [id, name]',
    'required: [id, nam]',
    'required-property',
    /nam is required, but not a declared property: did you mean name\?/,
  ],
  [
    'a property required by another part of an allOf',
    '- { type: object, properties: { b',
    '- { type: object, required: [a], properties: { b',
    'required-property',
    /a is required/,
  ],
  ['a nullable enum without null', 'enum: [s, m, null]', 'enum: [s, m]', 'nullable-enum', /null is not in the enum/],
  ['a default within oneOf', 'lives: { type: integer }', 'lives: { type: integer, default: 9 }', 'default-in-union', /within oneOf/],
  [
    'branches that overlap',
    'oneOf: [{ type: string }, { type: integer }]',
    'oneOf: [{ type: number }, { type: integer }]',
    'one-of-overlap',
    /branch 1 and branch 2/,
  ],
  [
    'a property that is read-only behind a reference',
    '        name: { type: string }\n',
    "        name: { $ref: '#/components/schemas/Made' }\n",
    'one-way-behind-reference',
    /readOnly/,
    "name: { $ref: '#/components/schemas/Made'",
  ],
];

test.each(MISTAKES)('reports %s at its line', (...mistake) => expectReported(...mistake));

test('every trap rule has a mistake', () => {
  expect(new Set(MISTAKES.map(([, , , rule]) => rule))).toEqual(new Set(TRAP_RULES.map(({ name }) => name)));
});

const ONE = MISTAKES.find(([name]) => name === 'an object without properties') as Mistake;

test('a rule can be switched off', () => {
  expect(lintProblems(withMistake(ONE))).toHaveLength(1);
  expect(lintProblems(withMistake(ONE), { 'empty-object': 'off' })).toEqual([]);
});

test('an exception applies to a pointer and all below it', () => {
  for (const pointer of ['#/components/schemas/Thing', '#/components/schemas/Thing/properties/tags'])
    expect(lintProblems(withMistake(ONE), { 'empty-object': { exceptions: [pointer] } })).toEqual([]);
});

test('an exception that matches no problem is an error', () => {
  const settings = { 'empty-object': { exceptions: ['#/components/schemas/Thin'] } };
  expect(() => lintProblems(withMistake(ONE), settings)).toThrow(
    /empty-object reports nothing at #\/components\/schemas\/Thin: remove the exception/,
  );
});
