/** Checks of keywords about lists and objects, which apply schemas to their parts. Messages are those of Ajv. */
import { isObject } from '../../document/openapi.ts';
import { acceptsAll, type CreateCheck, expressionOf, hasProperty, type Keyword, seldom } from './keyword.ts';
import { type At, type Check, type ProblemRun } from './problem-run.ts';
import { minItems, minProperties } from './scalar-checks.ts';

export type List = readonly unknown[];
export type Properties = Readonly<Record<string, unknown>>;
export type Schemas = Readonly<Record<string, unknown>>;

/** A check of each part that is named: the verdict on all of them. */
export function checkParts<Key extends string | number>(keys: Iterable<Key>, run: ProblemRun, check: (key: Key) => boolean): boolean {
  let isValid = true;
  for (const key of keys) {
    if (check(key)) continue;
    if (run.isQuiet) return false;
    isValid = false;
  }
  return isValid;
}

export function* range(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i;
}

const checkItems = (check: Check, items: List, from: number, at: At | undefined, run: ProblemRun): boolean =>
  checkParts(range(from, items.length), run, (i) => check(items[i], { parent: at, key: i }, run));

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A schema for the items after some; `false` for none. */
export function createRest(keyword: Keyword, from: (items: List, run: ProblemRun) => number): Check | undefined {
  if (acceptsAll(keyword.value)) return undefined;
  const check = keyword.build(keyword.value);
  return (value, at, run) => {
    const items = value as List;
    const start = from(items, run);
    if (keyword.value !== false) return checkItems(check, items, start, at, run);
    return items.length <= start || run.report(keyword, at, `must NOT have more than ${start} items`, { limit: start });
  };
}

export const ARRAY_CHECKS: Readonly<Record<string, CreateCheck>> = {
  minItems,
  ...seldom('prefixItems'),
  items: (keyword: Keyword) => createRest(keyword, () => lengthOf(keyword.schema['prefixItems'])),
  ...seldom('contains'),
  uniqueItems: (keyword: Keyword<boolean>) => {
    if (!keyword.value) return undefined;
    const { findDuplicates, scalarTestOf } = keyword.builder.modules.uniqueItems;
    const isScalar = scalarTestOf(keyword.schema);
    return (value, at, run) => {
      const found = findDuplicates(value as List, () => run.steps.ids, isScalar);
      if (found === undefined) return true;
      return run.report(keyword, at, `must NOT have duplicate items (items ## ${found.j} and ${found.i} are identical)`, { ...found });
    };
  },
  ...seldom('unevaluatedItems'),
};

const required: CreateCheck = (keyword: Keyword<readonly string[]>) => (value, at, run) =>
  checkParts(
    keyword.value,
    run,
    (missingProperty) =>
      hasProperty(value as object, missingProperty) ||
      run.report(keyword, at, `must have required property '${missingProperty}'`, { missingProperty }),
  );

/** Checks the properties that a test names; `false` for a schema refuses them. */
export function createOthers(
  keyword: Keyword,
  refusal: (name: string) => readonly [message: string, params: Record<string, string>],
  isOther: (value: Properties, run: ProblemRun) => (name: string) => boolean,
): Check | undefined {
  if (acceptsAll(keyword.value)) return undefined;
  const check = keyword.value === false ? undefined : keyword.build(keyword.value);
  return (given, at, run) => {
    const value = given as Properties;
    const others = Object.keys(value).filter(isOther(value, run));
    return checkParts(others, run, (name) =>
      check === undefined ? run.report(keyword, at, ...refusal(name)) : check(value[name], { parent: at, key: name }, run),
    );
  };
}

export const patternsOf = ({ schema: { patternProperties }, builder }: Pick<Keyword, 'schema' | 'builder'>): RegExp[] =>
  isObject(patternProperties) ? Object.keys(patternProperties).map((pattern) => expressionOf(builder, pattern)) : [];

const additionalProperties: CreateCheck = (keyword: Keyword) => {
  const { properties } = keyword.schema;
  const names = new Set(isObject(properties) ? Object.keys(properties).filter((name) => name !== '__proto__') : []);
  const patterns = patternsOf(keyword);
  return createOthers(
    keyword,
    (name) => ['must NOT have additional properties', { additionalProperty: name }],
    () => (name) => !names.has(name) && !patterns.some((pattern) => pattern.test(name)),
  );
};

const properties: CreateCheck = ({ value: schemas, build }: Keyword<Schemas>) => {
  const named = Object.keys(schemas).filter((name) => name !== '__proto__' && !acceptsAll(schemas[name]));
  const checks = new Map(named.map((name) => [name, build(schemas[name], name)]));
  return (value, at, run) =>
    checkParts(checks.keys(), run, (name) => {
      const check = checks.get(name) as Check;
      return !hasProperty(value as object, name) || check((value as Properties)[name], { parent: at, key: name }, run);
    });
};

export const OBJECT_CHECKS: Readonly<Record<string, CreateCheck>> = {
  minProperties,
  required,
  ...seldom('propertyNames'),
  additionalProperties,
  properties,
  ...seldom('patternProperties', 'dependentRequired', 'dependentSchemas', 'unevaluatedProperties'),
};
