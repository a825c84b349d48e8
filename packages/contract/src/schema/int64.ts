/** Reads `x-int64: bigint`, by which integers of format int64 are `bigint` in handlers, at a schema or at the root for all. */
import { extensionOf } from './model.ts';
import type { Document, Schema } from '../document/openapi.ts';

export const INT64_EXTENSION = 'x-int64';

/** What `x-int64` says at a schema, or at the root of a document; `undefined` without one. */
export const int64ChoiceOf = (part: Schema | Document): unknown => extensionOf(part as Schema, INT64_EXTENSION);
