/** Finds the responses that no value satisfies: a handler can only answer 500. */
import { listOperations, operationKeys, pointerKeys, pointerTo, resolveAt, type Document, type Response } from './document/openapi.ts';
import type { DocumentPath } from './document/visit-schemas.ts';
import { bodyKind } from './http/media-types.ts';
import { createProver, type Contradiction } from './proofs/contradiction.ts';
import { remember } from './remember.ts';
import { createSchemaCompiler } from './schema/model-of.ts';
import { formatAjvError } from './schema/validation-error.ts';

export interface UnsatisfiableResponse {
  readonly operationId: string;
  /** As it is declared: `200`, `4XX`, `default`. */
  readonly status: string;
  /** Of the keyword that refuses all values. */
  readonly path: DocumentPath;
  readonly proof: Contradiction;
}

/** @param document has passed `checkDocument`. @returns what is proved; a response that takes too many steps is not listed. */
export const listUnsatisfiableResponses = remember(proveResponses, new WeakMap<Document, readonly UnsatisfiableResponse[]>());

function proveResponses(document: Document): readonly UnsatisfiableResponse[] {
  const compile = createSchemaCompiler(document);
  const prove = createProver(document, 'received', (pointer, value) => {
    const validate = compile(pointer);
    return validate(value) ? [] : (validate.errors ?? []).map((error) => formatAjvError('', error));
  });
  return listOperations(document).flatMap(({ id, path, method, operation }) =>
    Object.entries(operation.responses).flatMap(([status, reference]) => {
      const at = pointerTo(...operationKeys({ path, method }), 'responses', status);
      const { value, pointer } = resolveAt<Response>(document, reference, at);
      return Object.entries(value.content ?? {}).flatMap(([type, { schema }]): UnsatisfiableResponse[] => {
        if (schema === undefined || bodyKind(type) !== 'json') return [];
        const proof = prove(pointer + pointerTo('content', type, 'schema').slice(1), 'body');
        return proof === undefined ? [] : [{ operationId: id, status, path: pointerKeys(proof.pointer), proof }];
      });
    }),
  );
}
