/** Compiles the schemas of a contract: each once for requests and once for responses, for all operations together. */
import type { ValidateFunction } from 'ajv';
import { type DocumentModules, moduleOf } from '../document-modules.ts';
import type { Document } from '../document/openapi.ts';
import { remember } from '../remember.ts';
import type { CompileSchemaAt } from './compile-schema.ts';
import { createUnits, runToEnd, type Unit } from './compile-units.ts';
import type { Direction } from './model.ts';
import { createCollectProblems } from './problems/collect-problems.ts';
import type { CheckModules } from './problems/keyword.ts';
import { createValidator, type RequestValues, type SchemaValidator } from './schema-validator.ts';
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
  const run = new ValidationRun(() => new (moduleOf(modules, 'uniqueItems').CanonicalIds)());
  const takesNumbers = bigIntegers === 'accepted';
  const { unitAt, unitOf, compile, formatOf } = createUnits(document, modules, direction, takesNumbers, run);
  const collect = createCollectProblems(
    {
      schemaOf: (name) => unitOf(name).schema,
      isValid: (name, value) => unitOf(name).validate(value),
      formatOf,
      takesNumbers,
      modules: checkModules(modules),
    },
    run,
  );
  const testAt = (pointer: string) => {
    const unit = unitAt(pointer);
    runToEnd(compile(unit));
    return (value: unknown): boolean => run.test(unit.validate, value);
  };
  const requestValuesAt = direction === 'request' ? createRequestValues(document, modules, testAt) : undefined;
  const createValidatorOf = remember((pointer: string): SchemaValidator => {
    const unit = unitAt(pointer);
    const collectProblems = (value: unknown) => collect(unit.name, value);
    const schema = { validate: unit.validate, isBounded: isBounded(unit, unitOf), collect: collectProblems };
    return createValidator(schema, run, requestValuesAt?.(pointer));
  });
  const createFunctionOf = remember((pointer: string): ValidateFunction => toFunction(createValidatorOf(pointer)));
  function* steps(pointer: string): Generator<void, ValidateFunction> {
    yield* compile(unitAt(pointer));
    return createFunctionOf(pointer);
  }
  const validatorAt = (pointer: string): SchemaValidator => {
    runToEnd(compile(unitAt(pointer)));
    return createValidatorOf(pointer);
  };
  return Object.assign((pointer: string) => runToEnd(steps(pointer)), { steps, validatorAt });
}

const checkModules = (modules: DocumentModules): CheckModules => ({
  get patterns() {
    return moduleOf(modules, 'patterns');
  },
  get bigIntegers() {
    return moduleOf(modules, 'bigIntegers');
  },
  get uniqueItems() {
    return moduleOf(modules, 'uniqueItems');
  },
  get seldomChecks() {
    return moduleOf(modules, 'seldomChecks');
  },
});

function toFunction({ isValid, problems }: SchemaValidator): ValidateFunction {
  const validate = ((value: unknown): boolean => {
    const verdict = isValid(value);
    validate.errors = verdict ? null : problems(value);
    return verdict;
  }) as ValidateFunction;
  return validate;
}

/** How many schemas may be applied to one value of a bounded schema: far fewer than the steps that a validation has for each value. */
const MAX_BOUNDED_SCHEMAS = 200;

/**
 * Whether a schema takes few steps for each value, whatever the value is, so that validations need no budget and keep nothing: all that it
 * leads to is few schemas, each counted as often as there are ways to it.
 */
function isBounded(root: Unit, unitOf: (name: string) => Unit): boolean {
  let left = MAX_BOUNDED_SCHEMAS;
  const rest = [root];
  for (let unit = rest.pop(); unit !== undefined; unit = rest.pop()) {
    // A circle uses all of them up.
    left -= Math.max(1, unit.weight);
    if (left < 0 || unit.isRepeated === true || comparesItems(unit.schema)) return false;
    for (const { name } of unit.references) rest.push(unitOf(name));
  }
  return true;
}

/** Whether a schema in it needs what a validation keeps of its items; as well if it only has a property of that name. */
const comparesItems = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  (Object.hasOwn(schema, 'uniqueItems') || Object.values(schema).some((part) => comparesItems(part)));

/** What is done with the values of a schema in requests. */
function createRequestValues(
  document: Document,
  { defaults, readOnly }: DocumentModules,
  testAt: (pointer: string) => (value: unknown) => boolean,
): (pointer: string) => RequestValues {
  const defaultsAt = defaults?.createDefaults(document, testAt);
  const dropAt = readOnly?.createDropReadOnly(document);
  return (pointer) => ({ dropReadOnly: dropAt?.(pointer), defaults: defaultsAt?.(pointer) });
}
