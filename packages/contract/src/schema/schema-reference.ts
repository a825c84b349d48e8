/** Schemas as the compiler gets them, and the references between them: by name, resolved by the compiler or when values are validated. */

/** A schema as the compiler gets it. */
export type CompilerSchema = Record<string, unknown>;

/** A pattern or a bound of texts that is a format to the compiler. */
export interface TextFormat {
  readonly test: (text: string) => boolean;
  /** What compiled code runs in its place: texts that are too long for it have been refused by `maxLength` before. */
  readonly expression?: RegExp | undefined;
}

/** Adds schemas to a keyword that is a list of them. */
export function addParts(schema: CompilerSchema, keyword: string, parts: readonly CompilerSchema[]): void {
  schema[keyword] = [...((schema[keyword] as CompilerSchema[] | undefined) ?? []), ...parts];
}

/** Precedes a name in a reference. */
export const REFERENCE_PREFIX = 'contract://';

/** The keyword that takes the place of those that are about numbers, where they may be `bigint`: Ajv takes none for a number. */
export const BIG_INTEGER = 'contract-big-integer';

/** The keyword of a reference that is resolved when values are validated. */
export const LATE_REFERENCE = 'contract-late-ref';

export interface SchemaReference {
  readonly holder: CompilerSchema;
  readonly name: string;
}

export const referenceTo = (name: string): SchemaReference => ({ holder: { $ref: REFERENCE_PREFIX + name }, name });

/** The name of the schema that a schema refers to. */
export function referenceNameOf(schema: CompilerSchema): string | undefined {
  const { $ref, [LATE_REFERENCE]: late } = schema as { $ref?: string; [LATE_REFERENCE]?: string };
  return late ?? $ref?.slice(REFERENCE_PREFIX.length);
}

/** Resolves a reference when values are validated. */
export function deferReference({ holder, name }: SchemaReference): void {
  delete holder['$ref'];
  holder[LATE_REFERENCE] = name;
}

const EXCLUSIVE = Symbol('exclusive');

/** Marks the parts of an `allOf` of which at most one looks into a value. */
export const markExclusive = (part: CompilerSchema): CompilerSchema => Object.assign(part, { [EXCLUSIVE]: true });

export const isExclusive = (part: CompilerSchema): boolean => EXCLUSIVE in part;
