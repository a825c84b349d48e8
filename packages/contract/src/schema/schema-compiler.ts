/** Compiles the schemas of a contract: each once for requests and once for responses, for all operations together. */
import { createRequire } from 'node:module';
import type * as AjvModule from 'ajv';
import type { CodeKeywordDefinition, ValidateFunction, ErrorObject } from 'ajv';
import type { DataValidationCxt } from 'ajv/dist/types/index.js';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatsPlugin } from 'ajv-formats';
import { bigIntegerKeyword, multipleOfKeyword } from './big-integers.ts';
import { createDefaults, createReachesProperty } from './fill-defaults.ts';
import { FORMATS, AJV_FORMATS } from './formats.ts';
import { boundedExpression } from './linear-pattern.ts';
import { type Direction, isReadOnly, propertiesOf, requiredOf } from './model.ts';
import { createSchemaSet, REFERENCE_PREFIX, type NormalizedSchema } from './normalize-schema.ts';
import { resolve, type Document, type Schema, isObject } from '../document/openapi.ts';
import { visitSchemas } from '../document/visit-schemas.ts';
import { schemaShape, type SchemaShape } from './schema-shape.ts';
import { remember } from '../remember.ts';

/** Compiles the schema at a JSON pointer (`#/components/schemas/User`); the same pointer gives the same function. */
export interface CompileSchemaAt {
  (pointer: string): ValidateFunction;
  /** Compiles in steps, one schema each, so that the event loop can run between them. */
  readonly steps: (pointer: string) => Generator<void, ValidateFunction>;
}

/** Whether `bigint` is accepted beside numbers, or required. */
export type BigIntegers = 'accepted' | 'required';

interface Unit extends NormalizedSchema {
  readonly name: string;
  /** Compiles the schema first, until it is. */
  validate: ValidateFunction;
  isCompiled: boolean;
}

/**
 * Creates the compiler of a document. All errors are reported. Values are not changed while they are validated; of those of requests
 * what is `readOnly` is removed, and defaults are filled into what is valid.
 *
 * A schema is compiled when something first refers to it, after those that it refers to: the compiler never runs within itself, whatever
 * the depth of a contract. Where schemas refer to each other in a circle, one reference of it is resolved when values are validated.
 *
 * @param bigIntegers of values that a handler gives they are `required` where the schema says `x-int64: bigint`. Values that were parsed from
 *   JSON have numbers there too.
 */
export function createSchemaCompiler(
  document: Document,
  direction: Direction = 'response',
  bigIntegers: BigIntegers = 'accepted',
): CompileSchemaAt {
  const set = createSchemaSet(document, direction);
  const units = new Map<string, Unit>();
  let ajv: Ajv2020 | undefined;

  const compileUnit = (ajv: Ajv2020, unit: Unit): void => {
    for (const { holder, name } of unit.references) {
      if (unitOf(name).isCompiled) continue;
      delete holder['$ref'];
      holder[LATE_REFERENCE] = name;
    }
    for (const [format, test] of set.patterns) if (ajv.formats[format] === undefined) ajv.addFormat(format, test);
    const key = REFERENCE_PREFIX + unit.name;
    ajv.addSchema(unit.schema, key);
    unit.validate = ajv.getSchema(key) as ValidateFunction;
    unit.isCompiled = true;
  };

  function* compileWithParts(root: Unit): Generator<void, ValidateFunction> {
    if (root.isCompiled) return root.validate;
    const created = ajv ?? (yield* createAjv(document, direction, bigIntegers, units));
    const compiler = (ajv ??= created);
    // Depth first without recursion: a chain of references may be longer than the stack is deep.
    const path = [{ unit: root, next: 0 }];
    const visited = new Set([root]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const { unit } = last;
      const reference = unit.references[last.next++];
      if (reference !== undefined) {
        const part = unitOf(reference.name);
        if (part.isCompiled || visited.has(part)) continue;
        visited.add(part);
        path.push({ unit: part, next: 0 });
        continue;
      }
      path.pop();
      if (unit.isCompiled) continue;
      compileUnit(compiler, unit);
      yield;
    }
    return root.validate;
  }
  const unitOf = (name: string): Unit => {
    let unit = units.get(name);
    if (unit !== undefined) return unit;
    const validate = ((value: unknown, context?: DataValidationCxt) =>
      runToEnd(compileWithParts(unit as Unit))(value, context)) as ValidateFunction;
    units.set(name, (unit = { name, ...set.named(name), validate, isCompiled: false }));
    return unit;
  };
  const stepsOf = (pointer: string) => compileWithParts(unitOf(set.nameOf(pointer)));
  const compile = (pointer: string) => runToEnd(stepsOf(pointer));
  if (direction === 'response') return Object.assign(compile, { steps: stepsOf });
  const filling = createFilling(document, compile);
  const steps = function* (pointer: string) {
    return filling(pointer, yield* stepsOf(pointer));
  };
  return Object.assign((pointer: string) => filling(pointer, compile(pointer)), { steps });
}

/** Validators that remove what is `readOnly`, and fill defaults into what is valid: one for each pointer. */
function createFilling(document: Document, compile: (pointer: string) => ValidateFunction) {
  const defaultsAt = createDefaults(document, compile);
  const drop = createDropReadOnly(document);
  const reachesReadOnly = createReachesProperty(document, (property) => isReadOnly(resolve<Schema>(document, property)));
  const made = new Map<string, ValidateFunction>();
  return (pointer: string, validate: ValidateFunction): ValidateFunction => {
    const known = made.get(pointer);
    if (known !== undefined) return known;
    const fill = defaultsAt(pointer);
    const schemas: readonly Schema[] = [{ $ref: pointer }];
    const retry = (value: unknown): boolean => {
      if (!wasReadOnlySent(validate.errors)) return false;
      drop(schemas, value);
      return validate(value);
    };
    const filling =
      fill === undefined && !reachesReadOnly(pointer)
        ? validate
        : (Object.assign(
            (value: unknown) => {
              const isValid = validate(value) || retry(value);
              filling.errors = validate.errors ?? null;
              if (isValid) fill?.(value);
              return isValid;
            },
            { schema: validate.schema, schemaEnv: validate.schemaEnv },
          ) as ValidateFunction);
    made.set(pointer, filling);
    return filling;
  };
}

function runToEnd<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

const LATE_REFERENCE = 'contract-late-ref';

/** Loaded for the first value that has to be validated, in steps: a start does not wait for it. */
function* createAjv(
  document: Document,
  direction: Direction,
  bigIntegers: BigIntegers,
  units: ReadonlyMap<string, Unit>,
): Generator<void, Ajv2020> {
  const require = createRequire(import.meta.url);
  // A part of it, each.
  for (const part of ['ajv/dist/compile/codegen/index.js', 'ajv/dist/core.js', 'ajv']) {
    require(part);
    yield;
  }
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 };
  const { default: addFormats } = require('ajv-formats') as { default: FormatsPlugin };
  yield;
  const ajv = new Compiler({
    allErrors: true,
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    addUsedSchema: false,
    meta: false,
    // A large schema within each that refers to it would be compiled as often.
    inlineRefs: 6,
    // Makes the code smaller, for a third of the time to compile it; what runs is the same to V8.
    code: { optimize: false, regExp: boundedExpression },
    formats: FORMATS,
    logger: false,
  });
  const uses = usedFeatures(document);
  // Noting in each schema what is evaluated costs time, and only `unevaluatedProperties` and `unevaluatedItems` ask for it.
  ajv.opts.unevaluated = uses.unevaluated;
  // Every object inherits a `constructor`: it is not one that was sent.
  ajv.opts.ownProperties = uses.inheritedNames;
  addFormats(ajv, { mode: 'full', formats: [...AJV_FORMATS] });
  ajv.removeKeyword('readOnly');
  if (direction === 'request') ajv.addKeyword(READ_ONLY);
  ajv.removeKeyword('multipleOf').addKeyword(multipleOfKeyword());
  ajv.addKeyword(bigIntegerKeyword(bigIntegers === 'accepted'));
  ajv.addKeyword(lateReference(units));
  return ajv;
}

function usedFeatures(document: Document): { readonly unevaluated: boolean; readonly inheritedNames: boolean } {
  const uses = { unevaluated: false, inheritedNames: false };
  visitSchemas(document, (schema) => {
    uses.unevaluated ||= 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema;
    uses.inheritedNames ||= [...Object.keys(propertiesOf(schema)), ...requiredOf(schema)].some((name) => name in Object.prototype);
  });
  return { ...uses, unevaluated: uses.unevaluated && !document.openapi.startsWith('3.0') };
}

/** Refuses a property in requests: it is removed, and the value validated without it. */
const READ_ONLY = {
  keyword: 'readOnly',
  schemaType: 'boolean',
  error: { message: 'is read-only: leave it out' },
  code: (cxt) => {
    if (cxt.schema === true) cxt.fail();
  },
} satisfies CodeKeywordDefinition;

/** Calls the function of a schema that is compiled by the time that values are validated, as Ajv does within a circle. */
function lateReference(units: ReadonlyMap<string, Unit>): CodeKeywordDefinition {
  const require = createRequire(import.meta.url);
  const { callRef } = require('ajv/dist/vocabularies/core/ref.js') as { callRef: CallRef };
  const { _ } = require('ajv') as typeof AjvModule;
  return {
    keyword: LATE_REFERENCE,
    schemaType: 'string',
    code: (cxt) => callRef(cxt, _`${cxt.gen.scopeValue('wrapper', { ref: units.get(cxt.schema as string) })}.validate`),
  };
}

type CallRef = (cxt: Parameters<CodeKeywordDefinition['code']>[0], validate: unknown) => void;

// Removes `readOnly` properties from the value of a request, so that what was read can be edited and sent back. They SHOULD
// NOT be sent (OpenAPI 3.0.3, section 4.7.24.2), and a service may ignore or refuse them (JSON Schema 2020-12, validation,
// section 9.4). They are ignored here, as Google's AIP-203 requires: no handler gets one, whatever its value is.

/** Whether a value was refused because such a property was sent; other parts may be wrong too. */
const wasReadOnlySent = (errors: readonly ErrorObject[] | null | undefined): boolean =>
  errors?.some(({ keyword }) => keyword === 'readOnly') ?? false;

/** A property is removed if every part of a composition that declares it says `readOnly`. */
function createDropReadOnly(document: Document): (schemas: readonly Schema[], value: unknown) => void {
  const shapeOf = remember((schemas: readonly Schema[]) => schemaShape(document, schemas), new WeakMap<readonly Schema[], SchemaShape>());
  const drop = (schemas: readonly Schema[], value: unknown): void => {
    if (schemas.length === 0 || typeof value !== 'object' || value === null) return;
    const { items, properties, additionalProperties } = shapeOf(schemas);
    if (Array.isArray(value)) for (const item of value) drop(items, item);
    else if (isObject(value))
      for (const name of Object.keys(value)) {
        const declared = properties.get(name);
        if (declared?.every((schema) => isReadOnly(resolve<Schema>(document, schema))) === true) Reflect.deleteProperty(value, name);
        else drop(declared ?? additionalProperties, value[name]);
      }
  };
  return drop;
}
