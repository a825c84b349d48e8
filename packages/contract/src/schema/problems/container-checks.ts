/** Checks of keywords about lists and objects, which apply schemas to their parts. Messages are those of Ajv. */
import { isObject } from '../../document/openapi.ts';
import { scalarTestOf } from '../compiler-keywords.ts';
import { findDuplicates } from '../unique-items.ts';
import { evaluatedItems, evaluatedProperties } from './evaluated.ts';
import { acceptsAll, type CreateCheck, expressionOf, hasProperty, type Keyword } from './keyword.ts';
import { type At, type Check, type ProblemRun } from './problem-run.ts';
import { minItems, minProperties } from './scalar-checks.ts';

type List = readonly unknown[];
type Properties = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, unknown>>;

/** A check of each part that is named: the verdict on all of them. */
function checkParts<Key extends string | number>(keys: Iterable<Key>, run: ProblemRun, check: (key: Key) => boolean): boolean {
  let isValid = true;
  for (const key of keys) {
    if (check(key)) continue;
    if (run.isQuiet) return false;
    isValid = false;
  }
  return isValid;
}

function* range(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i;
}

const checkItems = (check: Check, items: List, from: number, at: At | undefined, run: ProblemRun): boolean =>
  checkParts(range(from, items.length), run, (i) => check(items[i], { parent: at, key: i }, run));

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** A schema for the items after some; `false` for none. */
function createRest(keyword: Keyword, from: (items: List, run: ProblemRun) => number): Check | undefined {
  if (acceptsAll(keyword.value)) return undefined;
  const check = keyword.build(keyword.value);
  return (value, at, run) => {
    const items = value as List;
    const start = from(items, run);
    if (keyword.value !== false) return checkItems(check, items, start, at, run);
    return items.length <= start || run.report(keyword, at, `must NOT have more than ${start} items`, { limit: start });
  };
}

interface Contained {
  readonly minContains?: number;
  readonly maxContains?: number;
}

const contains: CreateCheck = (keyword: Keyword) => {
  const { minContains: min = 1, maxContains: max } = keyword.schema as Contained;
  if (min === 0 && max === undefined) return undefined;
  const check = keyword.build(keyword.value);
  const message = `must contain at least ${min}${max === undefined ? '' : ` and no more than ${max}`} valid item(s)`;
  const params = { minContains: min, ...(max !== undefined && { maxContains: max }) };
  if (max !== undefined && min > max) return (_, at, run) => run.report(keyword, at, message, params);
  return (value, at, run) => {
    const items = value as List;
    let count = 0;
    const isEnough = () => (max === undefined ? count >= min : count > max);
    const read: number[] = [];
    for (let i = 0; i < items.length && !isEnough(); i++) {
      if (run.passes(check, items[i], { parent: at, key: i })) count++;
      else read.push(i);
    }
    if (count >= min && (max === undefined || count <= max)) return true;
    for (const i of run.isQuiet ? [] : read) check(items[i], { parent: at, key: i }, run);
    return run.report(keyword, at, message, params);
  };
};

export const ARRAY_CHECKS: Readonly<Record<string, CreateCheck>> = {
  minItems,
  prefixItems: ({ value: schemas, build }: Keyword<List>) => {
    const checks = schemas.map((schema, i) => build(schema, i));
    return (value, at, run) => {
      const items = value as List;
      return checkParts(range(0, Math.min(items.length, checks.length)), run, (i) =>
        (checks[i] as Check)(items[i], { parent: at, key: i }, run),
      );
    };
  },
  items: (keyword: Keyword) => createRest(keyword, () => lengthOf(keyword.schema['prefixItems'])),
  contains,
  uniqueItems: (keyword: Keyword<boolean>) => {
    if (!keyword.value) return undefined;
    const isScalar = scalarTestOf(keyword.schema);
    return (value, at, run) => {
      const found = findDuplicates(value as List, () => run.steps.ids, isScalar);
      if (found === undefined) return true;
      return run.report(keyword, at, `must NOT have duplicate items (items ## ${found.j} and ${found.i} are identical)`, { ...found });
    };
  },
  unevaluatedItems: (keyword: Keyword) =>
    createRest(keyword, (items, run) => Math.min(evaluatedItems(keyword.schema, items, keyword.builder, run), items.length)),
};

const required: CreateCheck = (keyword: Keyword<readonly string[]>) => (value, at, run) =>
  checkParts(
    keyword.value,
    run,
    (missingProperty) =>
      hasProperty(value as object, missingProperty) ||
      run.report(keyword, at, `must have required property '${missingProperty}'`, { missingProperty }),
  );

const propertyNames: CreateCheck = (keyword: Keyword) => {
  if (acceptsAll(keyword.value)) return undefined;
  const check = keyword.build(keyword.value);
  return (value, at, run) =>
    checkParts(Object.keys(value as object), run, (propertyName) => {
      const outer = run.propertyName;
      run.propertyName = propertyName;
      const isValid = check(propertyName, at, run);
      run.propertyName = outer;
      return isValid || run.report(keyword, at, 'property name must be valid', { propertyName });
    });
};

/** Checks the properties that a test names; `false` for a schema refuses them. */
function createOthers(
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

const patternsOf = ({ schema: { patternProperties }, builder }: Pick<Keyword, 'schema' | 'builder'>): RegExp[] =>
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

const patternProperties: CreateCheck = (keyword: Keyword<Schemas>) => {
  const { value: schemas, build } = keyword;
  const patterns = patternsOf(keyword);
  const checks = Object.entries(schemas).map(([pattern, part]) => build(part, pattern));
  return (value, at, run) =>
    checkParts(range(0, checks.length), run, (i) =>
      checkParts(
        Object.keys(value as object).filter((name) => (patterns[i] as RegExp).test(name)),
        run,
        (name) => (checks[i] as Check)((value as Properties)[name], { parent: at, key: name }, run),
      ),
    );
};

const dependentRequired: CreateCheck = (keyword: Keyword<Readonly<Record<string, readonly string[]>>>) => (value, at, run) =>
  checkParts(Object.keys(keyword.value), run, (property) => {
    const names = keyword.value[property] ?? [];
    if (!hasProperty(value as object, property)) return true;
    const [depsCount, deps] = [names.length, names.join(', ')];
    const message = `must have ${depsCount === 1 ? 'property' : 'properties'} ${deps} when property ${property} is present`;
    return checkParts(
      names,
      run,
      (missingProperty) =>
        hasProperty(value as object, missingProperty) || run.report(keyword, at, message, { property, missingProperty, depsCount, deps }),
    );
  });

const dependentSchemas: CreateCheck = ({ value: schemas, build }: Keyword<Schemas>) => {
  const checks = new Map(Object.entries(schemas).map(([name, schema]) => [name, build(schema, name)]));
  return (value, at, run) =>
    checkParts(checks.keys(), run, (name) => !hasProperty(value as object, name) || (checks.get(name) as Check)(value, at, run));
};

export const OBJECT_CHECKS: Readonly<Record<string, CreateCheck>> = {
  minProperties,
  required,
  propertyNames,
  additionalProperties,
  properties,
  patternProperties,
  dependentRequired,
  dependentSchemas,
  unevaluatedProperties: (keyword: Keyword) =>
    createOthers(
      keyword,
      (name) => ['must NOT have unevaluated properties', { unevaluatedProperty: name }],
      (value, run) => {
        const evaluated = evaluatedProperties(keyword.schema, value, keyword.builder, run);
        return (name) => evaluated !== true && !evaluated.has(name);
      },
    ),
};
