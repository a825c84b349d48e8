/** Finds the keyword that refuses a value: what was written there is the cause, and the value only shows it. */
import type { Document, Reference, Schema } from '@specwright/server/document';
import type { Keys } from '../collect-nodes.ts';
import { follow } from './rule.ts';

/** Schemas may contain themselves. */
const MAX_DEPTH = 30;

/**
 * The path of `keyword` in the schema that the part of a value at `at` has to match.
 *
 * @param schema the path of the schema of the value; @param member what the keyword, if it is a list, has to name.
 * @returns `undefined` if it is not found, as below a schema that is negated.
 */
export function findKeyword(document: Document, schema: Keys, at: Keys, keyword: string, member?: string): Keys | undefined {
  const isMeant = (value: unknown) => value !== undefined && (member === undefined || !Array.isArray(value) || value.includes(member));
  const search = (found: ReturnType<typeof follow<Schema>>, rest: Keys, depth: number): Keys | undefined => {
    if (found === undefined || depth > MAX_DEPTH) return undefined;
    const { value, path } = found;
    if (rest.length === 0 && isMeant(value[keyword])) return [...path, keyword];
    const [key, ...below] = rest;
    for (const [child, left] of [
      ...(key === undefined ? [] : childrenOf(value, key).map((each) => [each, below] as const)),
      ...branchesOf(value).map((each) => [each, rest] as const),
    ]) {
      const inner = [...path, ...child];
      const result = search(follow(document, valueAt(value, child), inner), left, depth + 1);
      if (result !== undefined) return result;
    }
    return undefined;
  };
  return search(follow<Schema>(document, valueAt(document, schema), schema), at, 0);
}

/** Where a schema describes a property or an item. */
function childrenOf(schema: Schema, key: string | number): Keys[] {
  const paths: Keys[] = [['properties', key], ['items'], ['additionalProperties']];
  return paths.filter((path) => typeof valueAt(schema, path) === 'object');
}

const branchesOf = (schema: Schema): Keys[] =>
  ['allOf', 'oneOf', 'anyOf'].flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]).map((_, i) => [key, i]) : []));

const valueAt = (value: unknown, path: Keys) =>
  path.reduce<unknown>((part, key) => (part as Record<string | number, unknown> | undefined)?.[key], value) as
    Schema | Reference | undefined;
