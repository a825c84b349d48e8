/** Values without parts that fit a schema, each the same in every run, and others that fit it too. */
import { createGeneratorSync } from 'json-schema-faker';
import type { Json } from '../document.ts';
import { keyword, type SchemaView } from './schema-view.ts';
import { prepareSchema } from './values.ts';

const DAY_MS = 86_400_000;

/** What is likely to fit, best first. @param name that of the property: it tells texts apart in a message. */
export function* leafCandidates(view: SchemaView, name: string): Generator {
  const { type, values } = view;
  const standard = keyword(view, 'default');
  const differs = (value: unknown) => value !== standard;
  if (values !== undefined) yield* [...values.filter(differs), ...values];
  // A value that is the default comes back from a server that stores nothing.
  if (type === 'boolean') yield* [standard !== true, true, false];
  if (type === 'integer' || type === 'number') yield* numbers(view).filter(differs);
  if (type === undefined || (type === 'string' && keyword(view, 'pattern') === undefined)) yield* texts(view, name).filter(differs);
  yield generated(view);
}

function numbers(view: SchemaView): number[] {
  const low = Number(keyword(view, 'minimum') ?? 0);
  const step = Number(keyword(view, 'multipleOf') ?? 1);
  return [7, low + step, low, step, Number(keyword(view, 'maximum') ?? 0)];
}

function texts(view: SchemaView, name: string): string[] {
  const format = keyword<string>(view, 'format');
  if (format === 'date-time') return ['2031-02-03T04:05:06Z'];
  if (format === 'date') return ['2031-02-03'];
  if (format !== undefined && format !== 'password') return [];
  const [least, most] = [Number(keyword(view, 'minLength') ?? 0), Number(keyword(view, 'maxLength') ?? Infinity)];
  return [name.slice(0, most).padEnd(least, 'x')];
}

/** @returns `undefined` if the generator can make none. */
function generated({ parts }: SchemaView): unknown {
  const merged: Record<string, unknown> = Object.fromEntries(parts.flatMap(({ value }) => Object.entries(value)));
  for (const name of ['allOf', 'oneOf', 'anyOf', 'not', 'example', 'default', '$ref']) delete merged[name];
  try {
    return createGeneratorSync({ seed: 1 }).generate(prepareSchema(merged) as Json);
  } catch {
    return undefined;
  }
}

/** Values near another one, some of which may fit where it does. */
export function* nearbyValues(value: unknown, view: SchemaView): Generator {
  if (typeof value === 'boolean') yield !value;
  if (typeof value === 'number') {
    const step = Number(keyword(view, 'multipleOf') ?? 1);
    yield* [value + step, value - step];
  }
  if (typeof value !== 'string') return;
  const format = keyword<string>(view, 'format') ?? '';
  if (format === 'date-time' || format === 'date') {
    const next = new Date(Date.parse(value) + DAY_MS).toISOString();
    yield format === 'date' ? next.slice(0, 10) : next;
  }
  yield* [`${value} 2`, `${value}2`, `2${value}`, `${value.slice(0, -1)}2`, `${value.slice(0, -1)}3`, `${value.slice(0, -1)}a`];
  yield value.slice(0, -1);
}
