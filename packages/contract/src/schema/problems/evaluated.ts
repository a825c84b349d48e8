/** Which parts of a value the keywords of a schema look at: what is left is for `unevaluatedProperties` and `unevaluatedItems` (JSON Schema 2020-12, core, section 11). */
import { isObject } from '../../document/openapi.ts';
import { type CompilerSchema, referenceNameOf } from '../schema-reference.ts';
import { type CheckBuilder, expressionOf, hasProperty } from './keyword.ts';
import type { ProblemRun } from './problem-run.ts';

const partsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The schemas that apply to the same value, and accept it where they are alternatives. */
function* applicable(schema: CompilerSchema, value: unknown, builder: CheckBuilder, run: ProblemRun): Generator<CompilerSchema> {
  const accepts = (part: unknown): boolean => run.passes(builder.build(part, ''), value, undefined);
  const name = referenceNameOf(schema);
  const { if: condition, then, else: otherwise, dependentSchemas } = schema;
  const parts = [...partsOf(schema['allOf']), ...(name === undefined ? [] : [builder.schemaOf(name)])];
  const alternatives = [...partsOf(schema['anyOf']), ...partsOf(schema['oneOf'])];
  if (condition !== undefined) {
    const isTrue = accepts(condition);
    if (isTrue) parts.push(condition);
    alternatives.push(isTrue ? then : otherwise);
  }
  if (isObject(value) && isObject(dependentSchemas))
    for (const [property, part] of Object.entries(dependentSchemas)) if (hasProperty(value, property)) alternatives.push(part);
  for (const part of [...parts, ...alternatives.filter((part) => part !== undefined && accepts(part))]) if (isObject(part)) yield part;
}

/** The names of the properties that are looked at, or `true` for all. */
export function evaluatedProperties(
  schema: CompilerSchema,
  value: Readonly<Record<string, unknown>>,
  builder: CheckBuilder,
  run: ProblemRun,
): ReadonlySet<string> | true {
  const names = new Set<string>();
  const add = (part: CompilerSchema, isOwn: boolean): boolean => {
    if (part['additionalProperties'] !== undefined || (!isOwn && part['unevaluatedProperties'] !== undefined)) return true;
    if (isObject(part['properties'])) for (const name of Object.keys(part['properties'])) names.add(name);
    const patterns = isObject(part['patternProperties']) ? Object.keys(part['patternProperties']) : [];
    for (const pattern of patterns.map((source) => expressionOf(builder, source)))
      for (const name of Object.keys(value)) if (pattern.test(name)) names.add(name);
    for (const below of applicable(part, value, builder, run)) if (add(below, false)) return true;
    return false;
  };
  return add(schema, true) || names;
}

/** How many items from the first are looked at; `Infinity` for all. */
export function evaluatedItems(schema: CompilerSchema, value: readonly unknown[], builder: CheckBuilder, run: ProblemRun): number {
  const count = (part: CompilerSchema, isOwn: boolean): number => {
    if (part['items'] !== undefined || part['contains'] !== undefined) return Infinity;
    if (!isOwn && part['unevaluatedItems'] !== undefined) return Infinity;
    let most = partsOf(part['prefixItems']).length;
    for (const below of applicable(part, value, builder, run)) most = Math.max(most, count(below, false));
    return most;
  };
  return count(schema, true);
}
