/** What `add-resource` has to know of the files of a project, and refuses to go on without. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Document, type OperationObject, isObject } from '@specwright/contract/document';
import type ts from '../libraries/typescript.ts';
import { gitIn } from 'openapi-compare/checkout';
import { type ProjectConfig, migrationsFolder } from '../project-config.ts';
import { type HandlerSet, findComposition, findConstant, findHandlers, scenariosFile } from '../stubs/find-handlers.ts';
import { parse } from '../stubs/typescript-source.ts';

export interface ProjectFiles {
  /** The folder of the stores, from the root, and its store.ts. */
  readonly stores: string;
  readonly storeFile: string;
  readonly owner: string | undefined;
  /** The object with all handlers. */
  readonly set: HandlerSet;
  readonly scenarios: ts.SourceFile;
  readonly table: ts.ObjectLiteralExpression;
  /** The modules of the contract tests beside the scenarios, by their names: `world.ts`. */
  readonly testModules: ReadonlyMap<string, string>;
  /** The error codes of the project, as src/errors.ts has them. */
  readonly codes: ErrorCodes;
}

/** @throws Error with the first thing that is not as a new project has it. */
export function readProjectFiles(project: ProjectConfig): ProjectFiles {
  const at = (name: string) => join(project.root, name);
  const stores = dirname(migrationsFolder(project));
  const storeFile = `${stores}/store.ts`;
  if (!existsSync(at(storeFile))) throw new Error(`there is no ${storeFile}, which exports recordTable: make it as a new project has it`);
  const [, recordTable] = readFileSync(at(storeFile), 'utf8').split('recordTable = createRecordTables');
  if (recordTable === undefined)
    throw new Error(
      `${storeFile} has no recordTable: add \`export const recordTable = createRecordTables<Tables>(access)\` there, as a new project has it`,
    );
  // createRecordTables<Tables, 'account_id'>(access, 'account_id')
  const owner = /, '(\w+)'\);/.exec(recordTable.slice(0, recordTable.indexOf(';') + 1))?.[1];
  const set = findComposition(project, findHandlers(project));
  const scenarios = parse(at(scenariosFile(project)));
  const table = findConstant(scenarios, 'SCENARIOS');
  if (table === undefined) throw new Error(`${scenariosFile(project)} has no table SCENARIOS`);
  const folder = at(project.contractTests);
  const modules = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const testModules = new Map(modules.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  return { stores, storeFile, owner, set, scenarios, table, testModules, codes: errorCodes(project) };
}

export const errorsFile = ({ main }: ProjectConfig): string => join(dirname(main), 'errors.ts');

/** The errors that a project has beside those of the framework. */
export interface ErrorCodes {
  readonly invalidReference: string;
  /** By the noun that is referred to, in the singular; `undefined` if there is none. */
  readonly inUse: (one: string) => string | undefined;
}

/** The codes for a broken reference: those of the framework and of a new project by default. */
function errorCodes(project: ProjectConfig): ErrorCodes {
  const text = readFileSync(join(project.root, errorsFile(project)), 'utf8');
  const has = (code: string) => new RegExp(`^\\s+${code}: \\d`, 'm').test(text);
  return {
    invalidReference: has('invalid_reference') ? 'invalid_reference' : 'invalid_request',
    inUse: (one) => [`${one}_in_use`, 'conflict'].find(has),
  };
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
