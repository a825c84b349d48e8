/**
 * Makes mutants of a source file by kind, from its syntax: bounds, conditions dropped, guards dropped, wrong status, missing await, missing
 * account, order. What a mutant is called does not change with the lines around it.
 */
import { createHash } from 'node:crypto';
import ts from 'typescript';

export type MutantKind = 'bound' | 'condition' | 'guard' | 'status' | 'await' | 'account' | 'order' | 'call';

export interface GeneratedMutant {
  /** Of the file, the kind, the function around it and what is replaced. */
  readonly id: string;
  readonly file: string;
  readonly kind: MutantKind;
  /** From 1. */
  readonly line: number;
  /** Whether it is in no function: it runs when its module is loaded. */
  readonly isTopLevel: boolean;
  /** What is replaced, and with what, on one line. */
  readonly text: string;
  readonly becomes: string;
  /** The whole file with the mutant. */
  readonly source: string;
}

interface Change {
  readonly kind: MutantKind;
  readonly node: ts.Node;
  readonly becomes: string;
}

/** All mutants of a file, in its order. @param file from the root of the repository. */
export function generateMutants(file: string, source: string): GeneratedMutant[] {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const counts = new Map<string, number>();
  const mutants: GeneratedMutant[] = [];
  const visit = (node: ts.Node): void => {
    // Types are nothing that runs.
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isImportDeclaration(node)) return;
    for (const change of changesOf(node, parsed)) {
      const text = change.node.getText(parsed);
      const key = [file, change.kind, functionAround(change.node, parsed), text, change.becomes].join('\0');
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const [start, end] = [change.node.getStart(parsed), change.node.getEnd()];
      mutants.push({
        id: createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 10),
        file,
        kind: change.kind,
        line: parsed.getLineAndCharacterOfPosition(start).line + 1,
        isTopLevel: ts.findAncestor(change.node, ts.isFunctionLike) === undefined,
        text: short(text),
        becomes: short(change.becomes),
        source: source.slice(0, start) + change.becomes + source.slice(end),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return mutants;
}

const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 120);

function functionAround(node: ts.Node, file: ts.SourceFile): string {
  const names: string[] = [];
  for (let at: ts.Node | undefined = node.parent; at !== undefined; at = at.parent as ts.Node | undefined) {
    const { name } = at as { name?: ts.Node };
    if ((ts.isFunctionLike(at) || ts.isClassDeclaration(at) || ts.isVariableDeclaration(at)) && name !== undefined)
      names.push(name.getText(file));
  }
  return names.reverse().join('.');
}

const BOUNDS: Readonly<Partial<Record<ts.SyntaxKind, string>>> = {
  [ts.SyntaxKind.LessThanToken]: '<=',
  [ts.SyntaxKind.LessThanEqualsToken]: '<',
  [ts.SyntaxKind.GreaterThanToken]: '>=',
  [ts.SyntaxKind.GreaterThanEqualsToken]: '>',
};
const ACCOUNT = /^(account_?id|account)$/i;

function* changesOf(node: ts.Node, file: ts.SourceFile): Generator<Change> {
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node;
    const bound = BOUNDS[operatorToken.kind];
    if (bound !== undefined) yield { kind: 'bound', node: operatorToken, becomes: bound };
    if (operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken && isDecision(node)) {
      yield { kind: 'condition', node, becomes: left.getText(file) };
      yield { kind: 'condition', node, becomes: right.getText(file) };
    }
    if (operatorToken.kind === ts.SyntaxKind.BarBarToken && isDecision(node)) {
      yield { kind: 'condition', node, becomes: left.getText(file) };
      yield { kind: 'condition', node, becomes: right.getText(file) };
    }
  }
  if (ts.isIfStatement(node) && node.elseStatement === undefined && leaves(node.thenStatement)) yield { kind: 'guard', node, becomes: ';' };
  if (ts.isConditionalExpression(node)) yield { kind: 'condition', node: node.condition, becomes: 'true' };
  if (ts.isNumericLiteral(node) && /^[2-5]\d\d$/.test(node.text) && !isInUnit(node))
    yield { kind: 'status', node, becomes: node.text === '500' ? '503' : String(Number(node.text) + 1) };
  if (ts.isExpressionStatement(node)) {
    if (ts.isAwaitExpression(node.expression))
      yield { kind: 'await', node: node.expression, becomes: `void ${node.expression.expression.getText(file)}` };
    else if (ts.isCallExpression(node.expression) && !/^super\b/.test(node.getText(file))) yield { kind: 'call', node, becomes: ';' };
  }
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 1)
    for (const property of node.properties)
      if ((ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property)) && ACCOUNT.test(property.name.getText(file)))
        yield {
          kind: 'account',
          node,
          becomes: `{ ${node.properties
            .filter((one) => one !== property)
            .map((one) => one.getText(file))
            .join(', ')} }`,
        };
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    /^(sort|toSorted|reverse|orderBy)$/.test(node.expression.name.text)
  )
    yield { kind: 'order', node, becomes: node.expression.expression.getText(file) };
}

/** A part of a value is a default more often than a decision: `a || b`. */
function isDecision(node: ts.Expression): boolean {
  let at: ts.Node = node;
  while (ts.isParenthesizedExpression(at.parent) || ts.isBinaryExpression(at.parent) || ts.isPrefixUnaryExpression(at.parent))
    at = at.parent;
  const { parent } = at;
  return (
    ts.isIfStatement(parent) ||
    ts.isConditionalExpression(parent) ||
    ts.isWhileStatement(parent) ||
    ts.isReturnStatement(parent) ||
    ts.isArrowFunction(parent)
  );
}

function leaves(statement: ts.Statement): boolean {
  const last = ts.isBlock(statement) ? statement.statements.at(-1) : statement;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isThrowStatement(last) || ts.isContinueStatement(last));
}

/** 500 ms and 256 KiB are no statuses, and no more is `LOCK_TIMEOUT: integer(1, 1000).default(500)`. */
function isInUnit({ parent }: ts.Node): boolean {
  if (ts.isCallExpression(parent) && ts.isPropertyAssignment(parent.parent)) return isInUnit(parent);
  if (ts.isBinaryExpression(parent)) return !/^[!=]==$|^[<>]=?$/.test(parent.operatorToken.getText());
  const name =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent) || ts.isBindingElement(parent)
      ? parent.name.getText()
      : '';
  return /(ms|bytes|length|size|rows|max|min|limit|timeout|interval|spread|least|count)/i.test(name);
}
