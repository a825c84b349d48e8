/** Finds the keyword that refuses a value: what was written there is the cause, and the value only shows it. */
import { hasKeyword, requiredOf, subschemasOf, type Document, type Reference, type Schema } from '@specwright/contract/document';
import type { Keys } from '../collect-nodes.ts';
import { follow } from './rule.ts';

/** Schemas may contain themselves. */
const MAX_DEPTH = 30;

/**
 * The path of `keyword` in the schema that the part of a value at `at` has to match.
 *
 * @param schema the path of the schema of the value; @param required the property that `required` has to name.
 * @returns `undefined` if it is not found, as below a schema that is negated.
 */
export function findKeyword(document: Document, schema: Keys, at: Keys, keyword: string, required?: string): Keys | undefined {
  const isMeant = (value: Schema) =>
    hasKeyword(value, keyword) && (keyword !== 'required' || required === undefined || requiredOf(value).includes(required));
  const search = (found: ReturnType<typeof follow<Schema>>, rest: Keys, depth: number): Keys | undefined => {
    if (found === undefined || depth > MAX_DEPTH) return undefined;
    const { value, path } = found;
    if (rest.length === 0 && isMeant(value)) return [...path, keyword];
    const [key, ...below] = rest;
    for (const [keys, part] of subschemasOf(value)) {
      const left = BRANCHES.includes(String(keys[0])) ? rest : isChild(keys, key) ? below : undefined;
      if (left === undefined) continue;
      const result = search(follow<Schema>(document, part, [...path, ...keys]), left, depth + 1);
      if (result !== undefined) return result;
    }
    return undefined;
  };
  return search(follow<Schema>(document, valueAt(document, schema), schema), at, 0);
}

const BRANCHES = ['allOf', 'oneOf', 'anyOf'];

/** Whether a schema within another describes the property or the item of this key. */
function isChild([keyword, name]: Keys, key: string | number | undefined): boolean {
  if (key === undefined) return false;
  if (keyword === 'properties' || keyword === 'prefixItems') return String(name) === String(key);
  return ['items', 'additionalProperties', 'patternProperties', 'unevaluatedProperties'].includes(String(keyword));
}

const valueAt = (value: unknown, path: Keys) =>
  path.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], value) as
    Schema | Reference | undefined;
