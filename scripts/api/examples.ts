/** Examples of exports, taken from code that is compiled and run: pages, READMEs, examples, templates, the service, and tests, in this order. */
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import type { Api, ApiExport } from './program.ts';
import { read, ROOT } from './program.ts';

/** Longer ones are cut after this many lines. */
const MAX_LINES = 12;
/** What a line of a later source is longer than it is: an example of a page is taken though a test has a shorter one. */
const PREFERRED = 400;

interface Example {
  readonly text: string;
  readonly cost: number;
}
interface Imported {
  readonly from: string;
  readonly name: string;
}

/** Where examples are looked for. */
const SOURCES = [
  'docs',
  'README',
  'examples',
  'packages/specwright/template',
  'packages/specwright/template-accounts',
  'src',
  'packages',
  'test',
];

function listFiles(folder: string, pattern: RegExp): string[] {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => join(folder, name))
    .filter(
      (name) => pattern.test(name) && !/node_modules|[/\\](dist|generated|\.data)[/\\]/.test(name) && statSync(join(ROOT, name)).isFile(),
    )
    .sort();
}

const blocksOf = (page: string): string[] => [...read(page).matchAll(/^```[tj]s\n([^]*?)^```/gm)].map(([, text = '']) => text);

function codeOf(source: string): { readonly text: string; readonly file?: string }[] {
  if (source === 'docs')
    return listFiles('docs', /\.md$/)
      .flatMap(blocksOf)
      .map((text) => ({ text }));
  if (source === 'README')
    return listFiles('packages', /README\.md$/)
      .flatMap(blocksOf)
      .map((text) => ({ text }));
  return listFiles(source, /\.ts$/).map((file) => ({ text: read(file), file }));
}

/** The best example of each export, by `keyOf`. */
export function findExamples(api: Api, modules: ReadonlyMap<string, readonly ApiExport[]>): Map<ts.Symbol, string> {
  const symbols = new Map([...modules].map(([specifier, exported]) => [specifier, new Map(exported.map((one) => [one.name, one.symbol]))]));
  const found = new Map<ts.Symbol, Example>();
  for (const [rank, source] of SOURCES.entries()) {
    for (const { text, file } of codeOf(source)) {
      const parsed = ts.createSourceFile('example.ts', text, ts.ScriptTarget.Latest, true);
      const imports = new Map([...importsOf(parsed), ...(file === undefined ? [] : exportsOf(api, file))]);
      const symbolOf = ({ from, name }: Imported) =>
        symbols.get(from)?.get(name) ?? (file === undefined ? undefined : ownSymbol(api, file, from, name));
      const known = new Map([...imports].flatMap(([local, imported]) => {
        const symbol = symbolOf(imported);
        return symbol === undefined || (found.get(symbol)?.cost ?? Infinity) < rank * PREFERRED ? [] : [[local, symbol] as const];
      })); // prettier-ignore
      if (known.size > 0) collect(parsed, known, rank, found);
    }
  }
  return new Map([...found].map(([symbol, { text }]) => [symbol, text]));
}

/** What a source exports, which it may use itself. */
function exportsOf(api: Api, file: string): [string, Imported][] {
  const source = api.program.getSourceFile(join(ROOT, file));
  const exported = source && api.checker.getSymbolAtLocation(source)?.exports;
  return [...(exported?.keys() ?? [])].map((name) => [String(name), { from: `./${basename(file)}`, name: String(name) }]);
}

function importsOf(file: ts.SourceFile): Map<string, Imported> {
  const imports = new Map<string, Imported>();
  const loaded = new Map<string, string>();
  const addDynamic = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
      const text = node.initializer.getText();
      const from = /^await import\('([^']+)'\)/.exec(text)?.[1] ?? loaded.get(text);
      if (from !== undefined && ts.isIdentifier(node.name)) loaded.set(node.name.text, from);
      if (from !== undefined && ts.isObjectBindingPattern(node.name))
        for (const { name, propertyName } of node.name.elements)
          imports.set(name.getText(), { from, name: (propertyName ?? name).getText() });
    }
    ts.forEachChild(node, addDynamic);
  };
  if (file.text.includes('await import(')) addDynamic(file);
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements)
      imports.set(name.text, { from: statement.moduleSpecifier.text, name: (propertyName ?? name).text });
  }
  return imports;
}

/** What a file of a package imports from its own sources. */
function ownSymbol(api: Api, file: string, from: string, name: string): ts.Symbol | undefined {
  if (!from.startsWith('.')) return undefined;
  const source = api.program.getSourceFile(join(ROOT, dirname(file), from));
  const symbol = source && api.checker.getSymbolAtLocation(source)?.exports?.get(ts.escapeLeadingUnderscores(name));
  return symbol && api.resolve(symbol);
}

function collect(file: ts.SourceFile, known: ReadonlyMap<string, ts.Symbol>, rank: number, found: Map<ts.Symbol, Example>): void {
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const symbol = ts.isIdentifier(node) ? known.get(node.text) : undefined;
    if (symbol !== undefined && !isName(node)) {
      const text = excerpt(node);
      const cost = rank * PREFERRED + text.length;
      if (cost < (found.get(symbol)?.cost ?? Infinity)) found.set(symbol, { text, cost });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}

/** Whether an identifier is a property or another declaration's name, not a use. */
function isName(node: ts.Node): boolean {
  const { name } = node.parent as ts.Node & { readonly name?: ts.Node };
  return name === node;
}

/** The statement or member around a use, without the bodies of functions that do not have it. */
function excerpt(node: ts.Node): string {
  let around = node;
  while (!ts.isStatement(around) && !ts.isClassElement(around) && !ts.isSourceFile(around.parent)) around = around.parent;
  const bodies: [number, number][] = [];
  const visit = (part: ts.Node): void => {
    const hasUse = part.pos <= node.pos && node.end <= part.end;
    if (ts.isBlock(part) && ts.isFunctionLike(part.parent) && !hasUse) bodies.push([part.getStart(), part.end]);
    else ts.forEachChild(part, visit);
  };
  visit(around);
  const start = around.getStart();
  let text = around.getText();
  if (text.split('\n').length > MAX_LINES)
    for (const [from, to] of bodies.reverse()) text = `${text.slice(0, from - start)}{ ... }${text.slice(to - start)}`;
  const column = around.getSourceFile().getLineAndCharacterOfPosition(start).character;
  const lines = text.split('\n').map((line, i) => (i === 0 ? line : line.slice(Math.min(column, line.length - line.trimStart().length))));
  return lines.length <= MAX_LINES ? lines.join('\n') : [...lines.slice(0, MAX_LINES - 1), '// ...'].join('\n');
}
