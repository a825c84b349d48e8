/** The compiler for the schemas of a contract, and the formats that it checks. */
import { Ajv, type Format, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { forCompiler } from './normalize.ts';
import type { Document } from './openapi.ts';

const INT64 = 2 ** 63;

/** Formats of OpenAPI 3.0.3, section 4.4, that ajv-formats lacks or takes too lightly. */
export const FORMATS: Readonly<Record<string, Format>> = {
  int32: { type: 'number', validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: 'number', validate: (value: number) => Number.isInteger(value) && value >= -INT64 && value < INT64 },
  float: { type: 'number', validate: (value: number) => Number.isFinite(value) && Math.abs(value) <= 3.4028234663852886e38 },
  double: { type: 'number', validate: (value: number) => Number.isFinite(value) },
  byte: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  // Hints for people and tools; there is nothing to check.
  binary: true,
  password: true,
};

// `full` knows that February has no 30th day; the default mode only looks at the form.
const FROM_LIBRARY = [
  'date',
  'time',
  'date-time',
  'duration',
  'uri',
  'uri-reference',
  'uri-template',
  'url',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'regex',
  'uuid',
  'json-pointer',
  'relative-json-pointer',
] as const;

/** Whether values of this format are checked. One that nobody checks must not stand in a contract. */
export function isKnownFormat(format: string): boolean {
  return format in FORMATS || (FROM_LIBRARY as readonly string[]).includes(format);
}

/** Compiles the schema at a JSON pointer (`#/components/schemas/Pet`); the same pointer gives the same function. */
export type CompileAt = (pointer: string) => ValidateFunction;

/**
 * Makes the compiler of a document. All errors are reported; nothing is changed in what is validated.
 *
 * The document is added once and compiled by reference, so that a schema that many operations use is compiled once,
 * and compiling one does not read the whole document again.
 */
export function createCompiler(document: Document): CompileAt {
  const ajv = new Ajv({ allErrors: true, strict: false, validateSchema: false, formats: FORMATS, logger: false });
  addFormats.default(ajv, { mode: 'full', formats: [...FROM_LIBRARY] });
  ajv.addSchema(forCompiler(document), 'contract');
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    let validate = compiled.get(pointer);
    if (validate === undefined) compiled.set(pointer, (validate = ajv.compile({ $ref: `contract${pointer}` })));
    return validate;
  };
}
