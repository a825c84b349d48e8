/** Compiles the schemas of responses. */
import { createRequire } from 'node:module';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import type { FormatsPlugin } from 'ajv-formats';
import { FORMATS, AJV_FORMATS } from './formats.ts';
import { createSchemaSet } from './normalize-schema.ts';
import type { Document } from '../document/openapi.ts';
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
  const set = createSchemaSet(document, 'response', REF_PREFIX);
  const compiled = new Map<string, ValidateFunction>();
  let ajv: Ajv | undefined;
  return (pointer) => {
    ajv ??= createAjv();
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

/** Loaded for the first response that has to be validated: a start does not wait for it. */
function createAjv(): Ajv {
  const require = createRequire(import.meta.url);
  const { Ajv: Compiler } = require('ajv') as { Ajv: typeof Ajv };
  const ajv = new Compiler({ allErrors: true, strict: false, validateSchema: false, formats: FORMATS, logger: false });
  const { default: addFormats } = require('ajv-formats') as { default: FormatsPlugin };
  addFormats(ajv, { mode: 'full', formats: [...AJV_FORMATS] });
  return ajv;
}

/** An error of a compiled schema with its location: `response/body/name must be string`. */
export function formatAjvError(location: string, error: ErrorObject): string {
  const detail =
    error.keyword === 'additionalProperties' ? ` (${(error.params as { additionalProperty: string }).additionalProperty})` : '';
  return `${location}${error.instancePath} ${namePattern(error.message ?? 'is not valid')}${detail}`;
}
