/** Rules of callbacks: their URL is made of what the request has. */
import {
  callbackExpressions,
  listOperations,
  listOutgoing,
  parametersOf,
  resolve,
  schemaShape,
  unsupportedExpressions,
  type Document,
  type DocumentOperation,
  type RequestBody,
} from '@specwright/contract/document';
import { didYouMean } from '@specwright/server/command';
import type { Rule } from './rule.ts';

/** Where the request has what an expression names, and the names that it has there; `undefined` for its whole body. */
function declaredNames(document: Document, operation: DocumentOperation, source: string): string[] {
  const location = source === 'body' ? undefined : source;
  if (location !== undefined) {
    const names = parametersOf(document, operation).flatMap((parameter) => (parameter.in === location ? [parameter.name] : []));
    return location === 'header' ? names.map((name) => name.toLowerCase()) : names;
  }
  const body = operation.operation.requestBody && resolve<RequestBody>(document, operation.operation.requestBody);
  const schemas = Object.values(body?.content ?? {}).flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
  return [...schemaShape(document, schemas).properties.keys()];
}

export const CALLBACK_RULES: readonly Rule[] = [
  {
    name: 'callback-url',
    reason: 'The URL of a callback is made of the request: what that does not have, makes none.',
    fix: 'Name what the request has: $request.body#/property, $request.query.name, $request.header.name or $request.path.name.',
    *check({ document }) {
      const operations = new Map(listOperations(document).map((operation) => [operation.id, operation]));
      for (const { callback, path } of listOutgoing(document)) {
        const operation = operations.get(callback?.operationId ?? '');
        if (callback === undefined || operation === undefined) continue;
        const at = path.slice(0, -1);
        for (const expression of unsupportedExpressions(callback.expression))
          yield { path: at, message: `the expression ${expression} is not evaluated` };
        for (const { source, name } of callbackExpressions(callback.expression)) {
          const declared = declaredNames(document, operation, source);
          const wanted = source === 'header' ? name.toLowerCase() : name;
          if (declared.includes(wanted)) continue;
          const what = source === 'body' ? 'property' : `${source} parameter`;
          yield { path: at, message: `the request of ${operation.id} has no ${what} ${name}${didYouMean(wanted, declared)}` };
        }
      }
    },
  },
];
