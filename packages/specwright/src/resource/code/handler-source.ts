/** The handlers of a resource. */
import { relative } from 'node:path';
import ts from '../../libraries/typescript.ts';
import { columnName } from '../../migrations/create-table.ts';
import { type Composition, typeImports } from '../../stubs/find-handlers.ts';
import { docComment, propertyName, quoted, walk } from '../../stubs/typescript-source.ts';
import { type Resource, capitalized, filtersOf, givenOf, operationIds } from '../resource.ts';

export interface HandlerOptions {
  readonly resource: Resource;
  readonly value: string;
  /** Folders from the project's root. */
  readonly handlers: string;
  readonly stores: string;
  /** The path that servers are reached below: empty, or as `/v1`. */
  readonly base: string;
  /** What composes the handlers, and how. */
  readonly index: ts.SourceFile;
  readonly composition: Composition;
}

export function handlerSource({ resource, value, handlers, stores, base, index, composition }: HandlerOptions): string {
  const { names, owner } = resource;
  const { noun, id, words } = names;
  const { list, create, get, replace, update, delete: remove } = operationIds(names);
  const [caller, account] = owner === undefined ? ['', ''] : [', { caller }', 'caller.accountId, '];
  const filter = filtersOf(resource).length > 0 ? 'query, ' : '';
  const path = `${base}/${noun}`;
  const types = new Set(['Database']);
  walk(composition.type, (node) => {
    if (ts.isIdentifier(node)) types.add(node.text);
  });
  const imports = [
    ...typeImports(index, [...types]),
    `import { createdResponse, isFresh, notModifiedResponse, pageResponse, parsePage, precondition, recordResponse } from '@specwright/server';`,
    `import { ${[create, remove, get, list, replace, update].join(', ')} } from '${relative(handlers, stores)}/${noun}.ts';`,
  ].sort((a, b) => sortKey(a).localeCompare(sortKey(b), 'en'));
  return `${docComment(`${capitalized(words)}.`)}
${imports.join('\n')}

export const ${value} = (db: Database) =>
  ({
    ${list}: async ({ query }, reply${caller}) => {
      const found = await ${list}(db, ${account}${filter}parsePage(query));
      return reply(200, pageResponse('${path}', query, found));
    },

    ${create}: async ({ body }, reply${caller}) => {
      const created = await ${create}(db, ${account}body);
      return reply(201, createdResponse(\`${path}/\${created.record.id}\`, created));
    },

    ${get}: async ({ path, headers }, reply${caller}) => {
      const found = await ${get}(db, ${account}path.${id});
      if (isFresh(headers['If-None-Match'], found)) return reply(304, notModifiedResponse(found));
      return reply(200, recordResponse(found));
    },

    ${replace}: async ({ path, headers, body }, reply${caller}) =>
      reply(200, recordResponse(await ${replace}(db, ${account}path.${id}, body, precondition(headers)))),

    ${update}: async ({ path, headers, body }, reply${caller}) =>
      reply(200, recordResponse(await ${update}(db, ${account}path.${id}, body, precondition(headers)))),

    ${remove}: async ({ path, headers }, reply${caller}) => {
      await ${remove}(db, ${account}path.${id}, precondition(headers));
      return reply(204);
    },
  }) satisfies Partial<${composition.type.getText()}>;
`;
}

/** Packages first, then files, the farthest first. */
const sortKey = (line: string): string => {
  const from = /from '([^']+)'/.exec(line)?.[1] ?? '';
  return from.startsWith('.') ? `1${from.replaceAll('../', '!')}` : `0${from}`;
};

/** What the project's store.ts imports, and from where. */
interface StoreModules {
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
  const conditions = filters.map(({ name }) => `    ${columnName(name)}: ${access(name)},`);
  const listed =
    filters.length === 0
      ? `export const ${list} = (db: Database, ${parameter}page: Page) => ${many}.list(db, ${account}page);`
      : `export const ${list} = (db: Database, ${parameter}filter: ${One}Filter, page: Page) =>
  ${many}.list(db, ${account}page, {
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
