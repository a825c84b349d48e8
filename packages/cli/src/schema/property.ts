/** What a property of a schema can be, seen through references and `allOf`, and where the spec says so. */
import { pointerKeys, resolveAt, pointerTo, type Document, type Schema } from '@specwright/server';
import type { Limits } from './checks.ts';
import type { Facts } from './column.ts';

type Keys = readonly (string | number)[];

export interface PropertyFacts extends Facts {
  readonly required: boolean;
  /** Where it is said; where it is not, the property. */
  readonly place: (keyword: string) => Keys;
}

const INTEGERS: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  int32: { minimum: -2147483648, maximum: 2147483647 },
  int64: { minimum: -(2 ** 63), maximum: 2 ** 63 },
};

/** A keyword and its place: of the schema itself, or of what it refers to or consists of. */
function find(document: Document, schema: Schema, path: Keys, keyword: string): { value: unknown; path: Keys } | undefined {
  const { value: own, pointer } = resolveAt<Schema>(document, schema, pointerTo(...path));
  const here = pointerKeys(pointer);
  if (own[keyword] !== undefined) return { value: own[keyword], path: [...here, keyword] };
  for (const [i, part] of (own.allOf ?? []).entries()) {
    const found = find(document, part, [...here, 'allOf', i], keyword);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of the properties of a schema of components. */
export function propertiesOf(document: Document, schema: string): string[] {
  const path = ['components', 'schemas', schema];
  const { value } = find(document, document.components?.schemas?.[schema] ?? {}, path, 'properties') ?? {};
  return Object.keys((value as object | undefined) ?? {});
}

/** @returns `undefined` if the schema has no such property. */
export function propertyFacts(document: Document, schema: string, name: string): PropertyFacts | undefined {
  const root = ['components', 'schemas', schema];
  const owner = document.components?.schemas?.[schema] ?? {};
  const properties = find(document, owner, root, 'properties');
  const property = (properties?.value as Record<string, Schema> | undefined)?.[name];
  if (properties === undefined || property === undefined) return undefined;

  const path = [...properties.path, name];
  const say = (keyword: string) => find(document, property, path, keyword);
  const required = find(document, owner, root, 'required');
  const [type, format] = [say('type')?.value as string | undefined, say('format')?.value as string | undefined];
  const number = (keyword: string, exclusive: string, step: number) => {
    const value = say(keyword)?.value;
    return typeof value === 'number' && say(exclusive)?.value === true ? value + step : (value as number | undefined);
  };
  const limits: { -readonly [K in keyof Limits]: Limits[K] | undefined } = {
    minimum: number('minimum', 'exclusiveMinimum', 1) ?? INTEGERS[format ?? '']?.minimum,
    maximum: number('maximum', 'exclusiveMaximum', -1) ?? INTEGERS[format ?? '']?.maximum,
    minLength: say('minLength')?.value as number | undefined,
    maxLength: say('maxLength')?.value as number | undefined,
    enum: (say('enum')?.value as unknown[] | undefined)?.filter((value) => value !== null) as string[] | undefined,
    pattern: say('pattern')?.value as string | undefined,
  };
  return {
    ...limits,
    type: type ?? 'any',
    format,
    nullable: say('nullable')?.value === true,
    default: say('default')?.value,
    required: Array.isArray(required?.value) && required.value.includes(name),
    place: (keyword) => (keyword === 'required' ? undefined : say(keyword)?.path) ?? path,
  };
}
