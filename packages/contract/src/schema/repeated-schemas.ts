/**
 * Finds the schemas that may be applied to a value again and again: by several branches of a composition, each of which leads back to it, the
 * branches double the work with every level of a value.
 */
import { type CompilerSchema, isExclusive, referenceNameOf, type SchemaReference } from './schema-reference.ts';

/** A schema of the set, with what is found of it. */
export interface RepeatableUnit {
  readonly schema: CompilerSchema;
  readonly references: readonly SchemaReference[];
  /** Whether it has some of the properties of another schema, beside other groups. */
  readonly isGroup?: boolean | undefined;
  /** How often one evaluation applies schemas to the same value, at most; `undefined` until it is known. */
  cost?: number | undefined;
  /** Whether a verdict on a value is kept during a validation. */
  isRepeated?: boolean | undefined;
}

/** A schema that applies more schemas to one value is worth looking its verdict up, whether it contains itself or not. */
const MAX_COST = 256;

interface Visit<Unit> {
  readonly unit: Unit;
  readonly index: number;
  low: number;
  next: number;
}

/**
 * Sets `isRepeated` of a schema and of all that it leads to.
 *
 * A circle of references is a strongly connected component (Tarjan's algorithm, without recursion: a chain of references may be longer than
 * the stack is deep). Components are found from their ends, so the cost of those that follow is known.
 */
export function findRepeated<Unit extends RepeatableUnit>(root: Unit, unitOf: (name: string) => Unit): void {
  const visits = new Map<Unit, Visit<Unit>>();
  const open: Unit[] = [];
  const visit = (unit: Unit): Visit<Unit> => {
    const visited = { unit, index: visits.size, low: visits.size, next: 0 };
    visits.set(unit, visited);
    open.push(unit);
    return visited;
  };
  if (root.cost !== undefined) return;
  const path = [visit(root)];
  for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
    const reference = last.unit.references[last.next++];
    if (reference !== undefined) {
      const target = unitOf(reference.name);
      const visited = visits.get(target);
      if (target.cost !== undefined) continue;
      if (visited === undefined) path.push(visit(target));
      else last.low = Math.min(last.low, visited.index);
      continue;
    }
    path.pop();
    const parent = path.at(-1);
    if (parent !== undefined) parent.low = Math.min(parent.low, last.low);
    if (last.low !== last.index) continue;
    rateComponent(new Set(open.splice(open.lastIndexOf(last.unit))), unitOf);
  }
}

/** @param component schemas that lead to each other, or one. */
function rateComponent<Unit extends RepeatableUnit>(component: ReadonlySet<Unit>, unitOf: (name: string) => Unit): void {
  const referenceCounts = new Map<Unit, number>();
  for (const { references } of component)
    for (const { name } of references) {
      const target = unitOf(name);
      if (component.has(target)) referenceCounts.set(target, (referenceCounts.get(target) ?? 0) + 1);
    }
  const rater = createRater(component, unitOf);
  const rated = [...component].map((unit) => [unit, rater.rate(unit.schema).cost] as const);
  for (const [unit, cost] of rated) {
    // Each circle has a schema that another one refers to as well, unless it is the only circle.
    unit.isRepeated = (rater.isBranching() && (referenceCounts.get(unit) ?? 0) > 1) || cost > MAX_COST;
    unit.cost = unit.isRepeated ? 1 : cost;
  }
}

interface Rating {
  readonly cost: number;
  /** Whether it leads back into the component. */
  readonly leadsBack: boolean;
}

const LEAF: Rating = { cost: 1, leadsBack: false };

function createRater<Unit extends RepeatableUnit>(component: ReadonlySet<Unit>, unitOf: (name: string) => Unit) {
  let isBranching = false;
  const rateReference = (name: string): Rating => {
    const unit = unitOf(name);
    return component.has(unit) ? { cost: 1, leadsBack: true } : { cost: unit.cost ?? 1, leadsBack: false };
  };
  const isGroup = (part: CompilerSchema): boolean => {
    const name = referenceNameOf(part);
    return name !== undefined && unitOf(name).isGroup === true;
  };
  const rate = (schema: unknown): Rating => {
    if (typeof schema !== 'object' || schema === null) return LEAF;
    const name = referenceNameOf(schema as CompilerSchema);
    const parts = partsOf(schema as CompilerSchema, isGroup).map((alternatives) => {
      const rated = alternatives.map(rate);
      return { cost: Math.max(...rated.map(({ cost }) => cost)), leadsBack: rated.some(({ leadsBack }) => leadsBack) };
    });
    if (name !== undefined) parts.push(rateReference(name));
    if (parts.length === 0) return LEAF;
    const leading = parts.filter(({ leadsBack }) => leadsBack).length;
    if (leading > 1) isBranching = true;
    return { cost: parts.reduce((sum, { cost }) => sum + cost, 0), leadsBack: leading > 0 };
  };
  return { rate, isBranching: () => isBranching };
}

const schemasIn = (value: unknown): CompilerSchema[] => Object.values((value ?? {}) as Record<string, CompilerSchema>);

/** The schemas in a schema: lists of alternatives, of which at most one applies to any value. Several of the lists may apply to one. */
function partsOf(schema: CompilerSchema, isGroup: (part: CompilerSchema) => boolean): unknown[][] {
  const children = [
    ...schemasIn(schema['properties']),
    ...schemasIn(schema['prefixItems']),
    schema['additionalProperties'],
    schema['items'],
  ];
  const groups: unknown[] = [...children];
  const tagged: unknown[] = [];
  const others: unknown[] = [];
  for (const part of schemasIn(schema['allOf'])) (isGroup(part) ? groups : isExclusive(part) ? tagged : others).push(part);
  const single = [
    ...others,
    ...['oneOf', 'anyOf', 'patternProperties', 'dependentSchemas'].flatMap((keyword) => schemasIn(schema[keyword])),
    ...['not', 'if', 'contains', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems'].map((keyword) => schema[keyword]),
  ];
  return [groups, tagged, [schema['then'], schema['else']], ...single.map((part) => [part])]
    .map((alternatives) => alternatives.filter((part) => typeof part === 'object'))
    .filter((alternatives) => alternatives.length > 0);
}
