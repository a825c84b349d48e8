/** The model of any document, and the compiler of its schemas, for tools: with every module that a document may need. */
import { ALL_MODULES } from '../all-modules.ts';
import type { Document } from '../document/openapi.ts';
import { buildModel, withoutIdentifiers } from './build-model.ts';
import type { CompileSchemaAt } from './compile-schema.ts';
import type { Direction } from './model.ts';
import { type BigIntegers, createCompiler } from './schema-compiler.ts';

/**
 * The model of a document: every reader of schemas takes it, so that none has to know the version of OpenAPI.
 *
 * What does not change is shared with the document, and the paths of its parts are the same, but for keywords that were rewritten.
 */
export function modelOf(document: Document): Document {
  return buildModel(document, ALL_MODULES);
}

/** References by identifier as JSON pointers. */
export const resolveIdentifiers = (document: Document): Document => withoutIdentifiers(document, ALL_MODULES.identifiers);

/**
 * Creates the compiler of a document. Values are not changed while they are validated; of those of requests
 * what is `readOnly` is removed, and defaults are filled into what is valid.
 *
 * Compiled code gives the verdict: it stops at the first problem. The problems of what it refuses are collected afterwards, up to
 * `MAX_VALIDATION_ERRORS`. Both have a budget of steps (`ValidationRun`), and a value that takes more has the problem `complexity`.
 *
 * @param bigIntegers of values that a handler gives they are `required` where the schema says `x-int64: bigint`. Values that were parsed from
 *   JSON have numbers there too.
 */
export function createSchemaCompiler(document: Document, direction?: Direction, bigIntegers?: BigIntegers): CompileSchemaAt {
  return createCompiler(modelOf(document), ALL_MODULES, direction, bigIntegers);
}
