/** The handlers of a resource. */
import { relative } from 'node:path';
import ts from 'typescript';
import { typeImports, type Composition } from '../../stubs/find-handlers.ts';
import { docComment } from '../../stubs/comments.ts';
import { walk } from '../../stubs/typescript-source.ts';
import { capitalized, filtersOf, operationIds, type Resource } from '../resource.ts';

export interface HandlerOptions {
  readonly resource: Resource;
  /** What the file exports. */
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
