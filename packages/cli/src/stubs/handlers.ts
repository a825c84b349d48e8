/** Finds the handlers that a project has: the members of every object that it declares to be `Handlers`, or part of them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { membersOf, objectLiteral, parse, walk, type Member } from './source.ts';

/** One object of handlers, and the file that it stands in. */
export interface HandlerSet {
  readonly file: ts.SourceFile;
  readonly literal: ts.ObjectLiteralExpression;
  readonly handlers: readonly Member[];
}

/** Every set of handlers below a folder, by path. */
export function findHandlers(folder: string): HandlerSet[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return files.sort().flatMap((path) => setsOf(parse(join(folder, path))));
}

function setsOf(file: ts.SourceFile): HandlerSet[] {
  const literals = new Set<ts.ObjectLiteralExpression>();
  const add = (expression: ts.Node | undefined) => {
    const literal = objectLiteral(expression);
    if (literal !== undefined) literals.add(literal);
  };
  walk(file, (node) => {
    if (ts.isSatisfiesExpression(node) || ts.isVariableDeclaration(node)) {
      if (saysHandlers(node.type)) add(ts.isSatisfiesExpression(node) ? node.expression : node.initializer);
    } else if ((ts.isArrowFunction(node) || ts.isFunctionDeclaration(node)) && saysHandlers(node.type) && node.body !== undefined) {
      if (ts.isBlock(node.body)) node.body.statements.filter(ts.isReturnStatement).forEach(({ expression }) => add(expression));
      else add(node.body);
    }
  });
  return [...literals].map((literal) => ({ file, literal, handlers: membersOf(literal) }));
}

/** `Handlers`, `Partial<Handlers>`, `Pick<Handlers, 'getPet'>`. */
function saysHandlers(type: ts.TypeNode | undefined): boolean {
  let found = false;
  if (type !== undefined) walk(type, (node) => (found ||= ts.isIdentifier(node) && node.text === 'Handlers'));
  return found;
}

/** What `index.ts` calls the database where it composes the handlers. */
export function databaseParameter({ literal }: HandlerSet): string | undefined {
  for (let node: ts.Node = literal; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isFunctionLike(node)) continue;
    const parameter = node.parameters.find(({ type }) => type?.getText() === 'Database');
    if (parameter !== undefined && ts.isIdentifier(parameter.name)) return parameter.name.text;
  }
  return undefined;
}
