/** The work of a verdict is bounded by the bytes of the value, whatever the schema: CPU, memory and problems. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { MAX_VALIDATION_ERRORS } from '../src/document/problems.ts';
import { remember } from '../src/remember.ts';
import { compileCase, WORK_CASES } from './support/work-cases.ts';

const cases = Object.entries(WORK_CASES);

interface Found {
  readonly isValid: boolean;
  readonly ms: number;
  readonly problems: readonly string[];
}

/** One process for all: what needs more than its heap ends it. The time is that of the processor, so other processes do not count. */
function runCases(): Readonly<Record<string, Found>> {
  const program = `
    const { WORK_CASES, compileCase } = await import('./packages/contract/test/support/work-cases.ts');
    const found = {};
    for (const direction of ['request', 'response'])
      for (const [name, one] of Object.entries(WORK_CASES)) {
        const validate = compileCase(one, direction);
        const before = process.cpuUsage();
        const isValid = validate(one.value);
        const { user, system } = process.cpuUsage(before);
        const problems = (validate.errors ?? []).map(({ instancePath, message }) => instancePath + ' ' + message);
        found[direction + ': ' + name] = { isValid, ms: (user + system) / 1000, problems };
      }
    console.log(JSON.stringify(found));
  `;
  const args = ['--max-old-space-size=100', '--conditions=@specwright/source', '--import', 'tsx', '--input-type=module', '-e', program];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1e8, timeout: 60_000 });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout) as Readonly<Record<string, Found>>;
}

const found = remember(() => runCases());

describe.each(['request', 'response'])('of a %s', (direction) => {
  test.each(cases)('%s', (name, { isValid, problem }) => {
    const { ms, problems, ...verdict } = found('all')[`${direction}: ${name}`] as Found;
    expect(verdict).toEqual({ isValid });
    expect(ms).toBeLessThan(500);
    expect(problems.length).toBeLessThanOrEqual(MAX_VALIDATION_ERRORS);
    expect(problems.length > 0).toBe(!isValid);
    if (problem !== undefined) expect(problems[0]).toBe(problem);
  });
});

/** Branches of which each reads the whole list: no two are the same, so no verdict can be kept. */
const [GROUPS, BRANCHES, ITEMS] = [40, 100, 10_000];
const branch = (maximum: number) => ({ type: 'array', items: { type: 'integer', maximum } });
const groups = Array.from({ length: GROUPS }, (_, group): [string, object] => [
  `Group${group}`,
  { anyOf: Array.from({ length: BRANCHES }, (_, i) => branch(group * BRANCHES + i)) },
]);
const costly = {
  schemas: { X: { anyOf: groups.map(([name]) => ({ $ref: `#/components/schemas/${name}` })) }, ...Object.fromEntries(groups) },
  value: undefined,
  isValid: false,
};
const listEndingIn = (length: number, last: number): number[] => [...Array.from({ length }, () => 0), last];

test('a value that takes too many steps has one problem, and a smaller one has its own', () => {
  const validate = compileCase(costly, 'request');
  expect(validate(listEndingIn(10, GROUPS * BRANCHES - 1))).toBe(true);
  expect(validate(listEndingIn(10, GROUPS * BRANCHES))).toBe(false);
  expect(validate.errors).toHaveLength(MAX_VALIDATION_ERRORS);
  const before = process.cpuUsage();
  expect(validate(listEndingIn(ITEMS, GROUPS * BRANCHES - 1))).toBe(false);
  // All of its 40 million steps take 16 s here, and the 5 million that are allowed 2 s.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5_000);
  expect(validate.errors?.map(({ keyword, message }) => `${keyword} ${message}`)).toEqual(['complexity is too complex to validate']);
});

test.each(['request', 'response'] as const)(
  'a value of a %s on which the stack of a large schema overflows has one problem',
  (direction) => {
    const properties = Object.fromEntries(
      Array.from({ length: 48 }, (_, i) => [`p${i}`, { properties: { x: { type: 'string' } }, type: 'object' }]),
    );
    const X = { type: 'object', properties: { ...properties, parent: { $ref: '#/components/schemas/X' } } };
    const validate = compileCase({ schemas: { X }, value: undefined, isValid: false }, direction);
    const nested = (depth: number) => Array.from({ length: depth }).reduce<object>((parent) => ({ parent }), { p0: 1 });
    expect(validate(nested(20))).toBe(false);
    expect(validate.errors?.map(({ message }) => message)).toEqual(['must be object']);
    expect(validate(nested(995))).toBe(false);
    expect(validate.errors?.map(({ keyword, message }) => `${keyword} ${message}`)).toEqual(['complexity is too complex to validate']);
    expect(validate(nested(20))).toBe(false);
    expect(validate.errors?.map(({ message }) => message)).toEqual(['must be object']);
  },
);

test('each value has the steps that its size allows, whatever was validated before', () => {
  const schemas = { X: { anyOf: Array.from({ length: 250 }, (_, i) => branch(i)) } };
  const validate = compileCase({ schemas, value: undefined, isValid: true }, 'request');
  // 6 million steps: more than a small value has.
  const large = listEndingIn(24_000, 249);
  expect([validate(large), validate(large)]).toEqual([true, true]);
});

test('a verdict is kept for one validation only: a value that was changed has another one', () => {
  const validate = compileCase(WORK_CASES['a tree of an untagged anyOf'] as (typeof WORK_CASES)[string], 'request');
  const leaf: Record<string, unknown> = { folder: 'x' };
  const tree = { folder: 'a', children: [{ folder: 'b', children: [leaf, leaf] }] };
  for (const folder of ['x', 1, 'x', 1, 'y']) {
    leaf['folder'] = folder;
    expect(validate(tree)).toBe(typeof folder === 'string');
  }
});

test('what is read-only is removed from a tree of branches, and the tree is validated without it', () => {
  const id = { type: 'integer', readOnly: true };
  const part = (name: string) => ({
    type: 'object',
    additionalProperties: false,
    required: [name],
    properties: {
      id,
      [name]: { type: 'string' },
      size: { type: 'integer', default: 7 },
      children: { type: 'array', items: { $ref: '#/components/schemas/X' } },
    },
  });
  const schemas = { X: { anyOf: [part('folder'), part('project')] } };
  const validate = compileCase({ schemas, isValid: true, value: undefined }, 'request');
  const tree = { folder: 'a', id: 1, children: [{ project: 'b', id: 'x', children: [{ folder: 'c', id: 2 }] }] };
  expect([validate(tree), validate.errors]).toEqual([true, null]);
  expect(tree).toEqual({ folder: 'a', size: 7, children: [{ project: 'b', size: 7, children: [{ folder: 'c', size: 7 }] }] });
});

test('schemas that extend the same alternatives each fill their own defaults', () => {
  const alternatives = { anyOf: [{ properties: { a: { type: 'integer', default: 1 } } }] };
  const extended = (name: string) => ({
    allOf: [{ $ref: '#/components/schemas/Y' }],
    properties: { [name]: { type: 'integer', default: 2 } },
  });
  const schemas = { X: { allOf: [extended('b'), extended('c')], anyOf: [extended('d'), extended('e')] }, Y: alternatives };
  const value = {};
  expect(compileCase({ schemas, isValid: true, value }, 'request')(value)).toBe(true);
  expect(value).toEqual({ a: 1, b: 2, c: 2, d: 2, e: 2 });
});
