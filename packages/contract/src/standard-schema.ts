/** The named schemas of a document as validators of Standard Schema, which forms, routers and queues of others take. */
import { toNativeValues } from './codec/native-values.ts';
import { createValueShape, type ValueShape } from './codec/typed-values.ts';
import { isObject, plainPointerKeys, pointerTo, type Document } from './document/openapi.ts';
import type { CompileSchemaAt } from './schema/compile-schema.ts';
import { describeErrors, type ValueProblem } from './schema/validation-error.ts';

/** Standard Schema, version 1 (standardschema.dev): what a library needs to validate a value, and to know its type. */
export interface StandardSchema<Value = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'specwright';
    /** Never changes the value: the result is a copy of it, with defaults and without what is `readOnly`. */
    readonly validate: (
      value: unknown,
    ) => { readonly value: Value; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };
    readonly types?: { readonly input: Value; readonly output: Value } | undefined;
  };
}

export interface StandardIssue {
  readonly message: string;
  /** The keys of the value: names of properties, numbers of items. */
  readonly path: readonly PropertyKey[];
}

/** By name, as requests have them. A schema is compiled for its first value. */
export function standardSchemas(document: Document, compile: CompileSchemaAt): Readonly<Record<string, StandardSchema>> {
  const schemas = Object.keys(document.components?.schemas ?? {}).map((name) => [name, standardSchema(document, compile, name)] as const);
  return Object.fromEntries(schemas);
}

function standardSchema(document: Document, compile: CompileSchemaAt, name: string): StandardSchema {
  const schema = { $ref: pointerTo('components', 'schemas', name) };
  let shape: ValueShape | undefined;
  const validate: StandardSchema['~standard']['validate'] = (given) => {
    let value: unknown;
    try {
      value = structuredClone(given);
    } catch {
      return { issues: [{ message: 'must be a JSON value', path: [] }] };
    }
    const check = compile(schema.$ref);
    if (!check(value)) return { issues: describeErrors('', check.errors).map((problem) => toIssue(problem, value)) };
    shape ??= createValueShape(document, schema);
    return { value: toNativeValues(shape, value) };
  };
  return { '~standard': { version: 1, vendor: 'specwright', validate } };
}

function toIssue({ location, message }: ValueProblem, value: unknown): StandardIssue {
  let parent = value;
  const path = plainPointerKeys(location).map((key) => {
    const isItem = Array.isArray(parent);
    parent = isItem || isObject(parent) ? (parent as Record<string, unknown>)[key] : undefined;
    return isItem ? Number(key) : key;
  });
  return { message, path };
}
