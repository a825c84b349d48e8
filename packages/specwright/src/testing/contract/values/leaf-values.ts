/** Values without parts that fit a schema, each the same in every run, and others that fit it too. */
import { contentEncodingOf, contentMediaTypeOf, declaredDefault, formatOf, patternOf, type Limits } from '@specwright/contract/document';
import { createGeneratorSync } from 'json-schema-faker';
import { first, type SchemaView } from './schema-view.ts';

export const DAY_MS = 86_400_000;
/** Longer texts test nothing more, and a schema may allow megabytes. */
const MAX_LENGTH = 100;
const SEEDS = [1, 2, 3, 4, 5];

/** What is likely to fit, best first. @param name that of the property: it tells texts apart in a message. */
export function* leafCandidates(view: SchemaView, name: string): Generator {
  const { values, types } = view;
  const standard = first(view, declaredDefault);
  const differs = (value: unknown) => value !== standard;
  const takes = (...wanted: readonly string[]) => types.length === 0 || types.some((type) => wanted.includes(type));
  if (values !== undefined) yield* [...values.filter(differs), ...values];
  if (takes('string') && first(view, patternOf) === undefined) yield* texts(view, name).filter(differs);
  // A value that is the default comes back from a server that stores nothing.
  if (takes('boolean')) yield* [standard !== true, true, false];
  if (takes('integer', 'number')) yield* numbers(view).filter(differs);
  for (const seed of SEEDS) yield generated(view, seed);
  if (takes('object')) yield {};
  if (takes('array')) yield [];
}

function numbers({ limits, type }: SchemaView): number[] {
  const step = limits.multipleOf ?? 1;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  const low = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const high = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const from = Number.isFinite(low) ? low : 0;
  const steps = [Math.ceil(from / step), Math.floor(high / step)].flatMap((count) => [count, count + 1, count - 1]);
  const found = [7, from + step, from, step, high, high - step, ...steps.map((count) => count * step), (low + high) / 2];
  return found.filter((value) => Number.isFinite(value) && (type !== 'integer' || Number.isInteger(value)));
}

function texts(view: SchemaView, name: string): string[] {
  const format = first(view, formatOf);
  const { minLength: least = 0, maxLength: most = Infinity } = view.limits;
  const encoding = first(view, contentEncodingOf);
  if (encoding === 'base64' || encoding === 'base64url') return [Buffer.from(name.padEnd(least, 'x')).toString(encoding)];
  if (/[/+]json\b/.test(first(view, contentMediaTypeOf) ?? '')) return [JSON.stringify(name.padEnd(least, 'x'))];
  if (format === 'date-time') return ['2031-02-03T04:05:06Z'];
  if (format === 'date') return ['2031-02-03'];
  if (format !== undefined && format !== 'password') return [];
  return [name.slice(0, most).padEnd(least, 'x')];
}

/** @returns `undefined` if the generator can make none. */
export function generated(view: SchemaView, seed: number): unknown {
  const { types, limits, values } = view;
  const [format, pattern] = [first(view, formatOf), first(view, patternOf)];
  // An object or list is built of its parts.
  const type = types.find((one) => one !== 'object' && one !== 'array') ?? (types.length === 0 ? 'string' : undefined);
  if (type === undefined) return undefined;
  const schema = { type, ...bounded(limits), ...(format && { format }), ...(pattern && { pattern }), ...(values && { enum: [...values] }) };
  try {
    return createGeneratorSync({ seed }).generate(schema);
  } catch {
    return undefined;
  }
}

const bounded = (limits: Limits): Limits =>
  limits.maxLength === undefined
    ? limits
    : { ...limits, maxLength: Math.min(limits.maxLength, Math.max(MAX_LENGTH, limits.minLength ?? 0)) };

/** Values near another one, some of which may fit where it does. */
export function* nearbyValues(value: unknown, view: SchemaView): Generator {
  if (typeof value === 'boolean') yield !value;
  if (typeof value === 'number') {
    const step = view.limits.multipleOf ?? 1;
    yield* [value + step, value - step];
  }
  if (typeof value !== 'string') return;
  const format = first(view, formatOf) ?? '';
  if (format === 'date-time' || format === 'date') {
    const next = new Date(Date.parse(value) + DAY_MS).toISOString();
    yield format === 'date' ? next.slice(0, 10) : next;
  }
  yield* [`${value} 2`, `${value}2`, `2${value}`, `${value.slice(0, -1)}2`, `${value.slice(0, -1)}3`, `${value.slice(0, -1)}a`];
  yield value.slice(0, -1);
}
