/** Schemas as the compiler takes them. */

/** A request may omit what is `readOnly`, a response what is `writeOnly` (OpenAPI 3.0.3, section 4.7.24.2). */
export type Direction = 'request' | 'response';

/** A schema as Ajv takes it. */
export type CompilerSchema = Record<string, unknown>;

/** A format as Ajv takes it. */
export type PatternTest = RegExp | ((text: string) => boolean);

/** Precedes a name in a reference. */
export const REFERENCE_PREFIX = 'contract://';

/** A reference of a normalized schema, which the compiler may replace. */
export interface SchemaReference {
  readonly holder: CompilerSchema;
  /** The name of its target in the set. */
  readonly name: string;
}

export interface NormalizedSchema {
  readonly schema: CompilerSchema;
  readonly references: readonly SchemaReference[];
  /** The number of schemas in it. */
  readonly weight: number;
}

export const referenceTo = (name: string): SchemaReference => ({ holder: { $ref: REFERENCE_PREFIX + name }, name });

export function addParts(schema: CompilerSchema, keyword: string, parts: readonly CompilerSchema[]): void {
  schema[keyword] = [...((schema[keyword] as CompilerSchema[] | undefined) ?? []), ...parts];
}
