/** What compiles the schemas of a contract, as those that validate by them see it. */
import type { ValidateFunction } from 'ajv';
import type { SchemaValidator } from './schema-validator.ts';

/** Compiles the schema at a JSON pointer (`#/components/schemas/User`); the same pointer gives the same function. */
export interface CompileSchemaAt {
  (pointer: string): ValidateFunction;
  /** Of what validates many values: nothing is called for a valid one that its schema does not need. */
  readonly validatorAt: (pointer: string) => SchemaValidator;
  /** Compiles in steps, one schema each, so that the event loop can run between them. */
  readonly steps: (pointer: string) => Generator<void, ValidateFunction>;
}
