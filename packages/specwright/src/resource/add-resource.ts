/** Adds a resource to a project: everything is composed and tried on a new database, and only then written. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  ContractError,
  type Document,
  type RequestBody,
  type Schema,
  type SourceDocument,
  checkDocument,
  isObject,
  propertiesOf,
  resolve,
} from '@specwright/contract/document';
import { type DatabaseSchema, dumpSchema, migrate, readTables } from '@specwright/postgres';
import type ts from '../libraries/typescript.ts';
import { withMigratedDatabase } from '../database/migrated-database.ts';
import { schemaFiles } from '../database/schema-files.ts';
import { generate, hasClient } from '../generate/generate.ts';
import { lintSpec } from '../lint/lint-spec.ts';
import { composeSwitchedOff } from '../lint/switch-off-rules.ts';
import { composeMigration, statements } from '../migrations/migration-file.ts';
import type { MigrationPlan } from '../migrations/migration-plan.ts';
import { type ProjectConfig, configFile, loadSchema } from '../project-config.ts';
import { findSchemaProblems } from '../schema/compare-schemas.ts';
import { propertyFacts, propertyNames } from '../schema/property-facts.ts';
import { readComparison, unregisteredMigrations } from '../schema/read-comparison.ts';
import { parseSchemaMap } from '../schema/database-locations.ts';
import { exportName, identifiers } from '../stubs/stub-text.ts';
import { type Change, appendMembers, applyChanges, format, parse } from '../stubs/typescript-source.ts';
import { assertReferable, constraintEntries, demoRecord, importInOrder } from './code/registrations.ts';
import { DISTRIBUTION_FILE, constraintsOf, distributionChanges, mapResource, planTable } from './resource-table.ts';
import { handlerSource, storeSource } from './code/handler-source.ts';
import { insertionPoint, scenarioSource } from './code/scenario-source.ts';
import { type ResourceRequest, planResource } from './plan-resource.ts';
import {
  type ProjectFiles,
  assertCommitted,
  basePathOf,
  errorCodes,
  errorsFile,
  moduleOf,
  readProjectFiles,
  unimplementedScheme,
  writeFiles,
} from './project-files.ts';
import { type Resource, operationIds } from './resource.ts';
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
  const { source, map, mapFile } = comparison;
  const problems = await checkDocument(source);
  if (problems.length > 0) throw new ContractError(source.file, problems);
  const schema = await loadSchema(project);
  const [unregistered] = await unregisteredMigrations(project, schema);
  if (unregistered !== undefined) throw new Error(`${unregistered} is not registered: list it last in ${project.schema}, or remove it`);

  const { resource, components, id } = await planResource(options, { project, source, map, stores, owner });
  assertReferable(source.document, resource, errorCodes(project), errorsFile(project));
  const spec = await writeSpec({ source, resource, components, id, tag: options.tag });
  const generated = await generate(spec, { client: hasClient(join(project.root, project.generated)) });
  const plan = planTable(spec.document, resource);
  const migration = await composeMigration(project, plan, resource.names.table);
  const { created, changed, notes } = await composeSources(project, files, resource, spec.document);
  created.set(migration.file, migration.text);
  changed.set(migration.index, migration.registered);
  changed.set(project.spec, spec.source);
  const linted = await lintResource(project, source, spec);
  for (const [name, text] of linted.changed) changed.set(name, text);
  notes.push(...linted.notes);

  const mapPath = configFile(project, 'schema-map.yaml');
  const before = readFileSync(mapPath, 'utf8');
  const unstored = Object.entries(components.added.schemas).flatMap(([name, one]) =>
    Object.keys(propertiesOf(one as Schema)).length > 0 ? [name] : [],
  );
  const constraints = constraintsOf(spec.document, resource);
  const mapped = await mapResource({ file: mapFile, text: before, resource, constraints, unstored });
  const mapText = (await format(mapPath, before)) === before ? await format(mapPath, mapped) : mapped;
  changed.set(relative(project.root, mapPath), mapText);
  // The schema may have been added just now.
  const others = [...changed.keys()].filter((name) => name !== project.spec || options.schema === undefined);
  if (!options.allowDirty) assertCommitted(project, others);

  const output = await withMigratedDatabase(project, schema, async (db) => {
    const known = new Set(findSchemaProblems({ ...comparison, tables: await readTables(db) }).map(({ message }) => message));
    await migrate(db, withMigration(schema, migration.name, plan));
    const tables = await readTables(db);
    const left = findSchemaProblems({ ...comparison, source: spec, map: parseSchemaMap(mapFile, mapText), tables });
    const added = left.flatMap(({ message }) => (known.has(message) ? [] : [`  ${message}`]));
    if (added.length > 0) throw new Error(['the table would differ from the schemas, nothing was changed:', ...added].join('\n'));
    return schemaFiles(project, await dumpSchema(db), tables);
  });
  const all = new Map([...created, ...changed, ...output]);
  for (const [name, text] of generated) all.set(join(project.generated, name), text);
  return { written: writeFiles(project.root, all, [...created.keys()]), operations: Object.values(operationIds(resource.names)), notes };
}

const withMigration = (schema: DatabaseSchema, name: string, { actions }: MigrationPlan): DatabaseSchema => ({
  ...schema,
  migrations: [...schema.migrations, { name, migration: { up: (knex) => knex.raw(statements(actions).join(';\n')) } }],
});

/** The sources: new files, and those that register what is in them, by their paths from the root. */
async function composeSources(project: ProjectConfig, files: ProjectFiles, resource: Resource, document: Document) {
  const { stores, store, index, set, composition, scenarios } = files;
  const { handlers } = project;
  const { names } = resource;
  const changed = new Map<string, string>();
  const created = new Map<string, string>();
  const notes: string[] = [];
  const change = async (file: ts.SourceFile, changes: readonly Change[]) => {
    if (changes.length > 0) changed.set(relative(project.root, file.fileName), await applyChanges(file.fileName, file.text, changes));
  };
  const create = async (name: string, text: string) => created.set(name, await format(join(project.root, name), text));

  const value = exportName(names.noun, identifiers(index));
  await change(index, [
    importInOrder(index, value, `./${names.noun}.ts`),
    ...appendMembers(index, set.literal, [[`...${value}(${composition.database}),`]], ''),
  ]);
  const base = basePathOf(document);
  await create(`${handlers}/${names.noun}.ts`, handlerSource({ resource, value, handlers, stores, base, index, composition }));

  const codes = errorCodes(project);
  const contract = relative(stores, join(handlers, moduleOf(index, 'Handlers')));
  const modules = { contract, tables: moduleOf(store, 'Tables'), errors: moduleOf(store, 'ErrorCode') };
  const hasReadOnly = propertyNames(document, names.One).some((name) => propertyFacts(document, names.One, name)?.readOnly === true);
  const { invalidReference } = codes;
  await create(`${stores}/${names.noun}.ts`, storeSource({ resource, modules, invalidReference, hasReadOnly }));
  await change(store, constraintEntries(store, resource, constraintsOf(document, resource), codes));

  const scheme = unimplementedScheme(project, document, `/${names.noun}`);
  const calls = scenarioChanges(files, resource, document);
  if (scheme === undefined) await change(scenarios, calls);
  else
    notes.push(
      `the operations answer 501 until ${scheme} is implemented in ${relative(project.root, join(project.root, 'src/security.ts'))}; then their calls are needed in ${relative(project.root, scenarios.fileName)}`,
    );
  const page = join(project.root, DISTRIBUTION_FILE);
  if (existsSync(page)) {
    const text = readFileSync(page, 'utf8');
    changed.set(DISTRIBUTION_FILE, await applyChanges(page, text, distributionChanges(text, resource, constraintsOf(document, resource))));
  }
  const demo = join(project.root, stores, 'seeds/demo.ts');
  if (existsSync(demo)) await change(parse(demo), demoRecord(parse(demo), resource));
  return { created, changed, notes };
}

function scenarioChanges({ scenarios, table, world }: ProjectFiles, resource: Resource, document: Document): Change[] {
  const { names } = resource;
  const item = document.paths[`/${names.noun}/{${names.id}}`]?.patch;
  const body = item?.requestBody && resolve<RequestBody>(document, item.requestBody);
  const post = document.paths[`/${names.noun}`]?.post?.parameters ?? [];
  const { helper, rows } = scenarioSource({
    resource,
    file: scenarios,
    world,
    isIdempotent: post.some((one) => (resolve(document, one) as { name?: string }).name === 'Idempotency-Key'),
    mergePatch: isObject(body?.content) && 'application/merge-patch+json' in body.content,
  });
  return [{ at: insertionPoint(scenarios, 'SCENARIOS'), text: helper }, ...appendMembers(scenarios, table, rows, '')];
}

/**
 * As `new` does for a whole document: a rule that it had nothing for before the resource was added, and that its house style does not
 * follow, is switched off, and named.
 *
 * @returns the configuration with them off, by its path from the root.
 */
async function lintResource(project: ProjectConfig, before: SourceDocument, after: SourceDocument) {
  const lint = ({ source }: SourceDocument) => lintSpec(project.spec, source, { project, all: true });
  const problems = await lint(after);
  const unchanged = new Map<string, string>();
  if (problems.length === 0) return { changed: unchanged, notes: [] };
  const known = new Set((await lint(before)).map(({ rule }) => rule));
  const added = problems.filter(({ rule }) => !known.has(rule));
  const rules = [...new Set(added.map(({ rule }) => rule))].join(', ');
  if (added.length === 0) return { changed: unchanged, notes: [] };
  try {
    const composed = composeSwitchedOff([{ project, problems: added }]);
    const changed = new Map([...composed.values()].map(({ name, text }) => [name, text]));
    return { changed, notes: [`switched off in ${[...changed.keys()].join(', ')}, because no other operation was concerned: ${rules}`] };
  } catch {
    // A separate configuration, without a list for them: a person decides.
    return { changed: unchanged, notes: [`npm run lint:spec reports ${rules}`] };
  }
}
