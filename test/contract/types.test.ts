/** The generated types and the validator agree: a value compiles exactly where its shape is valid. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { scaleTimeout } from 'specwright/testing';
import { createGenerator } from 'json-schema-faker';
import {
  createSchemaCompiler,
  type CompileSchemaAt,
  parseSource,
  pointerTo,
  type Document,
  examplesOf,
} from '@specwright/contract/document';
import { linesWithErrors } from '../support/projects/compile.ts';

const VALUES = 20;
// The generator of values does not know escapes within a character class: of this one the example has to do.
const BY_EXAMPLE = ['ETags'];
// A photo may have 5 MiB: shorter ones are valid too, and a megabyte of letters takes the generator and the compiler a second each.
const LONGEST = 1_000;

let document: Document;
let compile: CompileSchemaAt;
let names: string[];
beforeAll(async () => {
  ({ document } = parseSource('spec/petstore.yaml', await readFile('spec/petstore.yaml', 'utf8')));
  compile = createSchemaCompiler(document);
  names = Object.keys(document.components?.schemas ?? {});
});

/** One constant for each value, so that a diagnostic tells which value it is about by its line. */
const program = (values: readonly (readonly [schema: string, value: unknown])[]): string =>
  [
    `import type { components } from '${resolve('generated/openapi.ts')}';`,
    ...values.map(([schema, value], i) => `export const v${i}: components['schemas']['${schema}'] = ${JSON.stringify(value)};`),
  ].join('\n');

/** The lines that do not compile, counted from the first value. */
const rejected = async (source: string): Promise<Set<number>> => new Set((await linesWithErrors(source)).map((line) => line - 2));

/** A copy in which no string may be longer than {@link LONGEST}. */
const withShortStrings = <T>(value: T): T =>
  JSON.parse(JSON.stringify(value), (key, member: unknown) =>
    key === 'maxLength' && typeof member === 'number' ? Math.min(member, LONGEST) : member,
  ) as T;

async function validValues(): Promise<(readonly [schema: string, value: unknown])[]> {
  const generator = createGenerator({ seed: 1, alwaysFakeOptionals: false, optionalsProbability: 0.5 });
  const values: (readonly [string, unknown])[] = [];
  const components = withShortStrings(document.components);
  for (const name of names) {
    const schema = components?.schemas?.[name] ?? {};
    const whole = { ...schema, components };
    for (let i = 0; i < VALUES; i++)
      values.push([name, BY_EXAMPLE.includes(name) ? examplesOf(schema)[0] : await generator.generate(whole)]);
  }
  return values;
}

test(
  'values generated from a schema are valid and compile',
  async () => {
    const values = await validValues();
    expect(names).not.toEqual([]);
    expect(values.length).toBe(names.length * VALUES);
    for (const [name, value] of values) {
      const validate = compile(pointerTo('components', 'schemas', name));
      expect([name, value, validate(value) ? [] : validate.errors]).toEqual([name, value, []]);
    }
    expect(await rejected(program(values))).toEqual(new Set());
  },
  scaleTimeout(120_000),
);

/** Changes of shape: what a type can see. Lengths, ranges and patterns only the validator does. */
function* mutations(name: string, value: unknown): Generator<readonly [schema: string, value: unknown]> {
  const { type, required } = (document.components?.schemas?.[name] ?? {}) as { type?: string; required?: string[] };
  if (type === 'object') {
    const object = value as Record<string, unknown>;
    yield [name, { ...object, notDeclared: 1 }];
    yield [name, []];
    for (const key of Object.keys(object)) yield [name, { ...object, [key]: { of: 'another type' } }];
    for (const key of required ?? []) yield [name, Object.fromEntries(Object.entries(object).filter(([other]) => other !== key))];
  } else if (type === 'array') {
    yield [name, { 0: value }];
    yield [name, [...(value as unknown[]), 'of another type']];
  } else {
    yield [name, { of: 'another type' }];
    yield [name, type === 'string' ? 1 : 'text'];
  }
}

test(
  'values of another shape are invalid and do not compile',
  async () => {
    const mutated = (await validValues()).filter((_, i) => i % VALUES === 0).flatMap(([name, value]) => [...mutations(name, value)]);
    expect(mutated.length).toBeGreaterThan(names.length);
    const accepted = mutated.filter(([name, value]) => compile(pointerTo('components', 'schemas', name))(value));
    expect(accepted).toEqual([]);
    const refused = await rejected(program(mutated));
    expect(mutated.filter((_, i) => !refused.has(i))).toEqual([]);
  },
  scaleTimeout(120_000),
);
