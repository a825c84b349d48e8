/** Finds the handlers of a project: the members of every object that is declared as `Handlers`, or part of them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { ProjectConfig } from '../project-config.ts';
import { sourcesOf } from './contract-sources.ts';
import { membersOf, objectLiteral, walk, type Member } from './typescript-source.ts';

/** An object of handlers, and its file. */
export interface HandlerSet {
  readonly file: ts.SourceFile;
  readonly literal: ts.ObjectLiteralExpression;
  readonly handlers: readonly Member[];
}

/** Every set of handlers of a contract, by path. None if its folder is not there, as that of a new one. */
export const findHandlers = (project: ProjectConfig): HandlerSet[] =>
  existsSync(join(project.root, project.handlers)) ? sourcesOf(project, project.handlers).flatMap(setsOf) : [];

function setsOf(file: ts.SourceFile): HandlerSet[] {
  const literals = new Set<ts.ObjectLiteralExpression>();
  const add = (expression: ts.Node | undefined) => {
    const literal = objectLiteral(expression);
    if (literal !== undefined) literals.add(literal);
  };
  walk(file, (node) => {
    if (ts.isSatisfiesExpression(node) || ts.isVariableDeclaration(node)) {
      if (mentionsHandlers(node.type)) add(ts.isSatisfiesExpression(node) ? node.expression : node.initializer);
    } else if ((ts.isArrowFunction(node) || ts.isFunctionDeclaration(node)) && mentionsHandlers(node.type) && node.body !== undefined) {
      if (ts.isBlock(node.body)) node.body.statements.filter(ts.isReturnStatement).forEach(({ expression }) => add(expression));
      else add(node.body);
    }
  });
  return [...literals].map((literal) => ({ file, literal, handlers: membersOf(literal) }));
}

/** `Handlers`, `Partial<Handlers>`, `Pick<Handlers, 'getUser'>`. */
function mentionsHandlers(type: ts.TypeNode | undefined): boolean {
  let found = false;
  if (type !== undefined) walk(type, (node) => (found ||= ts.isIdentifier(node) && node.text === 'Handlers'));
  return found;
}

/** The function of `index.ts` that composes the handlers: the name of its database parameter, and its return type. */
export interface Composition {
  readonly database: string;
  /** `Handlers`, or `Handlers<Caller>`. */
  readonly type: ts.TypeNode;
}

/** @returns `undefined` if no function around the object has a parameter of type `Database` and returns `Handlers`. */
export function findComposition({ literal }: HandlerSet): Composition | undefined {
  for (let node: ts.Node = literal; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isFunctionLike(node)) continue;
    const parameter = node.parameters.find(({ type }) => type?.getText() === 'Database');
    if (parameter !== undefined && ts.isIdentifier(parameter.name) && node.type !== undefined && mentionsHandlers(node.type))
      return { database: parameter.name.text, type: node.type };
  }
  return undefined;
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
