/** The names that a closed composition allows, where they are known before there is a value. */
import { isObject, resolve, type Document, type Schema } from '../document/openapi.ts';
import { branchesOf, propertiesOf } from './model.ts';

/** Keywords by which the names depend on the value, or on other schemas than those of `allOf`. */
const DEPENDENT = ['oneOf', 'anyOf', 'not', 'if', 'dependentSchemas', 'patternProperties', 'additionalProperties', '$dynamicRef'];

/**
 * The names of a schema with `unevaluatedProperties: false`, if its parts only name properties. Noting for each value what was evaluated costs
 * ten times as much as a list of names.
 *
 * @returns `undefined` if they depend on the value.
 */
export function evaluatedNames(document: Document, schema: Schema): ReadonlySet<string> | undefined {
  if ((schema as { unevaluatedProperties?: unknown }).unevaluatedProperties !== false) return undefined;
  const names = new Set<string>();
  const parts = new Set<Schema>([schema]);
  // What is added while a set is visited is visited too.
  for (const part of parts) {
    if (DEPENDENT.some((keyword) => keyword in part) || (part !== schema && 'unevaluatedProperties' in part)) return undefined;
    for (const name of Object.keys(propertiesOf(part))) names.add(name);
    for (const inner of branchesOf(part).allOf) {
      if (!isObject(inner)) return undefined;
      parts.add(resolve<Schema>(document, inner));
    }
  }
  return names.has('__proto__') ? undefined : names;
}

/** The patterns of names, with that of a property `__proto__`, which Ajv skips among `properties`. */
export function namePatterns({ properties, patternProperties }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const patterns = isObject(patternProperties) ? patternProperties : {};
  if (!isObject(properties) || !Object.hasOwn(properties, '__proto__')) return patterns;
  return { ...patterns, '^__proto__$': properties['__proto__'] };
}
