/** Over forty mutations of the spec: the right gates turn red, at the line of the mutation, and the others stay green. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { compareSpecs } from 'openapi-compare';
import { lintSpec, generate } from 'specwright';
import { ContractError, parseSource } from '@specwright/contract/document';
import { readTables, type Table } from '@specwright/postgres';
import { createDatabase } from 'specwright/testing';
import { typecheck } from '../../support/projects/compile.ts';
import { inBatches, lineReading } from '../../support/edits/mutation-batches.ts';
import { MUTATIONS } from '../../support/edits/mutations.ts';
import { compare, SPEC } from '../../support/service/schema-map.ts';

const FILE = 'spec/petstore.yaml';
const BASE = parseSource(FILE, SPEC);
const COMMITTED = new Map(
  ['contract.ts', 'document.json', 'openapi.ts', 'operations.ts', 'outgoing.ts'].map((name) => [
    name,
    readFileSync(join('generated', name), 'utf8'),
  ]),
);

let tables: Table[];
beforeAll(async () => {
  const database = await createDatabase();
  tables = await readTables(database.db);
  await database.drop();
});

/** What `npm run generate` makes of a text, or the problems for which it refuses it, as `line message`. */
async function generated(text: string): Promise<{ files?: Map<string, string>; problems: string[] }> {
  try {
    return { files: await generate(parseSource(FILE, text)), problems: [] };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { problems: error.problems.map(({ line = 0, message }) => `${line} ${message}`) };
  }
}

/** What the compiler says of the code that is generated from a text. */
async function typeErrors(text: string): Promise<string[]> {
  return typecheck((await generated(text)).files ?? COMMITTED);
}

const lint = inBatches(
  MUTATIONS,
  (gates) => (gates.lint === undefined ? 'green' : 'red'),
  (text) => lintSpec(FILE, text),
);
const generation = inBatches(
  MUTATIONS,
  (gates) => (gates.generate === undefined ? `taken, drift ${gates.drift ?? ''}` : 'refused'),
  generated,
);
const types = inBatches(MUTATIONS, ({ types }) => (types instanceof RegExp ? 'red' : types), typeErrors);
const schema = inBatches(
  MUTATIONS,
  (gates) => (gates.generate !== undefined ? 'refused' : gates.schema === undefined ? 'green' : 'red'),
  (text) => {
    try {
      return compare(tables, { spec: text });
    } catch (error) {
      return String(error);
    }
  },
);
const breaking = inBatches(
  MUTATIONS,
  ({ breaking }) => (breaking === undefined || breaking === 'green' ? breaking : 'red'),
  (text) => compareSpecs(BASE, parseSource(FILE, text), new Date()),
);

test('there are at least forty, each with a name of its own', () => {
  expect(new Set(MUTATIONS.map(([name]) => name)).size).toBeGreaterThanOrEqual(40);
  expect(MUTATIONS.filter(([, , , , gates]) => gates.generate !== undefined).length).toBeGreaterThanOrEqual(10);
});

describe.each(MUTATIONS.map((mutation) => [mutation[0], mutation] as const))('%s', (_name, mutation) => {
  const [, , , , gates] = mutation;

  test(`lint ${gates.lint === undefined ? 'stays green' : `reports ${gates.lint}`}`, async () => {
    const { batch, result } = lint(mutation);
    const problems = await result;
    if (gates.lint === undefined) expect(problems).toEqual([]);
    else expect(problems.map(({ line, rule }) => `${line} ${rule}`)).toContain(`${batch.placeOf(mutation).line} ${gates.lint}`);
  });

  test(`generate ${gates.generate === undefined ? `takes it, and what is committed is ${gates.drift === 'none' ? 'no ' : ''}drift` : 'refuses it'}`, async () => {
    const { batch, result } = generation(mutation);
    const { files, problems } = await result;
    if (gates.generate !== undefined) {
      const { line } = batch.placeOf(mutation);
      // Of a reference that leads nowhere the place is the schema that it is, which stands a line above.
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^(?:${line}|${line - 1}) .*(?:${gates.generate.source})`)));
      return;
    }
    expect(problems).toEqual([]);
    expect([...COMMITTED].every(([name, content]) => content === files?.get(name))).toBe(gates.drift === 'none');
  });

  test(`check-schema ${gates.schema === undefined ? 'stays green' : 'reports the difference'}`, () => {
    const { batch, result: problems } = schema(mutation);
    if (typeof problems === 'string') {
      // What is no YAML, or refers to nowhere, is for the other gates to say.
      expect(gates.generate).toBeDefined();
      expect(problems).toMatch(/spec\/petstore\.yaml|leads nowhere|does not exist/);
    } else if (gates.stage === 'syntax') expect(gates.generate).toBeDefined();
    else if (gates.schema === undefined) expect(problems).toEqual([]);
    else {
      const line = gates.schemaAt === undefined ? batch.placeOf(mutation).line : lineReading(batch.text, ...gates.schemaAt);
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^spec/petstore\\.yaml:${line}:\\d+ .*(?:${gates.schema.source})`)));
    }
  });

  const { types: expected } = gates;
  if (expected !== undefined)
    test(`typecheck ${expected === 'green' ? 'stays green' : 'names the line'}, once generated`, async () => {
      const errors = await types(mutation).result;
      if (expected === 'green') expect(errors).toEqual([]);
      else expect(errors).toContainEqual(expect.stringMatching(expected));
    });

  if (gates.breaking !== undefined)
    test(`check-breaking ${gates.breaking === 'green' ? 'stays green' : `reports ${gates.breaking}`}`, async () => {
      const { batch, result } = breaking(mutation);
      const changes = await result;
      if (gates.breaking === 'green') expect(changes).toEqual([]);
      else {
        const { changed, before } = batch.placeOf(mutation);
        const defined = gates.breakingAt === undefined ? before : SPEC.split('\n').indexOf(gates.breakingAt) + 1;
        // What is gone stands in the base only; a keyword beside the one that was changed is a line away.
        const near = changes.filter(({ working, base }) => Math.abs(working.line - changed) <= 1 || Math.abs(base.line - defined) <= 1);
        expect(near.map(({ rule }) => rule)).toContain(gates.breaking);
      }
    });
});
