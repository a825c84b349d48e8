/** Parses TypeScript sources and inserts text into them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { format as formatText, resolveConfig } from '../libraries/prettier.ts';
import { printable } from '@specwright/contract/document';
import ts from '../libraries/typescript.ts';
import { type ProjectConfig, isOfAnother } from '../project-config.ts';

export interface Insertion {
  /** Where, in characters from the start of the file. */
  readonly at: number;
  readonly text: string;
}

export interface Change extends Insertion {
  /** How many characters the text replaces; 0 if not given. */
  readonly length?: number;
}

// Most commands, and the development loop at each save, read the same files again and again.
const parsed = new Map<string, ts.SourceFile>();

/** Caches the last parse of a path: trees are not changed. */
export function parse(path: string, text = readFileSync(path, 'utf8')): ts.SourceFile {
  const last = parsed.get(path);
  if (last?.text === text) return last;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  parsed.set(path, file);
  return file;
}

/** Every source below a folder, by path. */
export function sourcesIn(folder: string): ts.SourceFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => parse(join(folder, path)));
}

/** `line` and `column` from 1. */
export function locationOf(file: ts.SourceFile, node: ts.Node): { line: number; column: number } {
  const { line, character } = file.getLineAndCharacterOfPosition(node.getStart(file));
  return { line: line + 1, column: character + 1 };
}

/** Calls `visit` for the node and everything in it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** The object literal that an expression is, behind parentheses, `as` and `satisfies`. */
export function objectLiteral(expression: ts.Node | undefined): ts.ObjectLiteralExpression | undefined {
  let node = expression;
  while (node !== undefined && (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))) {
    node = node.expression;
  }
  return node !== undefined && ts.isObjectLiteralExpression(node) ? node : undefined;
}

export interface Member {
  readonly name: string;
  readonly node: ts.ObjectLiteralElementLike;
}

/** The named members of an object literal, without spreads. */
export function membersOf(literal: ts.ObjectLiteralExpression): Member[] {
  return literal.properties.flatMap((node) => {
    if (node.name === undefined || ts.isComputedPropertyName(node.name) || ts.isPrivateIdentifier(node.name)) return [];
    return [{ name: node.name.text, node }];
  });
}

/** Appends members to an object literal. @param members each as its lines, without indentation. */
export function appendMembers(
  file: ts.SourceFile,
  literal: ts.ObjectLiteralExpression,
  members: readonly (readonly string[])[],
  separator: '' | '\n',
): Insertion[] {
  const { text } = file;
  const lineStart = (at: number) => text.lastIndexOf('\n', at - 1) + 1;
  const indentAt = (at: number) => /^[ \t]*/.exec(text.slice(lineStart(at)))?.[0] ?? '';
  const brace = literal.getEnd() - 1;
  const last = literal.properties.at(-1);
  const start = last?.getStart(file);
  const isOnOwnLine = start !== undefined && text.slice(lineStart(start), start).trim() === '';
  const indent = isOnOwnLine ? indentAt(start) : `${indentAt(literal.getStart(file))}  `;
  const body = members.map((lines) => lines.map((line) => `${indent}${line}\n`).join('')).join(separator);
  const comma = last !== undefined && !literal.properties.hasTrailingComma ? [{ at: last.getEnd(), text: ',' }] : [];
  // Where the closing brace is the first of its line, whole lines are inserted.
  if (text.slice(lineStart(brace), brace).trim() === '') {
    return [...comma, { at: lineStart(brace), text: `${last === undefined ? '' : separator}${body}` }];
  }
  return [...comma, { at: brace, text: `\n${body}${indentAt(brace)}` }];
}

/** Adds an import statement after the last one, unless the value is imported already. */
export function addImport(file: ts.SourceFile, name: string, from: string): Insertion[] {
  const imports = file.statements.filter(ts.isImportDeclaration);
  if (imports.some(({ importClause }) => importedNames(importClause).includes(name))) return [];
  const last = imports.at(-1);
  const line = `import { ${name} } from ${JSON.stringify(from).replaceAll('"', "'")};`;
  return [last === undefined ? { at: file.getStart(), text: `${line}\n` } : { at: last.getEnd(), text: `\n${line}` }];
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const bindings = clause?.namedBindings;
  const names = bindings === undefined ? [] : ts.isNamespaceImport(bindings) ? [bindings.name] : bindings.elements.map(({ name }) => name);
  return [...names, ...(clause?.name === undefined ? [] : [clause.name])].map(({ text }) => text);
}

/** The text with the changes. It is formatted by Prettier if it was before. */
export async function applyChanges(path: string, text: string, changes: readonly Change[]): Promise<string> {
  let result = text;
  // From the end, so that offsets stay valid; those at one offset in their order.
  const sorted = changes.map((change, i) => ({ ...change, i })).sort((a, b) => b.at - a.at || b.i - a.i);
  for (const { at, length = 0, text: added } of sorted) result = result.slice(0, at) + added + result.slice(at + length);
  return (await format(path, text)) === text ? format(path, result) : result;
}

/** The text as Prettier writes it in this project. */
export async function format(path: string, text: string): Promise<string> {
  return formatText(text, { ...(await resolveConfig(path)), filepath: path });
}

/** The sources in a folder, from the root, without those in folders of other contracts. */
export const sourcesOf = (project: ProjectConfig, folder: string): ts.SourceFile[] =>
  sourcesIn(join(project.root, folder)).filter(({ fileName }) => !isOfAnother(project, fileName));

/** `User Photos` -> `user-photos`; empty if nothing of it can stand in a file name. */
export function kebab(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?<=[a-z])(?=[A-Z])|(?<=\d)(?=[A-Z][a-z])/g, '-')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/** `user-photos` -> `userPhotos` */
export const camel = (name: string): string => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()).replace(/^\d/, '_$&');

/** `users` -> `user`, as the handler files name what they export. */
export function singular(word: string): string {
  if (/ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(ss|sh|ch|x|us)es$/.test(word)) return word.slice(0, -2);
  return /(ss|us|is|ws)$/.test(word) ? word : word.replace(/s$/, '');
}

/** A string literal as Prettier writes it here: in the quotes that need fewer escapes. */
export function quoted(text: string): string {
  const json = printable(JSON.stringify(text));
  const double = text.split("'").length > text.split('"').length;
  return double ? json : `'${json.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}

/** A property's name: bare where the language allows it. */
export const propertyName = (id: string): string => (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(id) ? id : quoted(id));

/** One line: every line terminator and control character is a space. */
export const oneLine = (text: string): string => printable(text.replace(/[\s\p{Cc}]+/gu, ' ').trim());

export const lineComment = (text: string): string => `// ${oneLine(text)}`;

export const docComment = (text: string): string => `/** ${oneLine(text).replaceAll('*/', '* /')} */`;
