/** What `add-resource` has to know of the files of a project, and refuses to go on without. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Document, type OperationObject, isObject } from '@specwright/contract/document';
import { removeFile, writeFile } from '../files/write-files.ts';
import ts from '../libraries/typescript.ts';
import { gitIn } from '../node-arguments.ts';
import { type ProjectConfig, migrationsFolder } from '../project-config.ts';
import { type Composition, type HandlerSet, findComposition, findConstant, findHandlers, scenariosFile } from '../stubs/find-handlers.ts';
import { parse, sourcesOf, walk } from '../stubs/typescript-source.ts';
import { type ErrorCodes, findOwner } from './code/registrations.ts';

export interface ProjectFiles {
  /** The folder of the stores, from the root. */
  readonly stores: string;
  readonly store: ts.SourceFile;
  readonly owner: string | undefined;
  /** The file that composes the handlers, the object that it returns, and how. */
  readonly index: ts.SourceFile;
  readonly set: HandlerSet;
  readonly composition: Composition;
  readonly scenarios: ts.SourceFile;
  readonly table: ts.ObjectLiteralExpression;
  readonly world: ts.InterfaceDeclaration | undefined;
}

/** @throws Error with the first thing that is not as a new project has it. */
export function readProjectFiles(project: ProjectConfig): ProjectFiles {
  const at = (name: string) => join(project.root, name);
  const stores = dirname(migrationsFolder(project));
  const storeFile = `${stores}/store.ts`;
  if (!existsSync(at(storeFile))) throw new Error(`there is no ${storeFile}, which exports recordTable: make it as a new project has it`);
  const store = parse(at(storeFile));
  const owner = findOwner(store);
  if (owner === false)
    throw new Error(
      `${storeFile} has no recordTable: add \`export const recordTable = createRecordTables<Tables>(access)\` there, as a new project has it`,
    );
  const indexFile = `${project.handlers}/index.ts`;
  const set = findHandlers(project).find(({ file }) => file.fileName === at(indexFile));
  const composition = set && findComposition(set);
  if (set === undefined || composition === undefined)
    throw new Error(`${indexFile} does not compose the handlers: add createHandlers(db: Database): Handlers, which returns an object`);
  const scenarios = parse(at(scenariosFile(project)));
  const table = findConstant(scenarios, 'SCENARIOS');
  if (table === undefined) throw new Error(`${scenariosFile(project)} has no table SCENARIOS`);
  return { stores, store, owner, index: set.file, set, composition, scenarios, table, world: findWorld(project) };
}

function findWorld(project: ProjectConfig): ts.InterfaceDeclaration | undefined {
  let found: ts.InterfaceDeclaration | undefined;
  for (const file of sourcesOf(project, project.contractTests))
    walk(file, (node) => {
      if (ts.isInterfaceDeclaration(node) && node.name.text === 'World') found ??= node;
    });
  return found;
}

export const errorsFile = ({ main }: ProjectConfig): string => join(dirname(main), 'errors.ts');

/** The codes that the project has for a broken reference: those of the framework and of a new project by default. */
export function errorCodes(project: ProjectConfig): ErrorCodes {
  const table = findConstant(parse(join(project.root, errorsFile(project))), 'ERRORS');
  const has = (code: string) => table?.properties.some(({ name }) => name?.getText() === code) === true;
  return {
    invalidReference: has('invalid_reference') ? 'invalid_reference' : 'invalid_request',
    inUse: (one) => [`${one}_in_use`, 'conflict'].find(has),
  };
}

/** The module that a file has a type from: `../errors.ts`. @throws Error if it does not import it. */
export function moduleOf(file: ts.SourceFile, type: string): string {
  for (const { importClause, moduleSpecifier } of file.statements.filter(ts.isImportDeclaration)) {
    const bindings = importClause?.namedBindings;
    const names = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : [];
    if (names.includes(type) && ts.isStringLiteral(moduleSpecifier)) return moduleSpecifier.text;
  }
  throw new Error(`${file.fileName} does not import ${type}`);
}

/** The path of the first server's URL, which clients put before each path: empty, or as `/v1`. */
export function basePathOf({ servers = [] }: Document): string {
  const url = servers[0]?.url ?? '/';
  if (url.includes('{')) return '';
  return new URL(url, 'http://localhost').pathname.replace(/(?<!\/)\/+$/, '');
}

/** A security scheme of the operation that src/security.ts does not verify yet: its handler is not reached before that. */
export function unimplementedScheme(project: ProjectConfig, document: Document, path: string): string | undefined {
  const operation = document.paths[path]?.get;
  const required = (isObject(operation) ? (operation as OperationObject).security : undefined) ?? document.security ?? [];
  const file = join(project.root, dirname(project.main), 'security.ts');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return required
    .flatMap((schemes) => Object.keys(schemes))
    .find((name) => new RegExp(`\\b${name.replace(/\W/g, '.')}['"]?: unimplementedScheme`).test(text));
}

/** @throws Error if files have changes that are not committed, which could not be told from those of this command. */
export function assertCommitted({ root }: ProjectConfig, files: readonly string[]): void {
  // No checkout: there is nothing to compare with.
  const output = gitIn(root)('status', '--porcelain', '--', ...files) ?? '';
  const dirty = output.split('\n').flatMap((line) => (line === '' || line.startsWith('??') ? [] : [line.slice(3)]));
  if (dirty.length > 0)
    throw new Error(
      ['uncommitted changes, nothing was changed: commit them, or add --allow-dirty', ...dirty.map((name) => `  ${name}`)].join('\n'),
    );
}

/**
 * @param files path from the root -> content. @param created those that must not exist.
 * @returns those that were written: new, or with another content.
 * @throws Error if one cannot be written; then all are as they were.
 */
export function writeFiles(root: string, files: ReadonlyMap<string, string>, created: readonly string[]): string[] {
  const undo: (() => void)[] = [];
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const path = join(root, name);
      const before = existsSync(path) ? readFileSync(path) : undefined;
      if (before?.toString('utf8') === text) continue;
      if (before !== undefined && created.includes(name)) throw new Error(`${name} exists`);
      writeFile(root, path, text, { isNew: before === undefined });
      undo.push(() => (before === undefined ? removeFile(root, path) : writeFile(root, path, before)));
      written.push(name);
    }
    return written;
  } catch (cause) {
    for (const restore of undo.reverse()) restore();
    throw new Error(`nothing was changed: ${(cause as Error).message}`, { cause });
  }
}
