/** Over forty mutations of the spec: the right gates turn red, at the line of the mutation, and the others stay green. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compareSpecs, generate, lintSpec } from '@specwright/cli';
import { ContractError, parseSource } from '@specwright/server';
import { readTables, type Table } from '@specwright/postgres';
import { createDatabase } from '@specwright/testing';
import { createTypecheck } from '../support/compile.ts';
import { MUTATIONS, type Mutation } from '../support/mutations.ts';
import { compare, SPEC } from '../support/schema-map.ts';

const FILE = 'spec/petstore.yaml';
const BASE = parseSource(FILE, SPEC);
const COMMITTED = new Map(
  ['contract.ts', 'document.json', 'openapi.ts', 'operations.ts'].map((name) => [name, readFileSync(join('generated', name), 'utf8')]),
);

let folder: string;
let tables: Table[];
const typecheck = createTypecheck();
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-mutation-'));
  const database = await createDatabase();
  tables = await readTables(database.db);
  await database.drop();
});
afterAll(() => rm(folder, { recursive: true }));

/** The spec with the mutation, the line that the gates have to name, and the line that was changed. */
function mutate([name, part, from, to, , at]: Mutation): { text: string; line: number; changed: number } {
  const start = SPEC.indexOf(part);
  const index = SPEC.indexOf(from, start);
  if (start === -1 || index === -1) throw new Error(`${FILE} has no ${JSON.stringify(start === -1 ? part : from)}: adapt "${name}" to it`);
  const text = SPEC.slice(0, index) + to + SPEC.slice(index + from.length);
  const changed = lineAt(text, index);
  return { text, line: at === undefined ? changed : lineReading(text, part, at), changed };
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length;

/** The first line from `part` on that reads `at`, without its indentation unless `at` has it. */
function lineReading(text: string, part: string, at: string): number {
  // What was changed may be the part itself: then there is no other.
  const first = text.includes(part) ? lineAt(text, text.indexOf(part)) : lineAt(SPEC, SPEC.indexOf(part));
  return text.split('\n').findIndex((line, i) => i + 1 >= first && [line, line.trim()].includes(at)) + 1;
}

/** What `npm run generate` makes of a text, or the problems for which it refuses it, as `line message`. */
async function generated(text: string): Promise<{ files?: Map<string, string>; problems: string[] }> {
  // The types are made from the file, not from the text.
  const file = join(folder, 'spec.yaml');
  await writeFile(file, text);
  try {
    return { files: await generate(parseSource(file, text)), problems: [] };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { problems: error.problems.map(({ line = 0, message }) => `${line} ${message}`) };
  }
}

const IS_REFUSED = new Set<string>(MUTATIONS.flatMap(([name, , , , { generate: refusal }]) => (refusal ? [name] : [])));

test('there are at least forty, each with a name of its own', () => {
  expect(new Set(MUTATIONS.map(([name]) => name)).size).toBeGreaterThanOrEqual(40);
  expect(IS_REFUSED.size).toBeGreaterThanOrEqual(10);
});

describe.each(MUTATIONS)('%s', (...mutation) => {
  const [, , , , gates] = mutation;
  const { text, line, changed } = mutate(mutation);

  test(`lint:spec ${gates.lint === undefined ? 'stays green' : `reports ${gates.lint}`}`, async () => {
    const findings = await lintSpec(FILE, text);
    if (gates.lint === undefined) expect(findings).toEqual([]);
    else expect(findings.map((finding) => `${finding.line} ${finding.rule}`)).toContain(`${line} ${gates.lint}`);
  });

  test(`generate ${gates.generate === undefined ? 'takes it, and what is committed is drift' : 'refuses it'}`, async () => {
    const { files, problems } = await generated(text);
    if (gates.generate !== undefined) {
      // Of a reference that leads nowhere the place is the schema that it is, which stands a line above.
      expect(problems).toContainEqual(expect.stringMatching(new RegExp(`^(?:${line}|${line - 1}) .*(?:${gates.generate.source})`)));
      return;
    }
    expect(problems).toEqual([]);
    const { digest } = parseSource(FILE, text);
    const isSame = digest === BASE.digest;
    expect([...(files ?? [])].every(([name, content]) => content === COMMITTED.get(name))).toBe(isSame);
    if (gates.types === undefined) return;
    const errors = typecheck(files ?? COMMITTED);
    if (gates.types === 'green') expect(errors).toEqual([]);
    else expect(errors).toContainEqual(expect.stringMatching(gates.types));
  });

  test(`check-schema ${gates.schema === undefined ? 'stays green' : 'reports the difference'}`, () => {
    let problems: string[];
    try {
      problems = compare(tables, { spec: text });
    } catch (error) {
      // What is no YAML, or refers to nowhere, is for the other gates to say.
      expect(gates.generate).toBeDefined();
      expect(String(error)).toMatch(/spec\/petstore\.yaml|leads nowhere|does not exist/);
      return;
    }
    if (gates.schema === undefined) expect(problems).toEqual([]);
    else {
      const named = gates.schemaAt === undefined ? line : lineReading(text, ...gates.schemaAt);
      expect(problems).toContainEqual(
        expect.stringMatching(new RegExp(`^spec/petstore\\.yaml:${named}:\\d+ .*(?:${gates.schema.source})`)),
      );
    }
  });

  if (gates.breaking === undefined) return;
  test(`check-breaking ${gates.breaking === 'green' ? 'stays green' : `reports ${gates.breaking}`}`, async () => {
    const findings = await compareSpecs(BASE, parseSource(FILE, text), new Date());
    if (gates.breaking === 'green') expect(findings).toEqual([]);
    else {
      // What is gone stands in the base only; a keyword beside the one that was changed is a line away.
      const near = findings.filter(({ working, base }) => [working, base].some((at) => Math.abs(at.line - changed) <= 1));
      expect(near.map(({ rule }) => rule)).toContain(gates.breaking);
    }
  });
});
