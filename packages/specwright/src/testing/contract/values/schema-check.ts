/** Validates values against the schemas of a document with Ajv alone, each compiled when it is first asked for. */
import { compilePattern, isDateTime, toPlainSchema, toPlainSchemas, type Direction, type Schema } from '@specwright/contract/document';
import type { FuncKeywordDefinition, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../document.ts';
import type { LocatedSchema, Schemas } from '../../../schema/schema-view.ts';

export interface SchemaCheck {
  /** What is wrong with a value, each with its place. @param pointer of the schema. @throws Error if it cannot be compiled. */
  readonly problems: (pointer: string, value: unknown, place?: string) => string[];
  /** Whether all of the schemas accept a value. One that cannot be compiled, which is reported elsewhere, rejects nothing. */
  readonly isValid: (schemas: Schemas, value: unknown) => boolean;
  /** A schema that need not be a part of the document, with a pointer that `problems` knows. */
  readonly locate: (schema: Schema) => LocatedSchema;
}

const ROOT = 'contract:/document';
/** In the place of `$ref`. */
const KEPT_REFERENCE = 'x-kept-reference';
/** Keywords that need more of a reference than its verdict on a value: what it evaluated, or where it was reached from. */
const BOUND_TO_CALLER = /"(unevaluated(Properties|Items)|\$dynamicRef)":/;
/** Problems of a value that are kept. More would double at each level of a union. */
const MAX_KEPT = 20;

type Problems = NonNullable<ValidateFunction['errors']>;

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
  const regExp = Object.assign((pattern: string) => compilePattern(pattern)?.expression ?? /(?:)/, { code: 'compilePattern' });
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, validateSchema: false, code: { regExp } });
  addFormats.default(ajv, { mode: 'full' });
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addFormat('int32', { type: 'number', validate: (value: number) => (value | 0) === value });
  // That of the library takes an offset without a colon, which is none of RFC 3339.
  ajv.addFormat('date-time', { type: 'string', validate: isDateTime });
  for (const format of ['float', 'double', 'password', 'binary']) ajv.addFormat(format, true);
  const compiled = new Map<string, ValidateFunction>();
  const located = new Map<Schema, LocatedSchema>();
  const validatorOf = (reference: string): ValidateFunction => {
    const validate = compiled.get(reference) ?? ajv.compile({ $ref: reference });
    compiled.set(reference, validate);
    return validate;
  };
  const kept = keptReferences(validatorOf);
  ajv.addKeyword(kept.keyword);
  const referenceKeyword = BOUND_TO_CALLER.test(JSON.stringify(document)) ? '$ref' : KEPT_REFERENCE;
  ajv.addSchema(toPlainSchemas(document, direction, ROOT, referenceKeyword) as object, ROOT);

  function problems(pointer: string, value: unknown, place = ''): string[] {
    kept.clear();
    const validate = validatorOf(pointer.startsWith('#') ? `${ROOT}${pointer}` : pointer);
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
      ajv.addSchema(toPlainSchema(schema, document, direction, ROOT, referenceKeyword) as object, name);
      const one = { value: schema, pointer: `${name}#` };
      located.set(schema, one);
      return one;
    },
  };
}

/** References whose problems with a value are kept until `clear`: unions that lead to one schema would double the work at each level. */
function keptReferences(validatorOf: (reference: string) => ValidateFunction) {
  let verdicts = new Map<string, Map<unknown, Problems>>();
  const keyword: FuncKeywordDefinition = {
    keyword: KEPT_REFERENCE,
    schemaType: 'string',
    compile(reference: string) {
      const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (value: unknown, context) => {
        const key = `${reference} ${context?.instancePath}`;
        const ofPlace = verdicts.get(key) ?? new Map<unknown, Problems>();
        verdicts.set(key, ofPlace);
        let problems = ofPlace.get(value);
        if (problems === undefined) {
          const judge = validatorOf(reference);
          problems = judge(value, context) ? [] : (judge.errors ?? []).slice(0, MAX_KEPT);
          ofPlace.set(value, problems);
        }
        validate.errors = problems;
        return problems.length === 0;
      };
      return validate;
    },
  };
  return { keyword, clear: () => void (verdicts = new Map()) };
}
