/** Tables of options in pages, between `<!-- options: MODULE INTERFACE... -->` and `<!-- end of options -->`: made from the types and their docstrings. */
import ts from 'typescript';
import type { Api, ApiExport } from './program.ts';

const TABLE = /(<!-- options: (\S+) ([\w ]+?) -->\n)[^]*?(\n<!-- end of options -->)/g;
/** Options whose type is such an interface are listed with its members: `cors.origins`. */
const NESTED = /(?:Options|Limits|OAuth)$/;
const DEFAULT = /\s*Default: ([^]*?)\.(?=\s|$)/;

/** A page with its tables as they are now. @throws Error if an option has no description, or may be left out and has no default */
export function writeOptionTables(page: string, api: Api, modules: ReadonlyMap<string, readonly ApiExport[]>): string {
  return page.replaceAll(TABLE, (_all, start: string, module: string, names: string, end: string) => {
    const rows = names.split(' ').flatMap((name) => {
      const found = modules.get(module)?.find((one) => one.name === name);
      if (found === undefined) throw new Error(`${module} has no ${name}`);
      return membersOf(found.symbol).flatMap((member) => rowsOf(api, member, ''));
    });
    const table = ['| Option | Type | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
    return `${start}\n${table}\n${end}`;
  });
}

const membersOf = (symbol: ts.Symbol): ts.PropertySignature[] =>
  (symbol.declarations ?? []).filter(ts.isInterfaceDeclaration).flatMap(({ members }) => members.filter(ts.isPropertySignature));

const isOurs = (node: ts.Node): boolean => !node.getSourceFile().isDeclarationFile;

function rowsOf(api: Api, member: ts.PropertySignature, prefix: string): string[] {
  const name = `${prefix}${member.name.getText()}`;
  const { type } = member;
  if (type === undefined || type.kind === ts.SyntaxKind.UndefinedKeyword) return [];
  const symbol = api.checker.getSymbolAtLocation(member.name);
  const text = ts.displayPartsToString(symbol?.getDocumentationComment(api.checker)).replaceAll(/\s+/g, ' ');
  const meaning = text.replace(DEFAULT, '').trim();
  const value = member.questionToken === undefined ? 'required' : DEFAULT.exec(text)?.[1];
  if (value === undefined) throw new Error(`the option ${name} does not say its default`);
  if (meaning === '') throw new Error(`the option ${name} has no description`);
  const parts = ts.isUnionTypeNode(type) ? type.types : [type];
  const nested = parts.flatMap((part) => {
    const target = ts.isTypeReferenceNode(part) ? api.checker.getSymbolAtLocation(part.typeName) : undefined;
    return target !== undefined && NESTED.test(target.name) ? membersOf(api.resolve(target)).filter(isOurs) : [];
  });
  return [row(name, typeText(parts), value, meaning), ...nested.flatMap((one) => rowsOf(api, one, `${name}.`))];
}

const typeText = (parts: readonly ts.TypeNode[]): string =>
  parts
    .map((part) => part.getText().replaceAll(/\s+/g, ' '))
    .filter((part) => part !== 'undefined')
    .join(' | ');

const row = (name: string, type: string, value: string, meaning: string): string =>
  `| ${[`\`${name}\``, `\`${type}\``, value, meaning].map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
