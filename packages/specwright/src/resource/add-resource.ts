/** Adds a resource to a project: everything is composed and tried on a new database, and only then written. */
import { join, relative } from 'node:path';
import { ContractError, type Document, type SourceDocument, checkDocument } from '@specwright/contract/document';
import { dumpSchema, migrate, readTables } from '@specwright/postgres';
import { withMigratedDatabase } from '../database/migrated-database.ts';
import { schemaFiles } from '../database/schema-files.ts';
import { writeAll } from '../files/write-all.ts';
import { generate, generatedForm } from '../generate/generate.ts';
import { lintSpec } from '../lint/lint-spec.ts';
import { composeSwitchedOff } from '../lint/switch-off-rules.ts';
import { composeMigration, statements } from '../migrations/migration-file.ts';
import { type ProjectConfig, loadSchema } from '../project-config.ts';
import { findSchemaProblems } from '../schema/compare-schemas.ts';
import { readComparison, unregisteredMigrations } from '../schema/read-comparison.ts';
import { scenariosFile } from '../stubs/find-handlers.ts';
import { exportName, identifiers } from '../stubs/stub-text.ts';
import { addImport, appendMembers, applyChanges, format } from '../stubs/typescript-source.ts';
import { type ResourceRequest, planResource } from './plan-resource.ts';
import { type ErrorCodes, type ProjectFiles, assertCommitted, errorsFile, readProjectFiles, unimplementedScheme } from './project-files.ts';
import { type Resource, operationIds } from './resource.ts';
import { type ResourceConstraint, constraintsOf, planTable } from './resource-table.ts';
import { handlerSource, scenarioSource, storeSource } from './sources.ts';
import { writeSpec } from './spec/write-spec.ts';

export interface AddResourceOptions extends ResourceRequest {
  /** The tag of its operations; default: a new one. */
  readonly tag: string | undefined;
  /** Whether files with uncommitted changes may be changed. */
  readonly allowDirty: boolean;
}

/**
 * @returns the files that were written, from the project's root, and notes: what is left to a person.
 * @throws Error if the project is not as expected, or a part of the resource is taken: nothing was written then.
 */
export async function addResource(project: ProjectConfig, options: AddResourceOptions) {
  const files = readProjectFiles(project);
  const { stores, owner } = files;
  const comparison = readComparison(project);
  const { source, map } = comparison;
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  const schema = await loadSchema(project);
  const [unregistered] = await unregisteredMigrations(project, schema);
  if (unregistered !== undefined) throw new Error(`${unregistered} is not registered: list it last in ${project.schema}, or remove it`);

  const { resource, components, id } = await planResource(options, { project, source, map, stores, owner });
  assertReferable(source.document, resource, files.codes, errorsFile(project));
  const spec = await writeSpec({ source, resource, components, id, tag: options.tag });
  const generated = await generate(spec, generatedForm(join(project.root, project.generated)));
  const constraints = constraintsOf(spec.document, resource);
  const plan = planTable(spec.document, resource, constraints);
  const migration = await composeMigration(project, plan, resource.names.table);
  const { created, changed, notes } = await composeSources(project, files, resource, spec.document, constraints);
  created.set(migration.file, migration.text);
  changed.set(migration.index, migration.registered);
  changed.set(project.spec, spec.source);
  const linted = await lintResource(project, source, spec);
  for (const [name, text] of linted.configuration) changed.set(name, text);
  notes.push(...linted.notes);

  // The schema may have been added just now.
  const others = [...changed.keys()].filter((name) => name !== project.spec || options.schema === undefined);
  if (!options.allowDirty) assertCommitted(project, others);

  const output = await withMigratedDatabase(project, schema, async (db) => {
    const known = new Set(findSchemaProblems({ ...comparison, tables: await readTables(db) }).map(({ message }) => message));
    const added = { name: migration.name, migration: { up: (knex: typeof db) => knex.raw(statements(plan.actions).join(';\n')) } };
    await migrate(db, { ...schema, migrations: [...schema.migrations, added] });
    const tables = await readTables(db);
    const left = findSchemaProblems({ ...comparison, source: spec, tables });
    const differences = left.flatMap(({ message }) => (known.has(message) ? [] : [`  ${message}`]));
    if (differences.length > 0)
      throw new Error(['the table would differ from the schemas, nothing was changed:', ...differences].join('\n'));
    return schemaFiles(project, await dumpSchema(db), tables);
  });
  const all = new Map([...created, ...changed, ...output]);
  for (const [name, text] of generated) all.set(join(project.generated, name), text);
  return { written: writeAll(project.root, all, [...created.keys()]), operations: Object.values(operationIds(resource.names)), notes };
}

/** The new sources, and the two lists that they are added to, by their paths from the root. */
async function composeSources(
  project: ProjectConfig,
  files: ProjectFiles,
  resource: Resource,
  document: Document,
  constraints: readonly ResourceConstraint[],
) {
  const { names } = resource;
  const { noun, one } = names;
  const { set, scenarios, table, stores } = files;
  const options = { project, files, resource, document, constraints };
  const changed = new Map<string, string>();
  const created = new Map<string, string>();
  const notes: string[] = [];
  const create = async (name: string, text: string) => created.set(name, await format(join(project.root, name), text));
  const list = async ({ file, literal }: Pick<typeof set, 'file' | 'literal'>, value: string, entry: string) => {
    const changes = [...addImport(file, value, `./${noun}.ts`), ...appendMembers(file, literal, [[entry]], '')];
    changed.set(relative(project.root, file.fileName), await applyChanges(file.fileName, file.text, changes));
  };
  const handlers = exportName(noun, identifiers(set.file));
  await create(`${project.handlers}/${noun}.ts`, handlerSource(options, handlers));
  await list(set, handlers, `...${handlers},`);
  await create(`${stores}/${noun}.ts`, storeSource(options));
  await create(`${project.contractTests}/${noun}.ts`, scenarioSource(options));
  const scheme = unimplementedScheme(project, document, `/${noun}`);
  if (scheme === undefined) await list({ file: scenarios, literal: table }, `${one}Scenarios`, `...${one}Scenarios,`);
  else
    notes.push(
      `the operations answer 501 until ${scheme} is implemented in src/security.ts; then add ...${one}Scenarios to ${scenariosFile(project)}`,
    );
  return { created, changed, notes };
}

/**
 * As `new` does for a whole document: a rule that it had nothing for before the resource was added, and that its house style does not
 * follow, is switched off, and named.
 *
 * @returns the configuration with them off, by its path from the root, and a note.
 */
async function lintResource(project: ProjectConfig, before: SourceDocument, after: SourceDocument) {
  const lint = ({ source }: SourceDocument) => lintSpec(project.spec, source, { project, all: true });
  const found = await lint(after);
  const known = new Set(found.length === 0 ? [] : (await lint(before)).map(({ rule }) => rule));
  const problems = found.filter(({ rule }) => !known.has(rule));
  const rules = [...new Set(problems.map(({ rule }) => rule))].join(', ');
  if (problems.length === 0) return { configuration: [], notes: [] };
  try {
    const configuration = [...composeSwitchedOff([{ project, problems }]).values()].map(({ name, text }) => [name, text] as const);
    const names = configuration.map(([name]) => name).join(', ');
    return { configuration, notes: [`switched off in ${names}, because no other operation was concerned: ${rules}`] };
  } catch {
    // A separate configuration, without a list for them: a person decides.
    return { configuration: [], notes: [`npx specwright lint reports ${rules}`] };
  }
}

/** @throws Error with what the nouns that are referred to lack: a status of their `DELETE`, and a code for it. */
export function assertReferable(document: Document, { names, properties }: Resource, codes: ErrorCodes, errors: string): void {
  const referred = new Map(properties.flatMap(({ reference }) => (reference ? [[reference.names.noun, reference.names] as const] : [])));
  const lacking = [...referred.values()].flatMap(({ noun, one, words }) => {
    const [path = '', item] =
      Object.entries(document.paths).find(([each, { delete: operation }]) => operation && each.split('/').at(-2) === noun) ?? [];
    const responses = item?.delete?.responses;
    // A noun that cannot be deleted needs no response for one in use.
    if (responses === undefined) return [];
    const isDeclared = ['409', '4XX', 'default'].some((status) => status in responses);
    return [
      ...(isDeclared ? [] : [`a response 409 to DELETE ${path} in the spec, and a call in the scenarios that gets it`]),
      ...(codes.inUse(one) === undefined
        ? [`${one}_in_use: 409 in ${errors}, and ${one}_in_use in the codes of the spec's errors, for ${words} in use`]
        : []),
    ];
  });
  if (lacking.length === 0) return;
  const nouns = [...referred.values()].map(({ words }) => words).join(' and ');
  const problem = `${names.words} refer to ${nouns}, which cannot be deleted as long as they do. Add first:`;
  throw new Error([`${names.noun} cannot be added, nothing was changed: ${problem}`, ...lacking.map((line) => `  ${line}`)].join('\n'));
}
