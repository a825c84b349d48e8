/** What compiles the schemas of a contract, as those that validate by them see it. */
import type { ValidateFunction } from 'ajv';

/** Compiles the schema at a JSON pointer (`#/components/schemas/User`); the same pointer gives the same function. */
export interface CompileSchemaAt {
  (pointer: string): ValidateFunction;
  /** Compiles in steps, one schema each, so that the event loop can run between them. */
  readonly steps: (pointer: string) => Generator<void, ValidateFunction>;
}
