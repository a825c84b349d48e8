/** The store of a resource. */
import { columnName } from '../../migrations/desired-column.ts';
import { docComment } from '../../stubs/comments.ts';
import { propertyName, quoted } from '../../stubs/names.ts';
import { capitalized, filtersOf, givenOf, operationIds, type Resource } from '../resource.ts';

/** What the project's store.ts imports, and from where. */
export interface StoreModules {
  readonly contract: string;
  readonly tables: string;
  readonly errors: string;
}

export interface StoreOptions {
  readonly resource: Resource;
  readonly modules: StoreModules;
  /** The code of the error for a reference to what does not exist. */
  readonly invalidReference: string;
  /** Whether the schema of its records has properties that are `readOnly`: their types are those of responses alone. */
  readonly hasReadOnly: boolean;
}

export function storeSource({ resource, modules, invalidReference, hasReadOnly }: StoreOptions): string {
  const { names, owner, properties } = resource;
  const { One, many, words, word, aWord, table } = names;
  const { list, create, get, replace, update, delete: remove } = operationIds(names);
  const [parameter, account] = owner === undefined ? ['', ''] : ['accountId: number, ', 'accountId, '];
  const given = givenOf(resource);
  const references = given.filter(({ reference }) => reference !== undefined);
  const filters = filtersOf(resource);
  const entries = (of: typeof properties) => of.map(({ name }) => `${propertyName(name)}: '${columnName(name)}'`).join(', ');
  const made = properties.filter(({ isGiven }) => !isGiven);
  const access = (name: string) => (/^[\w$]+$/.test(name) ? `filter.${name}` : `filter[${quoted(name)}]`);
  const conditions = filters.map(({ name, values }) => {
    const value = access(name);
    const condition = values !== undefined ? `whereIn('${columnName(name)}', ${value})` : `where({ ${columnName(name)}: ${value} })`;
    return `    if (${value} !== undefined) void query.${condition};`;
  });
  const listed =
    filters.length === 0
      ? `export const ${list} = (db: Database, ${parameter}page: Page) => ${many}.list(db, ${account}page);`
      : `export const ${list} = (db: Database, ${parameter}filter: ${One}Filter, page: Page) =>
  ${many}.list(db, ${account}page, (query) => {
${conditions.join('\n')}
  });`;
  const ofReference = references.length > 0 ? `, ${invalidReference}` : '';
  const read = hasReadOnly ? `Payload<'${get}', 200>['body']` : `Schemas['${One}']`;
  return `${docComment(`${capitalized(words)}.`)}
import { toAllColumns, toColumns, type ColumnMap, type Database } from '@specwright/postgres';
import type { Page, Precondition } from '@specwright/server';
import type { Input, ${hasReadOnly ? 'Payload' : 'Schemas'} } from '${modules.contract}';
import type { Tables } from '${modules.tables}';
import { AppError } from '${modules.errors}';
import { recordTable } from './store.ts';

export type New${One} = Input<'${create}'>['body'];
export type ${One}Patch = Input<'${update}'>['body'];
${filters.length === 0 ? '' : `export type ${One}Filter = Pick<Input<'${list}'>['query'], ${filters.map(({ name }) => quoted(name)).join(' | ')}>;\n`}
/** What a client gives, and what it gets. */
const GIVEN = { ${entries(given)} } as const satisfies ColumnMap<Tables['${table}'], New${One} | ${One}Patch>;
const COLUMNS = { id: 'id', ...GIVEN, ${made.length > 0 ? `${entries(made)}, ` : ''}version: 'version' } as const satisfies ColumnMap<Tables['${table}'], ${read}>;

const ${many} = recordTable('${table}', COLUMNS, (id) => new AppError('not_found', \`there is no ${word} \${id}\`));

${listed}

/** @throws AppError not_found */
export const ${get} = (db: Database, ${parameter}id: number) => ${many}.get(db, ${account}id);

${references.length > 0 ? `/** @throws AppError ${invalidReference} */\n` : ''}export const ${create} = (db: Database, ${parameter}values: New${One}) => ${many}.create(db, ${account}toColumns(GIVEN, values));

/** Changes the properties that are given${given.some(({ required }) => !required) ? '; \`null\` removes one' : ''}. @throws AppError not_found, precondition_failed${ofReference} */
export const ${update} = (db: Database, ${parameter}id: number, changes: ${One}Patch, precondition?: Precondition) =>
  ${many}.update(db, ${account}id, toColumns(GIVEN, changes), precondition);

/** As \`${update}\`; a property that is not given is as in ${aWord.replace(/ .*/, '').replace('an', 'a')} new ${word}. */
export const ${replace} = (db: Database, ${parameter}id: number, values: New${One}, precondition?: Precondition) =>
  ${many}.update(db, ${account}id, toAllColumns(db, GIVEN, values), precondition);

/** @throws AppError not_found, precondition_failed */
export const ${remove} = (db: Database, ${parameter}id: number, precondition?: Precondition) =>
  ${many}.delete(db, ${account}id, precondition);
`;
}
