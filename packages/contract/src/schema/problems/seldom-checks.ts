/** Checks of keywords that few documents have, which are loaded for those. Messages are those of Ajv. */
import { anyOf, condition, not, oneOf } from './composition-checks.ts';
import { checkParts, createOthers, createRest, type List, patternsOf, type Properties, range, type Schemas } from './container-checks.ts';
import { evaluatedItems, evaluatedProperties } from './evaluated.ts';
import { acceptsAll, type CreateCheck, hasProperty, type Keyword, type SeldomKeyword } from './keyword.ts';
import type { Check } from './problem-run.ts';

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

export const SELDOM_CHECKS: Readonly<Record<SeldomKeyword, CreateCheck>> = {
  ...{ not, anyOf, oneOf, if: condition, contains, propertyNames, patternProperties, dependentRequired, dependentSchemas },
  prefixItems: ({ value: schemas, build }: Keyword<List>) => {
    const checks = schemas.map((schema, i) => build(schema, i));
    return (value, at, run) => {
      const items = value as List;
      return checkParts(range(0, Math.min(items.length, checks.length)), run, (i) =>
        (checks[i] as Check)(items[i], { parent: at, key: i }, run),
      );
    };
  },
  unevaluatedItems: (keyword: Keyword) =>
    createRest(keyword, (items, run) => Math.min(evaluatedItems(keyword.schema, items, keyword.builder, run), items.length)),
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
