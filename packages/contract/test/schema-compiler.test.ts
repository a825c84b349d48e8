/** Schemas are compiled once, in short steps, whatever the depth and the size of a contract. */
import { describe, expect, test } from '@jest/globals';
import type { Document } from '../src/document/openapi.ts';
import { runInSlices, runWhenIdle } from '../src/schema/run-in-slices.ts';
import type { CompileSchemaAt } from '../src/schema/compile-schema.ts';
import { createSchemaCompiler } from '../src/schema/model-of.ts';

const documentOf = (schemas: Record<string, object>): Document => ({
  openapi: '3.0.3',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: { schemas },
});
const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const named = (count: number, schema: (i: number) => object): Record<string, object> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`S${i}`, schema(i)]));

const countSteps = (compile: CompileSchemaAt, name: string): number => [...compile.steps(`#/components/schemas/${name}`)].length;

const nested = (depth: number, leaf: unknown): unknown => {
  let value = leaf;
  for (let i = 0; i < depth; i++) value = { next: value };
  return value;
};

test('a chain of references is compiled from its end, however long it is', () => {
  const length = 2000;
  const schemas = named(length, (i) =>
    i === length - 1 ? { type: 'integer' } : { type: 'object', properties: { next: refTo(`S${i + 1}`), n: { type: 'integer' } } },
  );
  const validate = createSchemaCompiler(documentOf(schemas))('#/components/schemas/S0');
  expect(validate(nested(length - 1, 1))).toBe(true);
  expect(validate(nested(length - 1, 'x'))).toBe(false);
  expect(validate.errors?.[0]?.instancePath).toHaveLength('/next'.length * (length - 1));
});

test('schemas that refer to each other in a circle validate each other', () => {
  const schemas = named(300, (i) => ({
    type: 'object',
    required: i === 7 ? ['n'] : [],
    properties: { next: refTo(`S${(i + 1) % 300}`), n: { type: 'integer' } },
  }));
  const compile = createSchemaCompiler(documentOf(schemas));
  for (const start of [0, 150]) {
    const validate = compile(`#/components/schemas/S${start}`);
    expect(validate(nested(600, {}))).toBe(false);
    expect(new Set(validate.errors?.map(({ message }) => message))).toEqual(new Set(["must have required property 'n'"]));
  }
});

test('a schema is compiled once, for all that refer to it', () => {
  const compile = createSchemaCompiler(
    documentOf({ A: { properties: { c: refTo('C') } }, B: { items: refTo('C') }, C: { properties: { a: refTo('A') } } }),
  );
  const first = countSteps(compile, 'A');
  expect(first).toBeGreaterThanOrEqual(2);
  expect(countSteps(compile, 'A')).toBe(0);
  expect(countSteps(compile, 'C')).toBe(0);
  expect(countSteps(compile, 'B')).toBe(1);
  expect(compile('#/components/schemas/C')).toBe(compile('#/components/schemas/C'));
});

test('steps of several schemas may alternate, and one that is needed at once does not wait for them', () => {
  const schemas = named(50, (i) => ({
    type: 'object',
    required: ['n'],
    properties: { next: refTo(`S${(i + 1) % 50}`), n: { type: 'integer' } },
  }));
  const compile = createSchemaCompiler(documentOf(schemas));
  const iterators = [0, 10, 20].map((i) => compile.steps(`#/components/schemas/S${i}`));
  for (let i = 0; i < 20; i++) iterators[i % 3]?.next();
  const value = { n: 1, next: { n: 1, next: { n: 'x' } } };
  expect(compile('#/components/schemas/S30')(value)).toBe(false);
  for (const iterator of iterators) {
    let last = iterator.next();
    while (last.done !== true) last = iterator.next();
    expect(last.value(value)).toBe(false);
    expect(last.value({ n: 1 })).toBe(true);
  }
});

describe('a schema with hundreds of properties is compiled in parts', () => {
  const properties = {
    ...Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, { type: 'integer', ...(i % 100 === 0 && { default: i }) }])),
    made: { type: 'string', readOnly: true },
    deep: {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`q${i}`, { type: 'string' }])),
      default: {},
    },
  };
  const large = { type: 'object', required: ['p101', 'p1'], additionalProperties: false, properties };
  const compile = createSchemaCompiler(documentOf({ Large: large }), 'request');

  test('in several steps', () => {
    expect(countSteps(compile, 'Large')).toBeGreaterThan(6);
  });

  test('fills in defaults after it was validated: what is required has to be sent', () => {
    const value = { p1: 1, p101: 1 };
    expect(compile('#/components/schemas/Large')(value)).toBe(true);
    expect(value).toEqual({ p0: 0, p1: 1, p100: 100, p101: 1, p200: 200, deep: {} });
  });

  test('takes away what is only read', () => {
    const value = { p1: 1, p101: 1, made: 'x' };
    expect(compile('#/components/schemas/Large')(value)).toBe(true);
    expect(value).not.toHaveProperty('made');
  });

  test.each<[what: string, value: object, path: string]>([
    ['what is not declared', { p1: 1, p101: 1, other: 1 }, ''],
    ['a wrong value', { p1: 1, p101: 1, p299: 'x' }, '/p299'],
    ['a wrong value in a part of its own', { p1: 1, p101: 1, deep: { q79: 1 } }, '/deep/q79'],
    ['what is missing', { p1: 1 }, ''],
  ])('refuses %s', (_, value, path) => {
    const validate = compile('#/components/schemas/Large');
    expect(validate(value)).toBe(false);
    expect(validate.errors?.map(({ instancePath }) => instancePath)).toEqual([path]);
  });
});

test('the event loop runs between slices of long work', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  function* work(): Generator<void> {
    for (let i = 0; i < 20; i++) {
      for (const end = performance.now() + 5; performance.now() < end;);
      yield;
    }
  }
  await runInSlices(work());
  clearInterval(timer);
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('one slice runs in a turn of the event loop, however many wait, and who came first is served first', async () => {
  const ends: number[] = [];
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 1);
  function* work(): Generator<void> {
    for (let i = 0; i < 2; i++) {
      for (const end = performance.now() + 5; performance.now() < end;);
      yield;
    }
  }
  await Promise.all(Array.from({ length: 30 }, (_, i) => runInSlices(work()).then(() => ends.push(i))));
  clearInterval(timer);
  expect(ends).toEqual(Array.from({ length: 30 }, (_, i) => i));
  // Of 300 ms in all.
  expect(longest).toBeLessThan(150);
});

test('work that fails is reported to who waits for it, and the next goes on', async () => {
  function* fails(): Generator<void> {
    yield;
    throw new Error('no');
  }
  function* ends(): Generator<void> {
    yield;
  }
  const [failed, done] = await Promise.allSettled([runInSlices(fails()), runInSlices(ends())]);
  expect([failed.status, done.status]).toEqual(['rejected', 'fulfilled']);
});

test('work that nothing waits for lets other work go first, and ends with its signal', async () => {
  const ended = new AbortController();
  const order: string[] = [];
  function* steps(name: string, count: number): Generator<void> {
    for (let i = 0; i < count; i++) {
      for (const end = performance.now() + 4; performance.now() < end;);
      order.push(name);
      yield;
    }
  }
  const idle = runWhenIdle(steps('idle', 1000), ended.signal);
  await runInSlices(steps('wanted', 10));
  ended.abort();
  await idle;
  expect(order.slice(order.indexOf('wanted'), order.lastIndexOf('wanted') + 1)).toEqual(Array.from({ length: 10 }, () => 'wanted'));
  expect(order.length).toBeLessThan(50);
});

test('a schema that needs no budget of steps is valid as often as it is used, also after one that exceeds its own', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 100 }, (_, i) => [`p${i}`, { type: 'object', properties: { n: { type: 'integer' } } }]),
  );
  const validate = createSchemaCompiler(documentOf({ Flat: { type: 'object', properties: { list: { items: { properties } } } } }))(
    '#/components/schemas/Flat',
  );
  // Each validation takes some 80,000 of the 5,000,000 steps that one may take.
  const value = { list: Array.from({ length: 400 }, () => ({ p1: { n: 1 }, p2: { n: 2 } })) };
  for (let i = 0; i < 200; i++) expect(validate(value)).toBe(true);
  expect(validate({ list: [{ p1: { n: 'a' } }] })).toBe(false);
  expect(validate.errors?.map(({ message }) => message)).toEqual(['must be integer']);
});

describe('formats of numbers', () => {
  test.each([
    ['int32', [-(2 ** 31), 2 ** 31 - 1, 0], [-(2 ** 31) - 1, 2 ** 31, 1.5]],
    ['int64', [-(2 ** 63), 2 ** 63 - 1024, 0], [-(2 ** 63) - 2048, 2 ** 63, 1.5]],
    ['float', [3.4028234663852886e38, -3.4028234663852886e38, 1.5], [3.5e38, -3.5e38]],
    ['double', [Number.MAX_VALUE, -Number.MAX_VALUE, 1.5], []],
  ])('%s', (format, accepted, refused) => {
    const validate = createSchemaCompiler(documentOf({ N: { format } }))('#/components/schemas/N');
    for (const value of [...accepted, 'text', null]) expect([value, validate(value)]).toEqual([value, true]);
    for (const value of refused) {
      expect([value, validate(value)]).toEqual([value, false]);
      expect(validate.errors?.map(({ message }) => message)).toEqual([`must match format "${format}"`]);
    }
  });
});
