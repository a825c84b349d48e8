/** The gate of work sees what it guards: it has a row for all that validators know, and is red for a planted cost that grows faster than the bytes. */
import { ALL_MODULES } from '../../src/all-modules.ts';
import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import type { FormatsPlugin } from 'ajv-formats';
import { KNOWN_FORMATS } from '../../src/schema/formats.ts';
import { modelOf } from '../../src/schema/model-of.ts';
import { createSchemaSet } from '../../src/schema/normalize-schema.ts';
import { documentOf } from '../support/contract.ts';
import { MAX_GROWTH, measureGrowth } from '../support/growth.ts';
import { ROWS, SLOW_PATTERN } from './rows.ts';

/** The keywords that the compiler asks a schema for, beside those that only say what a value is called. */
function knownKeywords(): string[] {
  const read = new Set<string>();
  const schema = new Proxy(
    {},
    {
      get: (target, key) => {
        if (typeof key === 'string') read.add(key);
        return Reflect.get(target, key) as unknown;
      },
      has: (target, key) => {
        if (typeof key === 'string') read.add(key);
        return Reflect.has(target, key);
      },
    },
  );
  const document = { ...documentOf('paths: {}'), openapi: '3.1.0', components: { schemas: { A: schema } } };
  const set = createSchemaSet(modelOf(document), ALL_MODULES, 'request');
  set.named(set.nameOf('#/components/schemas/A'));
  return [...read];
}

/** References have rows as shapes; `x-int64` is the row `bigint`; the others are parts of a row or say nothing of a value. */
const WITHOUT_ROW = [
  '$ref',
  '$dynamicRef',
  '$dynamicAnchor',
  '$id',
  '$anchor',
  'x-int64',
  'format',
  'then',
  'else',
  'writeOnly',
  'nullable',
  'example',
  'toJSON',
];

test('each keyword that the compiler knows has a row', () => {
  const keywords = knownKeywords();
  expect(keywords.length).toBeGreaterThan(35);
  const rows = ROWS.map(({ name }) => name);
  expect(keywords.filter((keyword) => !WITHOUT_ROW.includes(keyword) && !rows.includes(`keyword ${keyword}`))).toEqual([]);
});

test('each format that is validated has a row', () => {
  const rows = ROWS.map(({ name }) => name);
  expect(KNOWN_FORMATS.filter((format) => !rows.includes(`format ${format}`))).toEqual([]);
});

const { default: ajvFormats } = createRequire(import.meta.url)('ajv-formats') as { default: FormatsPlugin };
const repeat = (count: number): number => {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += i;
  return sum;
};

test.each<[what: string, prepare: (bytes: number) => string, run: (text: string) => unknown]>([
  ['a quadratic format', (bytes) => `http://${':'.repeat(bytes)}`, (text) => (ajvFormats.get('url', 'full') as RegExp).test(text)],
  ['a quadratic pattern', (bytes) => '@'.repeat(bytes), (text) => new RegExp(SLOW_PATTERN).test(text)],
  ['a quadratic keyword', (bytes) => ' '.repeat(bytes), (text) => repeat(text.length * text.length)],
  ['one that grows with the power of 1.5', (bytes) => ' '.repeat(bytes), (text) => repeat(text.length ** 1.5 * 40)],
])('%s is red', (_, prepare, run) => {
  expect(measureGrowth(prepare, run, [4096, 8192, 16_384], 1).factor).toBeGreaterThan(MAX_GROWTH);
});

test.each<[what: string, run: (text: string) => unknown]>([
  ['one that is linear', (text) => repeat(text.length * 1000)],
  ['one that takes no time', (text) => text.length],
])('%s is green', (_, run) => {
  expect(measureGrowth((bytes) => ' '.repeat(bytes), run).factor).toBeLessThanOrEqual(MAX_GROWTH);
});
