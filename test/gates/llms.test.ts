/** llms.txt has each page and each public export, and nothing that is gone. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { PACKAGES, entriesOf } from '../../scripts/llms.ts';

const MAX_TOKENS = 20_000;
/** Of English and names, with the tokenizers of the day; fewer are counted as more. */
const CHARACTERS_PER_TOKEN = 3.5;

const text = readFileSync('llms.txt', 'utf8');

/** The names that a module exports, as its source lists them. */
function exportedNames(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement): string[] => {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause: clause, moduleSpecifier: from } = statement;
      if (clause !== undefined && ts.isNamedExports(clause)) return clause.elements.map(({ name }) => name.text);
      return from !== undefined && ts.isStringLiteral(from) ? exportedNames(join(dirname(file), from.text)) : [];
    }
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name));
    const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
    return name === undefined ? [] : [name.text];
  });
}

const namesOf = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []));

test.each(PACKAGES.flatMap((name) => entriesOf(name).map(({ specifier, source }): [string, string] => [specifier, source])))(
  '%s: each export',
  (specifier, source) => {
    const start = text.indexOf(`\n### ${specifier}\n`);
    const [section = ''] = text.slice(start + 1).split(/\n(?=##)/, 1);
    const listed = [...section.matchAll(/^- ([\w$]+)/gm)].map(([, name = '']) => name);
    const exported = [...new Set(exportedNames(source))].sort();
    expect(exported.length).toBeGreaterThan(0);
    expect(listed.sort()).toEqual(exported);
  },
);

test('each page, and at most 20,000 tokens', () => {
  const pages = [...readFileSync('docs/README.md', 'utf8').matchAll(/\]\(((?!\.\.)[\w-]+\.md)\)/g)].map(([, page = '']) => `docs/${page}`);
  expect(pages.filter((page) => !text.includes(`(${page})`))).toEqual([]);
  expect(text.length / CHARACTERS_PER_TOKEN).toBeLessThan(MAX_TOKENS);
});
