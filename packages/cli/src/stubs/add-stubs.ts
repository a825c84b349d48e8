/** Gives every operation that has no handler one that answers 501, and a test that fails until it is written. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import ts from 'typescript';
import type { SourceDocument } from '@specwright/server';
import type { ProjectConfig } from '../project-config.ts';
import { createFileChooser, createFileNamer } from './choose-file.ts';
import { findComposition, findHandlers, type HandlerSet } from './find-handlers.ts';
import { camel, singular } from './names.ts';
import { operationsOf, type SpecOperation } from './spec-operations.ts';
import { findObsoleteHandlers, type ObsoleteHandler } from './obsolete-handlers.ts';
import { addImport, appendMembers, format, insert, parse, locationOf, walk, type Insertion } from './typescript-source.ts';
import { scenarioRows, scenariosFile } from './scenario-rows.ts';
import { newFile, SERVER_PACKAGE, stub } from './stub-text.ts';

export interface Stub {
  readonly operation: SpecOperation;
  /** `file:line:column`, from the project's root. */
  readonly location: string;
}

export interface StubReport {
  readonly handlers: readonly Stub[];
  readonly tests: readonly Stub[];
  readonly obsolete: readonly ObsoleteHandler[];
}

export interface StubOptions {
  readonly project: ProjectConfig;
  /** Its spec, which has passed `checkDocument`. */
  readonly spec: SourceDocument;
  /** Whether the table of contract tests gets rows. */
  readonly tests?: boolean;
}

export interface Gaps {
  /** Operations without a handler; one whose handler has only another name is among `obsolete`. */
  readonly unwritten: readonly SpecOperation[];
  readonly obsolete: readonly ObsoleteHandler[];
}

/** Which handlers a project lacks, and which its spec no longer has. */
export function findGaps(project: ProjectConfig, spec: SourceDocument): Gaps {
  const { unwritten, obsolete } = compare(project, spec);
  return { unwritten, obsolete };
}

function compare(project: ProjectConfig, spec: SourceDocument) {
  const operations = operationsOf(spec);
  const sets = findHandlers(join(project.root, project.handlers));
  const written = new Set(sets.flatMap(({ handlers }) => handlers.map(({ name }) => name)));
  const missing = operations.filter(({ id }) => !written.has(id));
  const obsolete = findObsoleteHandlers(project, sets, operations, missing);
  const renamed = new Set(obsolete.map((handler) => handler.renamed));
  return { operations, sets, obsolete, unwritten: missing.filter((operation) => !renamed.has(operation)) };
}

/**
 * Adds what is missing and writes the files; existing lines stay unchanged.
 *
 * @throws Error if the project's handlers are not composed where they are expected.
 */
export async function addStubs({ project, spec, tests = true }: StubOptions): Promise<StubReport> {
  const { root } = project;
  const { operations, sets, obsolete, unwritten } = compare(project, spec);
  const changes = new Map([...handlerChanges(project, sets, operations, unwritten), ...(tests ? testChanges(project, unwritten) : [])]);
  for (const [path, change] of changes) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await change());
  }
  const files = [...changes.keys()].map((path) => parse(path));
  const isTest = (file: ts.SourceFile) => relative(root, file.fileName) === scenariosFile(project);
  return {
    handlers: locateStubs(
      root,
      unwritten,
      files.filter((file) => !isTest(file)),
    ),
    tests: locateStubs(root, unwritten, files.filter(isTest)),
    obsolete,
  };
}

type Changes = Map<string, () => Promise<string>>;

function handlerChanges(
  { root, handlers: folderName }: ProjectConfig,
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  missing: readonly SpecOperation[],
): Changes {
  const folder = join(root, folderName);
  const nouns = sets.filter(({ file, handlers }) => basename(file.fileName) !== 'index.ts' || handlers.length > 0);
  const setIn = (name: string) => nouns.find(({ file }) => file.fileName === join(folder, `${name}.ts`));
  const chooseFile = createFileChooser(nouns, operations);
  const nameFile = createFileNamer(
    operations,
    (name) => name === 'index' || (existsSync(join(folder, `${name}.ts`)) && setIn(name) === undefined),
  );

  const additions = new Map<HandlerSet, SpecOperation[]>();
  const files = new Map<string, SpecOperation[]>();
  for (const operation of missing) {
    const name = nameFile(operation);
    const set = chooseFile(operation) ?? setIn(name);
    if (set === undefined) files.set(name, [...(files.get(name) ?? []), operation]);
    else additions.set(set, [...(additions.get(set) ?? []), operation]);
  }

  const changes: Changes = new Map();
  for (const [{ file, literal }, added] of additions) {
    change(changes, file, [...addImport(file, 'notImplemented', SERVER_PACKAGE), ...appendMembers(file, literal, added.map(stub), '\n')]);
  }
  if (files.size > 0) {
    const index = sets.find(({ file }) => file.fileName === join(folder, 'index.ts'));
    const composition = index && findComposition(index);
    if (index === undefined || composition === undefined) {
      throw new Error(
        `${folderName}/index.ts does not compose the handlers: add createHandlers(db: Database): Handlers, which returns an object`,
      );
    }
    const taken = identifiers(index.file);
    const imports: Insertion[] = [];
    const spreads: string[][] = [];
    for (const [name, added] of files) {
      const value = exportName(name, taken);
      changes.set(join(folder, `${name}.ts`), () => format(join(folder, `${name}.ts`), newFile(value, added, index.file, composition)));
      imports.push(...addImport(index.file, value, `./${name}.ts`));
      spreads.push([`...${value}(${composition.database}),`]);
    }
    change(changes, index.file, [...imports, ...appendMembers(index.file, index.literal, spreads, '')]);
  }
  return changes;
}

function testChanges(project: ProjectConfig, missing: readonly SpecOperation[]): Changes {
  const changes: Changes = new Map();
  if (missing.length === 0) return changes;
  const { file, added, insertions } = scenarioRows(project, missing);
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

/** The name that a file exports: `photoHandlers` of `photos.ts`, unless it is taken. */
function exportName(name: string, taken: Set<string>): string {
  const candidates = [singular(name), name, ...Array.from(taken, (_, i) => `${name}-${i + 2}`)].map((word) => `${camel(word)}Handlers`);
  const value = candidates.find((candidate) => !taken.has(candidate)) ?? name;
  taken.add(value);
  return value;
}

/** Where the stubs are in the written files. */
function locateStubs(root: string, operations: readonly SpecOperation[], files: readonly ts.SourceFile[]): Stub[] {
  const locations = new Map<string, string>();
  for (const file of files) {
    walk(file, (node) => {
      if (!ts.isPropertyAssignment(node) || ts.isComputedPropertyName(node.name) || ts.isPrivateIdentifier(node.name)) return;
      const { line, column } = locationOf(file, node);
      locations.set(node.name.text, `${relative(root, file.fileName)}:${line}:${column}`);
    });
  }
  return operations.flatMap((operation) => {
    const location = locations.get(operation.id);
    return location === undefined ? [] : [{ operation, location }];
  });
}
