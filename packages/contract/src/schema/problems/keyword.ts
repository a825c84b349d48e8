/** What the checks of keywords are made of. */
import type { Format } from 'ajv';
import { type DocumentModules, moduleOf } from '../../document-modules.ts';
import { isObject } from '../../document/openapi.ts';
import type { CompilerSchema } from '../schema-reference.ts';
import { STEPS } from '../validation-run.ts';
import type { Check, KeywordPath } from './problem-run.ts';

/** A keyword in its schema. */
export interface Keyword<Value = unknown> extends KeywordPath {
  readonly schema: CompilerSchema;
  readonly value: Value;
  readonly builder: CheckBuilder;
  /** The check of a schema in the keyword. @param keys of the schema in the value of the keyword. */
  readonly build: (schema: unknown, ...keys: readonly (string | number)[]) => Check;
}

/** Makes the check of a keyword; `undefined` for one that refuses nothing. */
export type CreateCheck = (keyword: Keyword<never>) => Check | undefined;

export interface CheckBuilder {
  /** @param schemaPath of the schema. The same schema has the same check. */
  readonly build: (schema: unknown, schemaPath: string) => Check;
  /** The check of a schema of the set. */
  readonly named: (name: string) => Check;
  readonly schemaOf: (name: string) => CompilerSchema;
  readonly formatOf: (name: string) => Format | undefined;
  /** Whether integers that are `bigint` may be numbers too. */
  readonly takesNumbers: boolean;
  readonly modules: DocumentModules;
}

/** The expression of a pattern, as compiled code has it. */
export const expressionOf = ({ modules }: CheckBuilder, pattern: string): RegExp =>
  moduleOf(modules, 'patterns').boundedExpression(pattern, 'u');

/** Whether a schema refuses nothing. */
export const acceptsAll = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).every((key) => key === STEPS));

/** A property that JSON cannot have, or that is inherited, is none. */
export const hasProperty = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined;
