/** Composes a migration, and lists it last in the project's module of migrations. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import ts from '../libraries/typescript.ts';
import { migrationsFolder, type Project } from '../project-config.ts';
import { camel, kebab, applyChanges, format, parse, walk, type Insertion } from '../stubs/typescript-source.ts';
import { type Action, type MigrationPlan, identifier } from './migration-plan.ts';

/**
 * Composes the file of a plan, and its registration.
 *
 * @param subject what its name says after the number; default: the columns.
 * @returns `file` and `index` are paths from the project's root, `text` and `registered` what is in them then; `name` is what it is registered by.
 * @throws Error if the file exists, or the list of migrations cannot be found.
 */
export async function composeMigration(project: Project, plan: MigrationPlan, subject?: string) {
  const { root, schema: index } = project;
  const folder = migrationsFolder(project);
  const name = `${nextNumber(join(root, folder))}_${subject ?? subjectOf(plan)}`;
  const file = join(folder, `${name}.ts`);
  const path = join(root, file);
  if (existsSync(path)) throw new Error(`${file} exists: give the migration another name with --name`);
  return { file, index, name, text: await format(path, migrationText(plan)), registered: await register(join(root, index), name) };
}

/** One more than the highest number, with four digits. */
function nextNumber(folder: string): string {
  const numbers = readdirSync(folder).flatMap((name) => /^(\d+)_/.exec(name)?.[1] ?? []);
  return String(Math.max(0, ...numbers.map(Number)) + 1).padStart(4, '0');
}

/** `pets_nickname`; of many columns the tables. */
function subjectOf({ columns }: MigrationPlan): string {
  const words = columns.length <= 2 ? columns : [...new Set(columns.map((column) => column.split('.')[0] ?? ''))];
  const subject = words.join('_and_').replace(/\W+/g, '_');
  return subject.length <= 60 ? subject : 'contract';
}

export function migrationText({ actions, columns, compatible }: MigrationPlan): string {
  const sql = statements(actions).map((statement) => statement.replace(/[\\`]|\$\{/g, (special) => `\\${special}`));
  return `/** What the contract has of ${columns.join(', ').replaceAll('*/', '')}. */
import type { Knex } from 'knex';

${compatible ? '/** It only adds: servers of the version before work with it. */\nexport const compatible = true;\n\n' : ''}export async function up(knex: Knex): Promise<void> {
  await knex.raw(\`
${sql.map((statement) => `    ${statement};\n`).join('')}  \`);
}
`;
}

/** Parts that follow each other in one table are one ALTER TABLE. */
export function statements(actions: readonly Action[]): string[] {
  const result: string[] = [];
  let table: string | undefined;
  for (const action of actions) {
    if ('statement' in action) result.push(action.statement);
    else if (action.table === table) result.push(`${result.pop() ?? ''},\n      ${action.part}`);
    else result.push(`ALTER TABLE ${identifier(action.table)}\n      ${action.part}`);
    table = 'statement' in action ? undefined : action.table;
  }
  return result;
}

/** The text of the module of migrations with one more. */
async function register(index: string, name: string): Promise<string> {
  const text = readFileSync(index, 'utf8');
  const file = parse(index, text);
  const list = migrationList(file);
  if (list === undefined)
    throw new Error(`${basename(index)} has no \`schema\` with a list \`migrations\`: register migrations there, in an array literal`);
  const taken = new Set<string>();
  walk(file, (node) => {
    if (ts.isIdentifier(node)) taken.add(node.text);
  });
  const base = camel(kebab(name.replace(/^\d+_/, '')));
  const value = [base, ...Array.from(taken, (_, i) => `${base}${i + 2}`)].find((candidate) => !taken.has(candidate)) ?? base;
  const lastImport = file.statements.filter(ts.isImportDeclaration).at(-1);
  const line = `import * as ${value} from './${name}.ts';`;
  const imported = lastImport === undefined ? { at: file.getStart(), text: `${line}\n` } : { at: lastImport.getEnd(), text: `\n${line}` };
  return applyChanges(index, text, [imported, ...appendElement(file, list, `{ name: '${name}', migration: ${value} }`)]);
}

/** The array `migrations` of the exported `schema`. */
function migrationList(file: ts.SourceFile): ts.ArrayLiteralExpression | undefined {
  let list: ts.ArrayLiteralExpression | undefined;
  walk(file, (node) => {
    const isList = ts.isPropertyAssignment(node) && node.name.getText(file) === 'migrations';
    if (isList && ts.isArrayLiteralExpression(node.initializer)) list ??= node.initializer;
  });
  return list;
}

function appendElement(file: ts.SourceFile, list: ts.ArrayLiteralExpression, element: string): Insertion[] {
  const last = list.elements.at(-1);
  if (last === undefined) return [{ at: list.getEnd() - 1, text: element }];
  const lineStart = file.text.lastIndexOf('\n', last.getStart(file)) + 1;
  const before = file.text.slice(lineStart, last.getStart(file));
  // On a separate line, as the ones before it.
  const separator = before.trim() === '' ? `,\n${before}` : ', ';
  return [{ at: last.getEnd(), text: `${separator}${element}` }];
}
