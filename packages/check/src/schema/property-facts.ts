/** What a property of a schema allows, with references and `allOf` resolved, and where the spec defines it. */
import { pointerKeys, resolveAt, pointerTo, type Document, type Schema } from '@specwright/server/document';
import type { Limits } from '@specwright/cli/project';
import type { Facts } from './column-facts.ts';

type Keys = readonly (string | number)[];

export interface PropertyFacts extends Facts {
  readonly required: boolean;
  readonly readOnly: boolean;
  /** The path of a keyword; without it, of the property. */
  readonly pathOf: (keyword: string) => Keys;
}

const INTEGERS: Readonly<Record<string, { minimum: number; maximum: number }>> = {
  int32: { minimum: -2147483648, maximum: 2147483647 },
  int64: { minimum: -(2 ** 63), maximum: 2 ** 63 },
};

/** A keyword with its path: of the schema itself, of its reference, or of a part of its `allOf`. */
function findKeyword(document: Document, schema: Schema, path: Keys, keyword: string): { value: unknown; path: Keys } | undefined {
  const { value: own, pointer } = resolveAt<Schema>(document, schema, pointerTo(...path));
  const here = pointerKeys(pointer);
  if (own[keyword] !== undefined) return { value: own[keyword], path: [...here, keyword] };
  for (const [i, part] of (own.allOf ?? []).entries()) {
    const found = findKeyword(document, part, [...here, 'allOf', i], keyword);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The names of the properties of a schema of components. */
export function propertiesOf(document: Document, schema: string): string[] {
  const path = ['components', 'schemas', schema];
  const { value } = findKeyword(document, document.components?.schemas?.[schema] ?? {}, path, 'properties') ?? {};
  return Object.keys((value as object | undefined) ?? {});
}

/** @returns `undefined` if the schema has no such property. */
export function propertyFacts(document: Document, schema: string, name: string): PropertyFacts | undefined {
  const root = ['components', 'schemas', schema];
  const owner = document.components?.schemas?.[schema] ?? {};
  const properties = findKeyword(document, owner, root, 'properties');
  const property = (properties?.value as Record<string, Schema> | undefined)?.[name];
  if (properties === undefined || property === undefined) return undefined;

  const path = [...properties.path, name];
  const keywordOf = (keyword: string) => findKeyword(document, property, path, keyword);
  const required = findKeyword(document, owner, root, 'required');
  const [type, format] = [keywordOf('type')?.value as string | undefined, keywordOf('format')?.value as string | undefined];
  const number = (keyword: string, exclusive: string, step: number) => {
    const value = keywordOf(keyword)?.value;
    return typeof value === 'number' && keywordOf(exclusive)?.value === true ? value + step : (value as number | undefined);
  };
  const limits: { -readonly [K in keyof Limits]: Limits[K] | undefined } = {
    minimum: number('minimum', 'exclusiveMinimum', 1) ?? INTEGERS[format ?? '']?.minimum,
    maximum: number('maximum', 'exclusiveMaximum', -1) ?? INTEGERS[format ?? '']?.maximum,
    minLength: keywordOf('minLength')?.value as number | undefined,
    maxLength: keywordOf('maxLength')?.value as number | undefined,
    enum: (keywordOf('enum')?.value as unknown[] | undefined)?.filter((value) => value !== null) as string[] | undefined,
    pattern: keywordOf('pattern')?.value as string | undefined,
  };
  return {
    ...limits,
    type: type ?? 'any',
    format,
    nullable: keywordOf('nullable')?.value === true,
    default: keywordOf('default')?.value,
    required: Array.isArray(required?.value) && required.value.includes(name),
    readOnly: keywordOf('readOnly')?.value === true,
    pathOf: (keyword) => (keyword === 'required' ? undefined : keywordOf(keyword)?.path) ?? path,
  };
}
