/** Gives operations a place where openapi-typescript, which knows the methods of OpenAPI 3.0 alone, finds them. */
import { listOperations, type Document } from '@specwright/contract/document';

const KNOWN: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Moves operations of other methods to a path of their own, `QUERY /pets`: their types are in `operations`, by their id, and
 * nothing of ours reads `paths`. Changes the document.
 */
export function moveAdditionalMethods(document: Document): Document {
  for (const { path, method, item, operation } of listOperations(document)) {
    if (KNOWN.includes(method)) continue;
    const name = `${method === 'query' ? 'QUERY' : method} ${path}`;
    document.paths[name] = { ...(item.parameters && { parameters: item.parameters }), post: operation };
    if (method === 'query') delete item.query;
    else delete item.additionalOperations?.[method];
  }
  return document;
}
