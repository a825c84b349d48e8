/** Values of a contract's responses: its examples, then generated ones, the same for the same seed. */
import { type Document, declaredDefault, examplesOf } from '@specwright/contract/document';
import type { Json } from '../testing/contract/document.ts';
import { NoValueError } from '../testing/contract/values/build-options.ts';
import { buildValue, plainOptions } from '../testing/contract/values/build-value.ts';
import { seedOf } from '../testing/contract/values/leaf-values.ts';
import { schemaCheckOf } from '../testing/contract/values/schema-check.ts';
import { type LocatedSchema, type SchemaView, viewSchema } from '../schema/schema-view.ts';

interface ValueOptions {
  readonly seed: number;
  /** What the value is, such as a stored record: it is sent as it is if it fits, else its parts that fit, and what is missing. */
  readonly given?: unknown;
  /** Parts that a generated value takes over if they fit; an example is as it is. */
  readonly echo?: unknown;
  readonly ignoreExamples?: boolean;
}

export interface MockValues {
  readonly isValid: (schema: LocatedSchema, value: unknown) => boolean;
  /** What is wrong with a value, each with its place. */
  readonly problems: (schema: LocatedSchema, value: unknown) => readonly string[];
  /** @throws NoValueError */
  readonly valueOf: (schema: LocatedSchema, options: ValueOptions) => unknown;
  readonly view: (schema: LocatedSchema | readonly LocatedSchema[]) => SchemaView;
}

export function createMockValues(model: Document): MockValues {
  const document = model as unknown as Json;
  const check = schemaCheckOf(document, 'response');
  const isValid = (schema: LocatedSchema, value: unknown) => check.isValid([schema], value);

  /** The example of a whole value: those of its parts may be of different things. */
  function documented(schema: LocatedSchema): unknown {
    const [own] = viewSchema(document, [schema]).parts;
    const values = own === undefined ? [] : [...examplesOf(own.value), declaredDefault(own.value)];
    return values.find((value) => value !== undefined && value !== null && isValid(schema, value));
  }

  return {
    isValid,
    problems: (schema, value) => (isValid(schema, value) ? [] : check.problems(schema.pointer, value, 'body')),
    view: (schema) => viewSchema(document, [schema].flat()),
    valueOf(schema, { seed, given, echo, ignoreExamples = false }) {
      if (given !== undefined && isValid(schema, given)) return given;
      const example = ignoreExamples || given !== undefined ? undefined : documented(schema);
      if (example !== undefined) return example;
      const options = { ...plainOptions(document, 'response'), seed: seedOf(String(seed)), ignoreExamples };
      let failure: NoValueError | undefined;
      const known = given ?? echo;
      for (const include of given === undefined ? (['all', 'none'] as const) : (['given', 'none'] as const))
        try {
          const sources = { base: known, given: known === undefined ? [] : [known], examples: [] };
          const value = buildValue({ ...options, include }, [schema], 'value', sources);
          if (isValid(schema, value)) return value;
        } catch (error) {
          if (!(error instanceof NoValueError)) throw error;
          failure ??= error;
        }
      throw failure ?? new NoValueError(`no value can be made of ${schema.pointer}: add an example to the contract`);
    },
  };
}

/** Whether it is an object of JSON: no list, no bytes, no stream. */
export function isPlainObject(value: unknown): value is Json {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
