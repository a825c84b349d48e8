/** Validates values against the schemas of a document with Ajv alone, each compiled when it is first asked for. */
import { toPlainSchema, toPlainSchemas, type Direction, type Schema } from '@specwright/contract/document';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../document.ts';
import { type LocatedSchema, type Schemas, compilePattern } from './schema-view.ts';

export interface SchemaCheck {
  /** What is wrong with a value, each with its place. @param pointer of the schema. @throws Error if it cannot be compiled. */
  readonly problems: (pointer: string, value: unknown, place?: string) => string[];
  /** Whether all of the schemas accept a value. One that cannot be compiled, which is reported elsewhere, rejects nothing. */
  readonly isValid: (schemas: Schemas, value: unknown) => boolean;
  /** A schema that need not be a part of the document, with a pointer that `problems` knows. */
  readonly locate: (schema: Schema) => LocatedSchema;
}

const ROOT = 'contract:/document';
const checks = new WeakMap<Json, Map<Direction, SchemaCheck>>();

/** The same one for the same document. @param direction what its schemas are to validate. */
export function schemaCheckOf(document: Json, direction: Direction): SchemaCheck {
  const known = checks.get(document) ?? new Map<Direction, SchemaCheck>();
  checks.set(document, known);
  const check = known.get(direction) ?? createSchemaCheck(document, direction);
  known.set(direction, check);
  return check;
}

/** `$ref`s, recursive ones too, are Ajv's concern: schemas are found by their pointers. */
function createSchemaCheck(document: Json, direction: Direction): SchemaCheck {
  const regExp = Object.assign((pattern: string) => compilePattern(pattern) ?? /(?:)/, { code: 'compilePattern' });
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateSchema: false, code: { regExp } });
  addFormats.default(ajv, { mode: 'full' });
  for (const format of ['int32', 'int64']) ajv.addFormat(format, { type: 'number', validate: Number.isSafeInteger });
  for (const format of ['float', 'double', 'password', 'binary']) ajv.addFormat(format, true);
  ajv.addSchema(toPlainSchemas(document, direction, ROOT) as object, ROOT);
  const compiled = new Map<string, ValidateFunction>();
  const located = new Map<Schema, LocatedSchema>();

  function problems(pointer: string, value: unknown, place = ''): string[] {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: pointer.startsWith('#') ? `${ROOT}${pointer}` : pointer });
    compiled.set(pointer, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(({ instancePath, message }) => `${place}${instancePath} ${message ?? ''}`);
  }

  return {
    problems,
    isValid: (schemas, value) =>
      schemas.every(({ pointer }) => {
        try {
          return problems(pointer, value).length === 0;
        } catch {
          return true;
        }
      }),
    locate(schema) {
      const known = located.get(schema);
      if (known !== undefined) return known;
      const name = `schema-${located.size}`;
      ajv.addSchema(toPlainSchema(schema, document, direction, ROOT) as object, name);
      const one = { value: schema, pointer: `${name}#` };
      located.set(schema, one);
      return one;
    },
  };
}
