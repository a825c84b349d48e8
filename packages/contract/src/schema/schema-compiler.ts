/** Compiles the schemas of a contract: each once for requests and once for responses, for all operations together. */
import type { ValidateFunction } from 'ajv';
import { resolve, type Document, type Schema } from '../document/openapi.ts';
import { remember } from '../remember.ts';
import { createUnits, runToEnd, type Unit } from './compile-units.ts';
import { createDropReadOnly } from './drop-read-only.ts';
import { createDefaults, createReachesProperty } from './fill-defaults.ts';
import { type Direction, isReadOnly } from './model.ts';
import { createCollectProblems } from './problems/collect-problems.ts';
import { createValidator, type RequestValues } from './schema-validator.ts';
import { ValidationRun } from './validation-run.ts';

/** Compiles the schema at a JSON pointer (`#/components/schemas/User`); the same pointer gives the same function. */
export interface CompileSchemaAt {
  (pointer: string): ValidateFunction;
  /** Compiles in steps, one schema each, so that the event loop can run between them. */
  readonly steps: (pointer: string) => Generator<void, ValidateFunction>;
}

/** Whether `bigint` is accepted beside numbers, or required. */
export type BigIntegers = 'accepted' | 'required';

/**
 * Creates the compiler of a document. Values are not changed while they are validated; of those of requests
 * what is `readOnly` is removed, and defaults are filled into what is valid.
 *
 * Compiled code gives the verdict: it stops at the first problem. The problems of what it refuses are collected afterwards, up to
 * `MAX_VALIDATION_ERRORS`. Both have a budget of steps (`ValidationRun`), and a value that takes more has the problem `complexity`.
 *
 * @param bigIntegers of values that a handler gives they are `required` where the schema says `x-int64: bigint`. Values that were parsed from
 *   JSON have numbers there too.
 */
export function createSchemaCompiler(
  document: Document,
  direction: Direction = 'response',
  bigIntegers: BigIntegers = 'accepted',
): CompileSchemaAt {
  const run = new ValidationRun();
  const takesNumbers = bigIntegers === 'accepted';
  const { unitAt, unitOf, compile, formatOf } = createUnits(document, direction, takesNumbers, run);
  const collect = createCollectProblems(
    { schemaOf: (name) => unitOf(name).schema, isValid: (name, value) => unitOf(name).validate(value), formatOf, takesNumbers },
    run,
  );
  const testAt = (pointer: string) => {
    const unit = unitAt(pointer);
    runToEnd(compile(unit));
    return (value: unknown): boolean => run.test(unit.validate, value);
  };
  const requestValuesAt = direction === 'request' ? createRequestValues(document, testAt) : undefined;
  const validatorAt = remember((pointer: string): ValidateFunction => {
    const unit = unitAt(pointer);
    const schema = { unit, isSingle: isSingle(unit, unitOf), problems: (value: unknown) => collect(unit.name, value) };
    return createValidator(schema, run, requestValuesAt?.(pointer));
  });
  function* steps(pointer: string): Generator<void, ValidateFunction> {
    yield* compile(unitAt(pointer));
    return validatorAt(pointer);
  }
  return Object.assign((pointer: string) => runToEnd(steps(pointer)), { steps });
}

/** How many references lead to a schema without parts, at most. */
const MAX_REFERENCES = 4;

function isSingle(unit: Unit, unitOf: (name: string) => Unit): boolean {
  let last = unit;
  for (let count = 0; count <= MAX_REFERENCES; count++) {
    const { schema, references, weight } = last;
    if (weight !== 1 || references.length > 1 || schema['uniqueItems'] !== undefined) return false;
    const [reference] = references;
    if (reference === undefined) return true;
    last = unitOf(reference.name);
  }
  return false;
}

/** What is done with the values of a schema in requests. */
function createRequestValues(
  document: Document,
  testAt: (pointer: string) => (value: unknown) => boolean,
): (pointer: string) => RequestValues {
  const defaultsAt = createDefaults(document, testAt);
  const drop = createDropReadOnly(document);
  const reachesReadOnly = createReachesProperty(document, (property) => isReadOnly(resolve<Schema>(document, property)));
  return (pointer) => {
    const schemas: readonly Schema[] = [{ $ref: pointer }];
    return {
      dropReadOnly: reachesReadOnly(pointer) ? (value) => drop(schemas, value) : undefined,
      prepareDefaults: defaultsAt(pointer),
    };
  };
}
