/** The handlers, the store and the contract tests of a resource: the templates, filled in. */
import { relative } from 'node:path';
import { type Document, type Parameter, type RequestBody, resolve } from '@specwright/contract/document';
import { columnName } from '../schema/column-name.ts';
import type { ProjectConfig } from '../project-config.ts';
import { propertyFacts, propertyNames } from '../schema/property-facts.ts';
import { typeImports } from '../stubs/find-handlers.ts';
import { identifiers } from '../stubs/stub-text.ts';
import { propertyName, quoted } from '../stubs/typescript-source.ts';
import { type ProjectFiles, basePathOf, errorsFile } from './project-files.ts';
import { type ResourceConstraint, constraintEntries } from './resource-table.ts';
import { type Resource, type ResourceProperty, type ResourceReference, filtersOf, givenOf } from './resource.ts';
import { exampleOf } from './spec/resource-schemas.ts';
import { MERGE_PATCH } from './spec/usual-parts.ts';
import { fill, readTemplate } from './template.ts';

export interface SourceOptions {
  readonly project: ProjectConfig;
  readonly files: ProjectFiles;
  readonly resource: Resource;
  /** The spec with the resource. */
  readonly document: Document;
  readonly constraints: readonly ResourceConstraint[];
}

/** @param handlers the name of what the file exports. */
export function handlerSource({ project, files, resource, document }: SourceOptions, handlers: string): string {
  const { names, owner } = resource;
  const { file, type } = files.set;
  const types = typeImports(file, [...identifiers(type)]);
  const isOwn = (line: string) => line.includes("from '.");
  return fill(readTemplate('handlers.ts.template'), {
    ...names,
    handlers,
    packageTypes: types.filter((line) => !isOwn(line)).join('\n'),
    ownTypes: types.filter(isOwn).join('\n'),
    stores: relative(project.handlers, files.stores),
    path: `${basePathOf(document)}/${names.noun}`,
    context: owner === undefined ? '{ db }' : '{ db, caller }',
    accountOf: owner === undefined ? '' : 'caller.accountId, ',
    filterQuery: filtersOf(resource).length > 0 ? 'query, ' : '',
    type: type.getText(),
  });
}

/** What a store says of the constraints of its table, and what it imports for that. */
function constraintParts(resource: Resource, constraints: readonly ResourceConstraint[], { codes }: ProjectFiles) {
  const { onWrite, onDelete } = constraintEntries(resource, constraints, codes);
  const packages = (types: string) => `import { toAllColumns, toColumns, type ColumnMap, ${types} } from '@specwright/postgres';`;
  if (onWrite.length === 0) return { packages: packages('type Database'), errorCode: '', constraints: '', ownConstraints: '' };
  const accounts = resource.owner === undefined ? '' : `import { accountReferences } from '@specwright/accounts';\n`;
  const deleted = onDelete.length === 0 ? '' : `, onDelete: { ${onDelete.join(' ')} }`;
  return {
    packages: accounts + packages('type Constraints, type Database'),
    errorCode: ', type ErrorCode',
    constraints: `/** What a broken constraint means to a client. */\nconst CONSTRAINTS: Constraints<ErrorCode> = { onWrite: { ${onWrite.join(' ')} }${deleted} };`,
    ownConstraints: ', CONSTRAINTS',
  };
}

export function storeSource({ project, files, resource, document, constraints }: SourceOptions): string {
  const { names, owner, properties } = resource;
  const { One, Many } = names;
  const given = givenOf(resource);
  const filters = filtersOf(resource);
  const made = properties.filter(({ isGiven }) => !isGiven);
  const error = files.codes.invalidReference;
  const hasReference = given.some(({ reference }) => reference !== undefined);
  // Types of properties that are `readOnly` are those of responses alone.
  const hasReadOnly = propertyNames(document, One).some((name) => propertyFacts(document, One, name)?.readOnly === true);
  const entries = (list: readonly ResourceProperty[]) => list.map(({ name }) => `${propertyName(name)}: '${columnName(name)}'`).join(', ');
  const access = (name: string) => (/^[\w$]+$/.test(name) ? `filter.${name}` : `filter[${quoted(name)}]`);
  const filterNames = filters.map(({ name }) => quoted(name)).join(' | ');
  const from = (file: string) => relative(files.stores, file);
  return fill(readTemplate('store.ts.template'), {
    ...names,
    contract: from(`${project.generated}/contract.ts`),
    tables: from(`${project.databaseFolder}/database.ts`),
    errors: from(errorsFile(project)),
    ...constraintParts(resource, constraints, files),
    recordTypes: hasReadOnly ? 'Payload' : 'Schemas',
    record: hasReadOnly ? `Payload<'get${One}', 200>['body']` : `Schemas['${One}']`,
    filterType: filters.length === 0 ? '' : `export type ${One}Filter = Pick<Input<'list${Many}'>['query'], ${filterNames}>;\n`,
    filterParameter: filters.length === 0 ? '' : `filter: ${One}Filter, `,
    conditions: filters.length === 0 ? '' : `, { ${filters.map(({ name }) => `${columnName(name)}: ${access(name)}`).join(', ')} }`,
    given: entries(given),
    made: made.length === 0 ? '' : `${entries(made)}, `,
    accountParameter: owner === undefined ? '' : 'accountId: number, ',
    account: owner === undefined ? '' : 'accountId, ',
    createThrows: hasReference ? `/** @throws AppError ${error} */` : '',
    referenceError: hasReference ? `, ${error}` : '',
    removes: given.some(({ required }) => !required) ? '; `null` removes one' : '',
  });
}

/** What the calls of a resource import from the other modules of the contract tests. */
function testImports({ testModules }: ProjectFiles) {
  const [worldModule = 'scenarios.ts', text = ''] = [...testModules].find(([, one]) => one.includes('interface World ')) ?? [];
  const start = text.indexOf('interface World ');
  const world = text.slice(start, text.indexOf('\n}', start));
  const imports = new Map<string, Set<string>>();
  const use = (module: string, name: string) => imports.set(module, (imports.get(module) ?? new Set()).add(name));
  const types =
    worldModule === 'scenarios.ts'
      ? [`import type { Scenarios, World } from './scenarios.ts';`]
      : [`import type { Scenarios } from './scenarios.ts';`, `import type { World } from './${worldModule}';`];
  return {
    toString: () =>
      [...types, ...[...imports].map(([module, names]) => `import { ${[...names].join(', ')} } from './${module}';`)].join('\n'),
    /** @returns whether calls.ts has it. */
    useCall(name: string): boolean {
      const isThere = new RegExp(`^export (const|function) ${name}\\b`, 'm').test(testModules.get('calls.ts') ?? '');
      if (isThere) use('calls.ts', name);
      return isThere;
    },
    /** The id of a record that is referred to. @throws Error if nothing makes one. */
    referred({ names: { noun, one, One, words } }: ResourceReference): string {
      if (world.includes(`\n  ${one}(`) || world.includes(`\n  readonly ${one}:`)) return `await world.${one}()`;
      if (!(testModules.get(`${noun}.ts`) ?? '').includes(`export const make${One} =`))
        throw new Error(
          `nothing in it makes one of the ${words}: add ${one}(): Promise<number> to World, which returns the id of a new one`,
        );
      use(`${noun}.ts`, `make${One}`);
      return `await make${One}(world)`;
    },
  };
}

/** @throws Error with what the tests lack, if nothing in them makes the record that is referred to. */
export function scenarioSource({ files, resource, document }: SourceOptions): string {
  const { names } = resource;
  const { One } = names;
  const imports = testImports(files);
  const example = exampleOf(resource, 'new');
  const member = ({ name, reference }: ResourceProperty) =>
    `${propertyName(name)}: ${reference === undefined ? JSON.stringify(example[name]) : imports.referred(reference)}`;
  const filter = ({ name, reference, example: value }: ResourceProperty) => {
    const key = encodeURIComponent(name);
    return reference === undefined ? `'${key}=${encodeURIComponent(String(value))}'` : `\`${key}=\${${imports.referred(reference)}}\``;
  };
  const given = givenOf(resource);
  const references = given.filter(({ reference }) => reference !== undefined);
  const record = given.filter((property) => property.required || references.includes(property)).map(member);
  // Without a reference the contract says enough of its values.
  const withRecord = (text: string) => (references.length > 0 ? text : '');
  const body = `body: await new${One}(world)`;
  const call = references.length > 0 ? `{ ${body} }` : '{}';
  const { post } = document.paths[`/${names.noun}`] ?? {};
  const isIdempotent = post?.parameters?.some((one) => resolve<Parameter>(document, one).name === 'Idempotency-Key') === true;
  const patch = document.paths[`/${names.noun}/{${names.id}}`]?.patch?.requestBody;
  const takesMergePatch = patch !== undefined && MERGE_PATCH in resolve<RequestBody>(document, patch).content;
  const changes = references.map((property) => `body: { ${member(property)} }`);
  if (takesMergePatch) changes.push(`body: {}, headers: { 'Content-Type': '${MERGE_PATCH}' }`);
  return fill(readTemplate('scenarios.ts.template'), {
    ...names,
    newRecord: withRecord(`const new${One} = async (world: World) => ({ ${record.join(', ')} });`),
    creation: withRecord(`, ${call}`),
    filters: filtersOf(resource)
      .map((property) => `, { query: ${filter(property)} }`)
      .join(''),
    createWorld: withRecord('world'),
    created: isIdempotent && imports.useCall('retried') ? `${call}, ...retried(${call})` : call,
    keyInUse: isIdempotent && imports.useCall('inUse') ? '409: async () => [inUse()],' : '',
    body: withRecord(`, ${body}`),
    changes: changes.map((change) => `, { path, ${change} }`).join(''),
    imports: imports.toString(),
  });
}
