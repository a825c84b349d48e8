/** The problems of plans and costs in a document, with their lines. */
import { expect, test } from '@jest/globals';
import { problemsOf } from './support/contract.ts';

const paths = (cost: string) =>
  `paths:\n  /a:\n    get:\n      operationId: a\n      x-rate-limit-cost: ${cost}\n      responses: { 200: { description: ok } }\n`;
const plans = (lines: string) => `${paths('5')}x-rate-limit-plans:\n${lines}`;
const GOOD = '  plans:\n    free: { minute: 60, day: 1000 }\n  address: { minute: 60, day: 1000 }\n';

test.each<[name: string, yaml: string, problems: string[]]>([
  ['nothing', plans(GOOD), []],
  ['no table for a cost', paths('1'), ['5 x-rate-limit-cost needs x-rate-limit-plans at the root of the document']],
  [
    'a cost below 0',
    `${paths('-1')}x-rate-limit-plans:\n${GOOD}`,
    ['5 x-rate-limit-cost must be a whole number, or 0 for requests that are not counted; not -1'],
  ],
  [
    'a cost that nobody can pay',
    `${paths('61')}x-rate-limit-plans:\n${GOOD}`,
    ['5 x-rate-limit-cost 61 exceeds the minute limit of the plan free: its accounts could never call this operation'],
  ],
  [
    'no plans',
    plans('  address: { minute: 1, day: 1 }\n'),
    ['7 plans must name at least one plan', '5 x-rate-limit-cost needs x-rate-limit-plans at the root of the document'],
  ],
  [
    'an unlimited plan',
    plans(GOOD.replace('{ minute: 60, day: 1000 }', 'unlimited')),
    ['9 plans/free must be { minute, day }: no plan is unlimited by default'],
  ],
  [
    'a limit of 0',
    plans(GOOD.replace('day: 1000', 'day: 0')),
    ['9 plans/free/day must be a whole number from 1 to 1000000000, not 0', '9 plans/free/day must not be less than plans/free/minute'],
  ],
  [
    'no limits for addresses',
    plans(GOOD.replace(/  address.*\n/, '')),
    ['7 address must be { minute, day }: no plan is unlimited by default'],
  ],
  ['an unknown key', plans(`${GOOD}  hour: 1\n`), ['11 hour is not allowed here, only plans, address, operations']],
  ['a limit of an operation', plans(`${GOOD}  operations:\n    a: { minute: 1, day: 2 }\n`), []],
  [
    'limits of an unknown operation, and without a day',
    plans(`${GOOD}  operations:\n    b: { minute: 1, day: 2 }\n    a: { minute: 1 }\n`),
    ['12 operations/b is no operationId of the document', '13 operations/a/day must be a whole number from 1 to 1000000000, not undefined'],
  ],
])('reports %s', async (_name, yaml, problems) => {
  expect(await problemsOf(yaml)).toEqual(problems);
});
