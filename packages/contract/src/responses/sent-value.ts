/** Validates values that are sent as JSON: the value that parsing the text gives is validated, not the one that a handler has given. */
import type { ErrorObject } from 'ajv';
import type { Document, Schema } from '../document/openapi.ts';
import { withoutConditions } from '../schema/discriminator.ts';
import type { CompileSchemaAt } from '../schema/schema-compiler.ts';
import { formatAjvError } from '../schema/validation-error.ts';
import { toPlainJson } from './plain-json.ts';
import { createStripUndeclared } from './strip-undeclared.ts';

/** @param location of the value: `response/body`. @returns the value to send; what breaks the contract is added to `problems`. */
export type ValidateSent = (value: unknown, location: string, problems: string[]) => unknown;

/** Compiles the schema of what is sent. @param pointer of the schema. */
export type CompileSent = (schema: Schema, pointer: string) => ValidateSent;

/** How the errors of a schema are written. */
export type DescribeErrors = (location: string, errors: readonly ErrorObject[]) => string[];

const formatErrors: DescribeErrors = (location, errors) => withoutConditions(errors).map((error) => formatAjvError(location, error));

/** Creates the compiler of a document's schemas; one that several places use is compiled once. */
export function createCompileSent(document: Document, compile: CompileSchemaAt, describe = formatErrors): CompileSent {
  const compileStrip = createStripUndeclared(document);
  return (schema, pointer) => {
    const strip = compileStrip(schema);
    const validate = compile(pointer);
    return (given, location, problems) => {
      const { value, isUnwritable, hasForbidden } = strip(given, true);
      const before = problems.length;
      if (isUnwritable) toPlainJson(given, (problem, path) => void problems.push(`${location}${path} ${problem}`));
      if (!validate(value)) problems.push(...describe(location, validate.errors ?? []));
      if (isUnwritable && problems.length === before) problems.push(`${location} has a value that its JSON text would not have`);
      if (!hasForbidden) return value;
      // One part of a composition forbids them, and another one was valid with them: without them it may not be.
      const stripped = strip(given).value;
      if (problems.length === before && !validate(stripped)) problems.push(...describe(location, validate.errors ?? []));
      return stripped;
    };
  };
}
