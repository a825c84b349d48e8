/** Compiles the schemas of responses. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { FORMATS, AJV_FORMATS } from './formats.ts';
import { createSchemaSet } from './normalize-schema.ts';
import type { Document } from './openapi.ts';
import { namePattern } from './pattern.ts';

/** Compiles the schema at a JSON pointer (`#/components/schemas/User`); the same pointer gives the same function. */
export type CompileSchemaAt = (pointer: string) => ValidateFunction;

const REF_PREFIX = 'contract://';

/**
 * Creates the compiler of a document. All errors are reported; validated values are not changed.
 *
 * Schemas are added to Ajv by name when something first refers to them: one that many operations use is compiled once, and
 * an unused one costs nothing.
 */
export function createSchemaCompiler(document: Document): CompileSchemaAt {
  const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false, formats: FORMATS, logger: false });
  addFormats.default(ajv, { mode: 'full', formats: [...AJV_FORMATS] });
  const set = createSchemaSet(document, 'response', REF_PREFIX);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    let validate = compiled.get(pointer);
    if (validate === undefined) {
      const { name } = set.at(pointer);
      const root = { $ref: REF_PREFIX + name };
      for (const [key, schema] of set.reachable(root))
        if (ajv.schemas[REF_PREFIX + key] === undefined) ajv.addSchema(schema, REF_PREFIX + key);
      for (const [format, expression] of set.patterns) if (ajv.formats[format] === undefined) ajv.addFormat(format, expression);
      compiled.set(pointer, (validate = ajv.compile(root)));
    }
    return validate;
  };
}

/** An error of a compiled schema with its location: `response/body/name must be string`. */
export function formatAjvError(location: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${location}${error.instancePath} ${namePattern(error.message ?? 'is not valid')}${detail}`;
}
