/** Integers beyond what a number holds are reported at their line, unless the contract chooses `bigint`. */
import { expect, test } from '@jest/globals';
import { expectReported, GOOD, lintProblems, type Mistake } from './support/lint.ts';

const ID = 'id: { type: integer, minimum: 1, maximum: 9, readOnly: true }';
const id = (keywords: string) => `id: { type: integer, ${keywords}, readOnly: true }`;
const withId = (keywords: string, root = '') => root + GOOD.replace(ID, id(keywords));

const MISTAKES: readonly Mistake[] = [
  ['a maximum beyond what a number holds', ID, id('maximum: 9223372036854775807'), 'safe-integer', /maximum is beyond/],
  [
    'an exclusive bound beyond what a number holds',
    ID,
    id('exclusiveMinimum: -9223372036854775807'),
    'safe-integer',
    /exclusiveMinimum is/,
  ],
  ['an int64 without a maximum', ID, id('format: int64, minimum: 1'), 'int64-maximum', /maximum of 9007199254740991 or x-int64/],
  ['an int64 that may be null', ID, id('format: int64, nullable: true'), 'int64-maximum', /int64 without a maximum/],
  ['another value of x-int64', ID, id('format: int64, x-int64: string, maximum: 9'), 'x-int64', /must be bigint, not "string"/],
  [
    'another value of x-date-time',
    'name: { type: string }',
    'name: { type: string, format: date-time, x-date-time: Date }',
    'x-date-time',
    /must be date, not "Date"/,
  ],
  ['x-int64 where no integer is', 'name: { type: string }', 'name: { type: string, x-int64: bigint }', 'x-int64', /without type: integer/],
  [
    'another value for the whole document',
    'openapi: 3.0.3',
    'openapi: 3.0.3\nx-int64: number',
    'x-int64',
    /not "number"/,
    'x-int64: number',
  ],
];

test.each(MISTAKES)('reports %s at its line', (...mistake) => expectReported(...mistake));

test.each([
  ['a maximum that a number holds', withId('format: int64, maximum: 9007199254740991')],
  ['an exclusive maximum', withId('format: int64, exclusiveMaximum: 9007199254740992, maximum: 9007199254740991')],
  ['bigint, at the schema', withId('format: int64, x-int64: bigint, maximum: 9223372036854775807')],
  ['bigint, at the root', withId('format: int64', 'x-int64: bigint\n')],
])('an int64 with %s is no problem', (_what, text) => {
  expect(lintProblems(text)).toEqual([]);
});
