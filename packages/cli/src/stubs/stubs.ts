/** Gives every operation that has no handler one that answers 501, and a test that fails until it is written. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import type { SourceDocument } from '@specwright/server';
import { findDead, type Dead } from './dead.ts';
import { databaseParameter, findHandlers, type HandlerSet } from './handlers.ts';
import { camel, singular } from './names.ts';
import { operationsOf, type SpecOperation } from './operations.ts';
import { createNamer, createPlacer } from './place.ts';
import { addImport, appendMembers, format, insert, parse, placeOf, walk, type Insertion } from './source.ts';
import { newFile, stub } from './text.ts';
import { SCENARIOS, scenarioRows } from './tests.ts';

export interface Stub {
  readonly operation: SpecOperation;
  /** `file:line:column`, from the project's root. */
  readonly place: string;
}

export interface StubReport {
  readonly handlers: readonly Stub[];
  readonly tests: readonly Stub[];
  readonly dead: readonly Dead[];
}

export interface StubOptions {
  /** The project's folder. */
  readonly root: string;
  /** Its spec, which has passed `checkDocument`. */
  readonly spec: SourceDocument;
  /** Whether test/contract gets its rows. */
  readonly tests?: boolean;
}

const FOLDER = 'src/handlers';

export interface Gaps {
  /** Operations that nobody has written; one that has only another name than its handler is among `dead`. */
  readonly unwritten: readonly SpecOperation[];
  readonly dead: readonly Dead[];
}

/** What the handlers of a project lack, and what they have too much, beside its spec. */
export function findGaps(root: string, spec: SourceDocument): Gaps {
  const { unwritten, dead } = compare(root, spec);
  return { unwritten, dead };
}

function compare(root: string, spec: SourceDocument) {
  const operations = operationsOf(spec);
  const sets = findHandlers(join(root, FOLDER));
  const written = new Set(sets.flatMap(({ handlers }) => handlers.map(({ name }) => name)));
  const missing = operations.filter(({ id }) => !written.has(id));
  const dead = findDead(root, sets, operations, missing);
  const renamed = new Set(dead.map((one) => one.renamed));
  return { operations, sets, dead, unwritten: missing.filter((operation) => !renamed.has(operation)) };
}

/**
 * Adds what is missing and writes the files; whatever stands in them stays.
 *
 * @throws Error if the project's handlers are not composed where they are looked for.
 */
export async function addStubs({ root, spec, tests = true }: StubOptions): Promise<StubReport> {
  const { operations, sets, dead, unwritten } = compare(root, spec);
  const changes = new Map([...handlerChanges(root, sets, operations, unwritten), ...(tests ? testChanges(root, unwritten) : [])]);
  for (const [path, change] of changes) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await change());
  }
  const places = [...changes.keys()].map((path) => parse(path));
  const inTests = (file: ts.SourceFile) => relative(root, file.fileName) === SCENARIOS;
  return {
    handlers: placesOf(
      root,
      unwritten,
      places.filter((file) => !inTests(file)),
    ),
    tests: placesOf(root, unwritten, places.filter(inTests)),
    dead,
  };
}

type Changes = Map<string, () => Promise<string>>;

function handlerChanges(
  root: string,
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  missing: readonly SpecOperation[],
): Changes {
  const folder = join(root, FOLDER);
  const nouns = sets.filter(({ file, handlers }) => basename(file.fileName) !== 'index.ts' || handlers.length > 0);
  const setIn = (name: string) => nouns.find(({ file }) => file.fileName === join(folder, `${name}.ts`));
  const placed = createPlacer(nouns, operations);
  const named = createNamer(
    operations,
    (name) => name === 'index' || (existsSync(join(folder, `${name}.ts`)) && setIn(name) === undefined),
  );

  const additions = new Map<HandlerSet, SpecOperation[]>();
  const files = new Map<string, SpecOperation[]>();
  for (const operation of missing) {
    const name = named(operation);
    const set = placed(operation) ?? setIn(name);
    if (set === undefined) files.set(name, [...(files.get(name) ?? []), operation]);
    else additions.set(set, [...(additions.get(set) ?? []), operation]);
  }

  const changes: Changes = new Map();
  for (const [{ file, literal }, added] of additions) {
    const errors = `${relative(dirname(file.fileName), join(root, 'src')).replaceAll('\\', '/')}/errors.ts`;
    change(changes, file, [...addImport(file, 'notImplemented', errors), ...appendMembers(file, literal, added.map(stub), '\n')]);
  }
  if (files.size > 0) {
    const index = sets.find(({ file }) => file.fileName === join(folder, 'index.ts'));
    const db = index && databaseParameter(index);
    if (index === undefined || db === undefined) {
      throw new Error(
        `${FOLDER}/index.ts does not compose the handlers: it needs createHandlers(db: Database): Handlers, which returns an object`,
      );
    }
    const taken = identifiers(index.file);
    const imports: Insertion[] = [];
    const spreads: string[][] = [];
    for (const [name, added] of files) {
      const value = unused(name, taken);
      changes.set(join(folder, `${name}.ts`), () => format(join(folder, `${name}.ts`), newFile(value, added)));
      imports.push(...addImport(index.file, value, `./${name}.ts`));
      spreads.push([`...${value}(${db}),`]);
    }
    change(changes, index.file, [...imports, ...appendMembers(index.file, index.literal, spreads, '')]);
  }
  return changes;
}

function testChanges(root: string, missing: readonly SpecOperation[]): Changes {
  const changes: Changes = new Map();
  if (missing.length === 0) return changes;
  const { file, added, insertions } = scenarioRows(root, missing);
  if (added.length > 0) change(changes, file, insertions);
  return changes;
}

function change(changes: Changes, { fileName, text }: ts.SourceFile, insertions: readonly Insertion[]): void {
  changes.set(fileName, () => insert(fileName, text, insertions));
}

function identifiers(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  walk(file, (node) => {
    if (ts.isIdentifier(node)) names.add(node.text);
  });
  return names;
}

/** What a file exports: `photoHandlers` of `photos.ts`, unless that name stands for something else. */
function unused(name: string, taken: Set<string>): string {
  const candidates = [singular(name), name, ...Array.from(taken, (_, i) => `${name}-${i + 2}`)].map((word) => `${camel(word)}Handlers`);
  const value = candidates.find((candidate) => !taken.has(candidate)) ?? name;
  taken.add(value);
  return value;
}

/** Where the operations' members stand now. */
function placesOf(root: string, operations: readonly SpecOperation[], files: readonly ts.SourceFile[]): Stub[] {
  const places = new Map<string, string>();
  for (const file of files) {
    walk(file, (node) => {
      if (!ts.isPropertyAssignment(node) || ts.isComputedPropertyName(node.name) || ts.isPrivateIdentifier(node.name)) return;
      const { line, column } = placeOf(file, node);
      places.set(node.name.text, `${relative(root, file.fileName)}:${line}:${column}`);
    });
  }
  return operations.flatMap((operation) => {
    const place = places.get(operation.id);
    return place === undefined ? [] : [{ operation, place }];
  });
}
