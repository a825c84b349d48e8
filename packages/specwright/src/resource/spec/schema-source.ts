/** A schema as it is written into a document, in the words of its version of OpenAPI. */
import type { Schema } from '@specwright/contract/document';

/** What is composed or copied; it is read by the functions of a schema alone. */
export interface SchemaSource extends Schema {
  readonly [keyword: string]: unknown;
}

/** The example that the author gave: `example` of OpenAPI 3.0, or the first of `examples`. */
export const writtenExample = ({ example, examples }: SchemaSource): unknown =>
  example ?? (Array.isArray(examples) ? (examples as unknown[])[0] : undefined);
