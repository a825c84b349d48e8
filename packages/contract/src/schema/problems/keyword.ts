/** What the checks of keywords are made of. */
import type { Format } from 'ajv';
import { isObject } from '../../document/openapi.ts';
import type * as BigIntegers from '../big-integers.ts';
import type * as Patterns from '../pattern-keywords.ts';
import type { CompilerSchema } from '../schema-reference.ts';
import type * as UniqueItems from '../unique-items.ts';
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

/** Those whose checks are loaded for the documents that have one of them (`seldom-checks.ts`). */
export type SeldomKeyword =
  | ('not' | 'anyOf' | 'oneOf' | 'if' | 'prefixItems' | 'contains' | 'unevaluatedItems')
  | ('propertyNames' | 'patternProperties' | 'dependentRequired' | 'dependentSchemas' | 'unevaluatedProperties');

/** Makes their checks. */
export const seldom = (...names: readonly SeldomKeyword[]): Readonly<Record<string, CreateCheck>> =>
  Object.fromEntries(names.map((name) => [name, (keyword) => keyword.builder.modules.seldomChecks.SELDOM_CHECKS[name](keyword)]));

/** Each throws an Error, if the document was loaded without it. */
export interface CheckModules {
  readonly patterns: Pick<typeof Patterns, 'boundedExpression'>;
  readonly bigIntegers: Pick<typeof BigIntegers, 'createBigIntegerTest' | 'createMultipleTest'>;
  readonly uniqueItems: Pick<typeof UniqueItems, 'findDuplicates' | 'scalarTestOf'>;
  readonly seldomChecks: { readonly SELDOM_CHECKS: Readonly<Record<SeldomKeyword, CreateCheck>> };
}

export interface CheckBuilder {
  /** @param schemaPath of the schema. The same schema has the same check. */
  readonly build: (schema: unknown, schemaPath: string) => Check;
  /** The check of a schema of the set. */
  readonly named: (name: string) => Check;
  readonly schemaOf: (name: string) => CompilerSchema;
  readonly formatOf: (name: string) => Format | undefined;
  /** Whether integers that are `bigint` may be numbers too. */
  readonly takesNumbers: boolean;
  readonly modules: CheckModules;
}

/** The expression of a pattern, as compiled code has it. */
export const expressionOf = ({ modules }: CheckBuilder, pattern: string): RegExp => modules.patterns.boundedExpression(pattern, 'u');

/** Whether a schema refuses nothing. */
export const acceptsAll = (schema: unknown): boolean =>
  schema === undefined || schema === true || (isObject(schema) && Object.keys(schema).every((key) => key === STEPS));

/** A property that JSON cannot have, or that is inherited, is none. */
export const hasProperty = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && (value as Record<string, unknown>)[name] !== undefined;
