/** Compiles the schemas of a contract: each once for requests and once for responses, for all operations together. */
import type { ValidateFunction } from 'ajv';
import type { DocumentModules } from '../document-modules.ts';
import type { Document } from '../document/openapi.ts';
import { remember } from '../remember.ts';
import type { CompileSchemaAt } from './compile-schema.ts';
import { createUnits, runToEnd, type Unit } from './compile-units.ts';
import type { Direction } from './model.ts';
import { createCollectProblems } from './problems/collect-problems.ts';
import { createValidator, type RequestValues } from './schema-validator.ts';
import { ValidationRun } from './validation-run.ts';

/** Whether `bigint` is accepted beside numbers, or required. */
export type BigIntegers = 'accepted' | 'required';

/** As `createSchemaCompiler` of `model-of.ts`, for the model of a document, and the modules that this needs. */
export function createCompiler(
  document: Document,
  modules: DocumentModules,
  direction: Direction = 'response',
  bigIntegers: BigIntegers = 'accepted',
): CompileSchemaAt {
  const run = new ValidationRun();
  const takesNumbers = bigIntegers === 'accepted';
  const { unitAt, unitOf, compile, formatOf } = createUnits(document, modules, direction, takesNumbers, run);
  const collect = createCollectProblems(
    { schemaOf: (name) => unitOf(name).schema, isValid: (name, value) => unitOf(name).validate(value), formatOf, takesNumbers, modules },
    run,
  );
  const testAt = (pointer: string) => {
    const unit = unitAt(pointer);
    runToEnd(compile(unit));
    return (value: unknown): boolean => run.test(unit.validate, value);
  };
  const requestValuesAt = direction === 'request' ? createRequestValues(document, modules, testAt) : undefined;
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
  { defaults, readOnly }: DocumentModules,
  testAt: (pointer: string) => (value: unknown) => boolean,
): (pointer: string) => RequestValues {
  const defaultsAt = defaults?.createDefaults(document, testAt);
  const dropAt = readOnly?.createDropReadOnly(document);
  return (pointer) => ({ dropReadOnly: dropAt?.(pointer), prepareDefaults: defaultsAt?.(pointer) });
}
