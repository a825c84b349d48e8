/** Merges three versions of a JSON value field by field, whatever the order and the layout of its fields. */
import { isDeepStrictEqual } from 'node:util';

type Fields = Readonly<Record<string, unknown>>;

export interface MergedJson {
  readonly value: unknown;
  /** `scripts/test`: fields that both sides have changed in different ways. They keep the value of `ours`. */
  readonly conflicts: readonly string[];
}

/** `undefined` stands for a value that is not there. An array is one value. */
export function mergeJson(base: unknown, ours: unknown, theirs: unknown): MergedJson {
  const conflicts: string[] = [];
  return { value: merge(base, ours, theirs, [], conflicts), conflicts };
}

function merge(base: unknown, ours: unknown, theirs: unknown, path: readonly string[], conflicts: string[]): unknown {
  if (isDeepStrictEqual(base, theirs) || isDeepStrictEqual(ours, theirs)) return ours;
  if (isDeepStrictEqual(base, ours)) return theirs;
  if (!isFields(ours) || !isFields(theirs)) {
    conflicts.push(path.join('/'));
    return ours;
  }
  const common = isFields(base) ? base : {};
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])];
  const fields = names.map((name) => [name, merge(common[name], ours[name], theirs[name], [...path, name], conflicts)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
