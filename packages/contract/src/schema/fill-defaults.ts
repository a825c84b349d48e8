/**
 * Fills defaults into a value after it was validated, along the branches that it matches.
 *
 * Nothing is written while a value is validated: a default of a branch that is only being tried would be refused by the next one, or
 * reach the handler beside the value of another branch. `default` is an annotation (JSON Schema 2020-12, validation, section 9.2).
 */
import { isObject, pointerTo, type Document, type Schema } from '../document/openapi.ts';
import {
  conditionalPartsOf,
  conditionOf,
  dependentSchemasOf,
  additionalOf,
  alternativesOf,
  branchesOf,
  isReadOnly,
  itemsOf,
  patternPropertiesOf,
  prefixItemsOf,
  propertiesOf,
  referenceOf,
} from './model.ts';
import { copyDefault, defaultOf } from './default-value.ts';
import { partTests } from './discriminator.ts';
import { patternTestOf } from '../patterns/pattern-test.ts';
import { createReachesProperty, schemaAt } from './reaches-property.ts';
import { remember } from '../remember.ts';

export interface PropertyDefault {
  readonly name: string;
  readonly value: unknown;
  /** Of a list or an object: no two requests share one. */
  readonly copy: (() => unknown) | undefined;
}

/** A property that is absent, and its default. */
interface Absent {
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly value: unknown;
  readonly plan: Plan | undefined;
}

/** What is found in a value. */
interface Found {
  readonly absent: Absent[];
  /** By schema, the values whose alternatives were chosen: several that match would double the time at each level. */
  readonly chosen: Map<Schema, Set<unknown>>;
}

/** Which values of a schema the defaults below it belong to. */
interface Plan {
  (value: unknown, found: Found): void;
  /** What it fills in, if that is nothing but properties of the value itself. */
  readonly ofProperties?: readonly PropertyDefault[] | undefined;
}

/**
 * Finds the defaults of a valid value. All branches are chosen before anything is written.
 *
 * @returns the function that fills them in.
 */
type PrepareDefaults = (value: unknown) => () => void;

/** The defaults of a schema: those of the properties of its value, of which the first for each name wins, or what finds them. */
export type Defaults =
  | { readonly ofProperties: readonly PropertyDefault[]; readonly prepare?: undefined }
  | { readonly prepare: PrepareDefaults; readonly ofProperties?: undefined };

/** @param testAt the test of the schema at a pointer. @returns by pointer; `undefined` if a schema has no defaults. */
export function createDefaults(
  document: Document,
  testAt: (pointer: string) => (value: unknown) => boolean,
): (pointer: string) => Defaults | undefined {
  const reachesDefault = createReachesDefault(document);

  /** `undefined` where no default is below. Schemas that contain themselves are planned when a value gets there. */
  const planAt = remember((pointer: string): Plan | undefined => {
    const made = lazily(() => createPlan(pointer));
    return reachesDefault(pointer) ? (value, found) => made()(value, found) : undefined;
  });

  const createPlan = (pointer: string): Plan => {
    const parts = new Set<Schema>();
    return onceFor(parts, inOrder(partPlans(pointer, parts).filter((part) => part !== undefined)));
  };

  /** Those of a schema and of the parts of its `allOf`, each once: two parts that refer to one schema would double the time at each level. */
  const partPlans = (pointer: string, visited: Set<Schema>): (Plan | undefined)[] => {
    const { schema, at } = schemaAt(document, pointer);
    if (visited.has(schema)) return [];
    visited.add(schema);
    const pointerBelow = (...keys: (string | number)[]) => at + pointerTo(...keys.map(String)).slice(1);
    const below = (...keys: (string | number)[]) => planAt(pointerBelow(...keys));
    const testOf = (...keys: (string | number)[]) => lazily(() => testAt(pointerBelow(...keys)));
    const parts = [...objectPlans(schema, below), ...listPlans(schema, below)];
    for (const i of branchesOf(schema).allOf.keys()) parts.push(...partPlans(pointerBelow('allOf', i), visited));
    for (const key of ['oneOf', 'anyOf'] as const) parts.push(...alternativePlans(document, key, schema, testOf, below));
    const condition = conditionOf(schema);
    if (condition !== undefined) {
      const test = testOf('if');
      parts.push(where(test, below('if')));
      if (condition.then !== undefined) parts.push(where(test, below('then')));
      if (condition.else !== undefined) parts.push(where(() => (value) => !test()(value), below('else')));
    }
    for (const name of Object.keys(dependentSchemasOf(schema)))
      parts.push(where(() => (value) => isObject(value) && Object.hasOwn(value, name), below('dependentSchemas', name)));
    return parts;
  };

  const objectPlans = (schema: Schema, below: (...keys: (string | number)[]) => Plan | undefined): (Plan | undefined)[] => {
    const properties = Object.entries(propertiesOf(schema)).filter(([name]) => name !== '__proto__');
    const named = properties.flatMap(([name, property]) => {
      const plan = below('properties', name);
      const value = referenceOf(property) === undefined && !isReadOnly(property) ? defaultOf(document, property) : undefined;
      return plan === undefined && value === undefined ? [] : [{ name, plan, value }];
    });
    const patterns = Object.keys(patternPropertiesOf(schema)).map((pattern) => ({
      test: patternTestOf(pattern)?.test,
      plan: below('patternProperties', pattern),
    }));
    const additional = typeof additionalOf(schema) === 'object' ? below('additionalProperties') : undefined;
    const declared = new Set(Object.keys(propertiesOf(schema)));
    const ofOthers: Plan = (value, found) => {
      if (!isObject(value)) return;
      for (const [name, part] of Object.entries(value)) {
        const matching = patterns.filter(({ test }) => test?.(name));
        for (const { plan } of matching) plan?.(part, found);
        if (matching.length === 0 && !declared.has(name)) additional?.(part, found);
      }
    };
    const hasOthers = additional !== undefined || patterns.some(({ plan }) => plan !== undefined);
    return [named.length > 0 ? planOfNamed(named) : undefined, hasOthers ? ofOthers : undefined];
  };

  return (pointer) => {
    const plan = planAt(pointer);
    if (plan === undefined) return undefined;
    const parts = partPlans(pointer, new Set()).filter((part) => part !== undefined);
    const ofProperties = parts.map((part) => part.ofProperties);
    return ofProperties.every((some) => some !== undefined)
      ? { ofProperties: ofProperties.flat() }
      : { prepare: (value) => prepare(plan, value) };
  };
}

interface NamedProperty {
  readonly name: string;
  /** Its default; `undefined` without one. */
  readonly value: unknown;
  readonly plan: Plan | undefined;
}

function planOfNamed(named: readonly NamedProperty[]): Plan {
  const plan: Plan = (value, found) => {
    if (!isObject(value)) return;
    for (const { name, plan: below, value: filled } of named) {
      if (Object.hasOwn(value, name) && value[name] !== undefined) below?.(value[name], found);
      else if (filled !== undefined) found.absent.push({ holder: value, name, value: filled, plan: below });
    }
  };
  const isFlat = named.every(({ plan: below }) => below === undefined);
  const ofProperties = named.map(({ name, value }) => ({
    name,
    value,
    copy: typeof value === 'object' ? () => copyDefault(value) : undefined,
  }));
  return Object.assign(plan, { ofProperties: isFlat ? ofProperties : undefined });
}

const inOrder =
  (plans: readonly Plan[]): Plan =>
  (value, found) => {
    for (const plan of plans) plan(value, found);
  };

/** @param parts the schemas of the plan, the one that it is of first. If there are alternatives in them, a value is planned once. */
function onceFor(parts: ReadonlySet<Schema>, plan: Plan): Plan {
  const [root] = parts;
  const isChoosing = [...parts].some((schema) => alternativesOf(schema).length > 0 || conditionalPartsOf(schema).length > 0);
  if (root === undefined || !isChoosing) return plan;
  return (value, found) => {
    const values = found.chosen.get(root) ?? new Set();
    if (typeof value !== 'object' || values.has(value)) return;
    found.chosen.set(root, values.add(value));
    plan(value, found);
  };
}

function listPlans(schema: Schema, below: (...keys: (string | number)[]) => Plan | undefined): (Plan | undefined)[] {
  const first = prefixItemsOf(schema).map((_, i) => below('prefixItems', i));
  const rest = itemsOf(schema) === undefined ? undefined : below('items');
  if (rest === undefined && first.every((plan) => plan === undefined)) return [];
  return [
    (value, found) => {
      if (Array.isArray(value)) for (const [i, item] of value.entries()) (i < first.length ? first[i] : rest)?.(item, found);
    },
  ];
}

/** Of parts of an `allOf` with different defaults the first wins. */
function prepare(plan: Plan, value: unknown): () => void {
  const absent: Absent[] = [];
  plan(value, { absent, chosen: new Map() });
  return () => {
    for (const { holder, name, value: filled, plan: below } of absent) {
      if (Object.hasOwn(holder, name) && holder[name] !== undefined) continue;
      holder[name] = copyDefault(filled);
      if (below !== undefined) prepare(below, holder[name])();
    }
  };
}

/** Those of the parts of a union that a value is of. */
function alternativePlans(
  document: Document,
  key: 'oneOf' | 'anyOf',
  schema: Schema,
  testOf: (...keys: (string | number)[]) => () => (value: unknown) => boolean,
  below: (...keys: (string | number)[]) => Plan | undefined,
): (Plan | undefined)[] {
  const tests = partTests(document, key, schema);
  return branchesOf(schema)[key].map((_, i) => where(() => tests?.[i] ?? testOf(key, i)(), below(key, i)));
}

const where = (test: () => (value: unknown) => boolean, plan: Plan | undefined): Plan | undefined =>
  plan && ((value, found) => (test()(value) ? plan(value, found) : undefined));

function lazily<T>(create: () => T): () => T {
  let created: T | undefined;
  return () => (created ??= create());
}

const createReachesDefault = (document: Document) =>
  createReachesProperty(document, (property) => referenceOf(property) === undefined && defaultOf(document, property) !== undefined);
