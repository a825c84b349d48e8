/**
 * Gives every operation that has no handler one that answers 501, and a test that fails until it is written; where only the name of an
 * operation has changed, its handler and its test get the new one.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type SourceDocument, printable } from '@specwright/contract/document';
import ts from '../libraries/typescript.ts';
import { assertWritable, writeFile } from '../files/write-files.ts';
import type { ProjectConfig } from '../project-config.ts';
import {
  type HandlerSet,
  type SpecOperation,
  findComposition,
  findHandlers,
  formatOperation,
  operationsOf,
  scenarioRows,
  scenariosFile,
} from './find-handlers.ts';
import { type FormerOperations, type ObsoleteHandler, findObsoleteHandlers, isRenamable, renameHandler } from './obsolete-handlers.ts';
import { SERVER_PACKAGE, createFileChooser, exportName, identifiers, newFile, stub } from './stub-text.ts';
import {
  type Change,
  type Insertion,
  addImport,
  appendMembers,
  applyChanges,
  format,
  locationOf,
  parse,
  sourcesOf,
  walk,
} from './typescript-source.ts';

export interface Stub {
  readonly operation: SpecOperation;
  /** `file:line:column`, from the project's root. */
  readonly location: string;
}

export interface StubReport {
  readonly handlers: readonly Stub[];
  readonly tests: readonly Stub[];
  /** Those of operations that are gone. */
  readonly obsolete: readonly ObsoleteHandler[];
  /** Those that were renamed, at their locations before. */
  readonly renamed: readonly ObsoleteHandler[];
  /** The files that were written, absolute. */
  readonly written: readonly string[];
}

export interface StubOptions {
  readonly project: ProjectConfig;
  /** Its spec, which has passed `checkDocument`. */
  readonly spec: SourceDocument;
  /** Whether the table of contract tests gets rows. */
  readonly tests?: boolean;
  /** What operations were called earlier, beside the committed and the generated operation table. */
  readonly former?: FormerOperations;
}

/** Which handlers a project lacks, and which its spec no longer has. */
export function findGaps(project: ProjectConfig, spec: SourceDocument, former: FormerOperations) {
  const operations = operationsOf(spec);
  const sets = findHandlers(project);
  const written = new Set(sets.flatMap(({ handlers }) => handlers.map(({ name }) => name)));
  const missing = operations.filter(({ id }) => !written.has(id));
  const obsolete = findObsoleteHandlers(project, sets, operations, missing, former);
  const renamed = new Set(obsolete.map((handler) => handler.renamed));
  /** Operations without a handler; one whose handler has only another name is among `obsolete`. */
  const unwritten = missing.filter((operation) => !renamed.has(operation));
  return { operations, sets, obsolete, unwritten };
}

/**
 * Adds what is missing, renames what has only another name, and writes the files; other lines stay unchanged.
 *
 * @throws Error if the project's handlers are not composed where they are expected.
 */
export async function addStubs({ project, spec, tests = true, former = new Map() }: StubOptions): Promise<StubReport> {
  const { root } = project;
  const { operations, sets, obsolete, unwritten } = findGaps(project, spec, former);
  const changes: FileChanges = new Map();
  addHandlers(changes, project, sets, operations, unwritten);
  if (tests) addTests(changes, project, unwritten);
  const renamed = obsolete.filter((handler) => handler.renamed !== undefined);
  const folders = renamed.length === 0 ? [] : [dirname(project.main), ...(tests ? ['test'] : [])];
  const sources = folders.flatMap((folder) => sourcesOf(project, folder));
  for (const renaming of renamed.flatMap((handler) => renameHandler(tests ? handler : { ...handler, tests: [] }, sources)))
    change(changes, renaming.file, renaming.changes);
  for (const path of changes.keys()) assertWritable(root, path);
  for (const [path, { text, changes: ofFile }] of changes) {
    writeFile(
      root,
      path,
      text === undefined ? await format(path, ofFile.map((added) => added.text).join('')) : await applyChanges(path, text, ofFile),
    );
  }
  const files = [...changes.keys()].map((path) => parse(path));
  const stubsIn = (tested: boolean) =>
    locateStubs(
      root,
      unwritten,
      files.filter((file) => isTest(project, file) === tested),
    );
  return {
    handlers: stubsIn(false),
    tests: stubsIn(true),
    obsolete: obsolete.filter((handler) => handler.renamed === undefined),
    renamed,
    written: [...changes.keys()],
  };
}

const isTest = (project: ProjectConfig, { fileName }: ts.SourceFile) => relative(project.root, fileName) === scenariosFile(project);

/** By path: the text of a file, `undefined` for a new one, and how it changes. */
type FileChanges = Map<string, { readonly text: string | undefined; readonly changes: Change[] }>;

function addHandlers(
  changes: FileChanges,
  project: ProjectConfig,
  sets: readonly HandlerSet[],
  operations: readonly SpecOperation[],
  missing: readonly SpecOperation[],
): void {
  const folder = join(project.root, project.handlers);
  const nouns = sets.filter(({ file, handlers }) => basename(file.fileName) !== 'index.ts' || handlers.length > 0);
  const setIn = (name: string) => nouns.find(({ file }) => file.fileName === join(folder, `${name}.ts`));
  const isTaken = (name: string) => name === 'index' || (existsSync(join(folder, `${name}.ts`)) && setIn(name) === undefined);
  const choose = createFileChooser(nouns, operations, isTaken);

  const additions = new Map<HandlerSet, SpecOperation[]>();
  const files = new Map<string, SpecOperation[]>();
  // Collections first: what is below one belongs to its file.
  const depth = ({ path }: SpecOperation) => path.split('/').length;
  for (const operation of [...missing].sort((a, b) => depth(a) - depth(b))) {
    const chosen = choose(operation);
    const set = typeof chosen === 'string' ? setIn(chosen) : chosen;
    if (set !== undefined) additions.set(set, [...(additions.get(set) ?? []), operation]);
    else if (typeof chosen === 'string') files.set(chosen, [...(files.get(chosen) ?? []), operation]);
  }

  for (const [{ file, literal }, added] of additions) {
    change(changes, file, [...addImport(file, 'notImplemented', SERVER_PACKAGE), ...appendMembers(file, literal, added.map(stub), '\n')]);
  }
  if (files.size > 0) {
    const index = findComposition(project, sets);
    const taken = identifiers(index.file);
    const imports: Insertion[] = [];
    const spreads: string[][] = [];
    for (const [name, added] of files) {
      const value = exportName(name, taken);
      const text = newFile(value, name, added, index);
      changes.set(join(folder, `${name}.ts`), { text: undefined, changes: [{ at: 0, text }] });
      imports.push(...addImport(index.file, value, `./${name}.ts`));
      spreads.push([`...${value},`]);
    }
    change(changes, index.file, [...imports, ...appendMembers(index.file, index.literal, spreads, '')]);
  }
}

function addTests(changes: FileChanges, project: ProjectConfig, missing: readonly SpecOperation[]): void {
  if (missing.length === 0) return;
  const { file, added, insertions } = scenarioRows(project, missing);
  if (added.length > 0) change(changes, file, insertions);
}

function change(changes: FileChanges, { fileName, text }: ts.SourceFile, added: readonly Change[]): void {
  changes.set(fileName, { text, changes: [...(changes.get(fileName)?.changes ?? []), ...added] });
}

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

export function formatStubs({ handlers, tests, obsolete, renamed }: StubReport): string[] {
  const lines = [
    ...renamed.flatMap(formatRenamed),
    ...obsolete.flatMap(formatObsolete),
    ...handlers.map(
      ({ operation, location }) => `${location} ${operation.id} (${formatOperation(operation)}) answers 501: implement it there`,
    ),
    ...tests.map(({ operation, location }) => `${location} the test of ${operation.id} fails until its calls are written there`),
  ];
  return lines.length === 0 ? ['every operation of the spec has a handler, and every handler an operation'] : lines.map(printable);
}

/** What has no operation any more, and what to do with it. */
export function formatObsolete({ id, renamed, handlers, tests }: ObsoleteHandler): string[] {
  const [problem, fix] =
    renamed === undefined
      ? [`the spec has no operation ${id}`, 'remove it, or restore the operation']
      : [`${formatOperation(renamed)} is now called ${renamed.id}, not ${id}`, `rename it to ${renamed.id}`];
  return [
    ...handlers.map(({ location }) => `${location} ${problem}: this handler is obsolete; ${fix}`),
    ...tests.map(({ location }) => `${location} ${problem}: this test is obsolete; ${fix}`),
  ];
}

/** What was renamed, and where the former name still is. */
function formatRenamed({ id, renamed, handlers, tests }: ObsoleteHandler): string[] {
  const now = renamed?.id ?? id;
  return [...handlers, ...tests].map((mention) =>
    isRenamable(mention) ? `${mention.location} renamed ${id} to ${now}` : `${mention.location} ${id} is now called ${now}: rename it here`,
  );
}
