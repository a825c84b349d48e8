/** Finds the handlers of a project: the members of every object that is declared as `Handlers`, or part of them. */
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type SourceDocument, operationAt, operationTable, printable, refusalStatuses } from '@specwright/contract/document';
import ts from '../libraries/typescript.ts';
import type { ProjectConfig } from '../project-config.ts';
import {
  propertyName,
  quoted,
  type Insertion,
  type Member,
  addImport,
  appendMembers,
  membersOf,
  objectLiteral,
  parse,
  sourcesOf,
  walk,
} from './typescript-source.ts';

/** An object of handlers, and its file. */
export interface HandlerSet {
  readonly file: ts.SourceFile;
  readonly literal: ts.ObjectLiteralExpression;
  /** As which it is declared: `Handlers<Caller, Database>`, or a part of it. */
  readonly type: ts.TypeNode;
  readonly handlers: readonly Member[];
}

/** Every set of handlers of a contract, by path. None if its folder is not there, as that of a new one. */
export const findHandlers = (project: ProjectConfig): HandlerSet[] =>
  existsSync(join(project.root, project.handlers)) ? sourcesOf(project, project.handlers).flatMap((file) => setsOf(file, 'Handlers')) : [];

/** The objects of a file that are declared as a type, or a part of it. */
function setsOf(file: ts.SourceFile, type: string): HandlerSet[] {
  const types = new Map<ts.ObjectLiteralExpression, ts.TypeNode>();
  walk(file, (node) => {
    if (!isTyped(node) || node.type === undefined || !mentions(node.type, type)) return;
    for (const value of valuesOf(node)) {
      const literal = objectLiteral(value);
      if (literal !== undefined) types.set(literal, node.type);
    }
  });
  return [...types].map(([literal, declared]) => ({ file, literal, type: declared, handlers: membersOf(literal) }));
}

type Typed = ts.SatisfiesExpression | ts.VariableDeclaration | ts.ArrowFunction | ts.FunctionDeclaration;

const isTyped = (node: ts.Node): node is Typed =>
  ts.isSatisfiesExpression(node) || ts.isVariableDeclaration(node) || ts.isArrowFunction(node) || ts.isFunctionDeclaration(node);

/** What has the type: a value, or what a function returns. */
function valuesOf(node: Typed): (ts.Node | undefined)[] {
  if (ts.isSatisfiesExpression(node)) return [node.expression];
  if (ts.isVariableDeclaration(node)) return [node.initializer];
  if (node.body === undefined || !ts.isBlock(node.body)) return [node.body];
  return node.body.statements.filter(ts.isReturnStatement).map(({ expression }) => expression);
}

/** `Handlers`, `Partial<Handlers>`, `Pick<Handlers, 'getUser'>`. */
function mentions(type: ts.TypeNode, name: string): boolean {
  let found = false;
  walk(type, (node) => (found ||= ts.isIdentifier(node) && node.text === name));
  return found;
}

/** @throws Error with what to write. @returns the object of `index.ts` that has the handlers of all files. */
export function findComposition({ root, handlers }: ProjectConfig, sets: readonly HandlerSet[]): HandlerSet {
  const index = `${handlers}/index.ts`;
  const found = sets.find(({ file }) => file.fileName === join(root, index));
  if (found === undefined)
    throw new Error(`${index} does not compose the handlers: add \`export const handlers: Handlers<Caller, Database> = {};\``);
  return found;
}

/** The import statements of a file that bring these names, as types: `import type { A } from 'b';`. */
export function typeImports(file: ts.SourceFile, names: readonly string[]): string[] {
  return file.statements.filter(ts.isImportDeclaration).flatMap(({ importClause, moduleSpecifier }) => {
    const bindings = importClause?.namedBindings;
    const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : [];
    const imported = elements.filter(({ name }) => names.includes(name.text)).map((element) => element.getText().replace(/^type /, ''));
    return imported.length === 0 ? [] : [`import type { ${imported.join(', ')} } from ${moduleSpecifier.getText()};`];
  });
}

/** From the root of the project. */
export const scenariosFile = ({ contractTests }: ProjectConfig): string => `${contractTests}/scenarios.ts`;

/** The object literal of a constant. */
export function findConstant(file: ts.SourceFile, name: string): ts.ObjectLiteralExpression | undefined {
  let found: ts.ObjectLiteralExpression | undefined;
  walk(file, (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) found ??= objectLiteral(node.initializer);
  });
  return found;
}

/** The rows of a contract's scenarios: those of SCENARIOS, and of every object that is declared as `Scenarios`, or part of them. */
export function findScenarios(project: ProjectConfig): { file: ts.SourceFile; row: Member }[] {
  if (!existsSync(join(project.root, project.contractTests))) return [];
  return sourcesOf(project, project.contractTests).flatMap((file) => {
    const table = relative(project.root, file.fileName) === scenariosFile(project) ? findConstant(file, 'SCENARIOS') : undefined;
    const literals = new Set([...(table === undefined ? [] : [table]), ...setsOf(file, 'Scenarios').map(({ literal }) => literal)]);
    return [...literals].flatMap(membersOf).map((row) => ({ file, row }));
  });
}

/**
 * The missing rows, each with every status that is not provoked in the same way for every operation.
 *
 * @returns the operations that got a row, and how the file changes.
 * @throws Error if the project has no such table.
 */
export function scenarioRows(
  project: ProjectConfig,
  operations: readonly SpecOperation[],
): { file: ts.SourceFile; added: SpecOperation[]; insertions: Insertion[] } {
  const scenarios = scenariosFile(project);
  const file = parse(join(project.root, scenarios));
  const table = findConstant(file, 'SCENARIOS');
  const genericStatuses = readGenericStatuses(project);
  if (table === undefined) throw new Error(`${scenarios} has no table SCENARIOS: --no-tests leaves the tests unchanged`);
  const present = new Set(findScenarios(project).map(({ row }) => row.name));
  const added = operations.filter(({ id }) => !present.has(id));
  const rows = added.map(({ id, statuses }) => {
    const generic = genericStatuses ?? [String(refusalStatuses(statuses).get(400)), '401'];
    // Which statuses a range stands for is not known.
    const own = statuses.filter((status) => /^\d+$/.test(status) && !generic.includes(status));
    return [`${propertyName(id)}: { ${own.map((status) => `${status}: unwritten(${quoted(id)}, ${status})`).join(', ')} },`];
  });
  if (added.length === 0) return { file, added, insertions: [] };
  const imported = rows.some(([row]) => row?.includes('unwritten(')) ? addImport(file, 'unwritten', './unwritten.ts') : [];
  return { file, added, insertions: [...imported, ...appendMembers(file, table, rows, '')] };
}

/** The statuses in the table of generic.ts; `undefined` without one: `testOperations` provokes 401 and what an invalid request is answered. @throws Error if the file has no such table. */
function readGenericStatuses({ root, contractTests }: ProjectConfig): readonly string[] | undefined {
  const file = `${contractTests}/generic.ts`;
  if (!existsSync(join(root, file))) return undefined;
  const table = findConstant(parse(join(root, file)), 'GENERIC');
  if (table === undefined) throw new Error(`${file} has no table GENERIC: --no-tests leaves the tests unchanged`);
  return membersOf(table).map(({ name }) => name);
}

/** The operations of a spec, with what stubs are made from. */
export interface SpecOperation {
  readonly id: string;
  /** In lower case, as in the document. */
  readonly method: string;
  readonly path: string;
  /** One line; empty if the document has none. */
  readonly summary: string;
  readonly tags: readonly string[];
  /** The keys of `responses`: `200`, `4XX`, `default`. */
  readonly statuses: readonly string[];
}

/** Every operation of a document that has passed `checkDocument`, in the document's order. */
export function operationsOf({ document }: SourceDocument): SpecOperation[] {
  return Object.entries(operationTable(document)).map(([id, { method, path, responses }]) => {
    const { summary, tags } = (operationAt(document.paths[path], method) ?? {}) as { summary?: unknown; tags?: unknown };
    return {
      id,
      method,
      path,
      summary: typeof summary === 'string' ? summary.replace(/\s+/g, ' ').trim() : '',
      tags: Array.isArray(tags) ? tags.map(String) : [],
      statuses: Object.keys(responses),
    };
  });
}

/** `POST /users/{userId}/photos` */
export const formatOperation = ({ method, path }: Pick<SpecOperation, 'method' | 'path'>): string =>
  printable(`${method.toUpperCase()} ${path}`);
