/** Finds the children of a parent in another file: nothing but the parent's discriminator says that they are used. */
import { type DocumentParts, isReference, type Location, type Target, UnresolvedReference } from './document-parts.ts';
import { child } from './component-names.ts';
import { isObject, pointerTo } from '../document/openapi.ts';

/**
 * The schemas beside a parent that build on it by `allOf`, or on one that does (OpenAPI 3.1.1, Discriminator Object). Those of the document's
 * own components are found in the bundled document.
 *
 * @param at where the parent is written.
 */
export function childrenInFile(parts: DocumentParts, at: Location): Target[] {
  if (at.keys.length === 0) return [];
  const around = parts.resolve(pointerTo(...at.keys.slice(0, -1)), at.file);
  if (!isObject(around.value)) return [];
  const names = Object.keys(around.value);
  const family = new Set([String(at.keys.at(-1))]);
  // What is added while a set is visited is visited too.
  for (const parent of family)
    for (const name of names)
      if (!family.has(name) && buildsOn(parts, around.value[name], at.file, child(around, parent))) family.add(name);
  return [...family].slice(1).map((name) => ({ ...child(around, name), value: (around.value as Record<string, unknown>)[name], name }));
}

function buildsOn(parts: DocumentParts, schema: unknown, file: string, parent: Location): boolean {
  if (!isObject(schema) || !Array.isArray(schema['allOf'])) return false;
  const name = String(parent.keys.at(-1));
  return (schema['allOf'] as unknown[]).some((part) =>
    isReference(part) ? part.$ref.endsWith(name) && isTarget(parts, part.$ref, file, parent) : buildsOn(parts, part, file, parent),
  );
}

function isTarget(parts: DocumentParts, reference: string, file: string, parent: Location): boolean {
  try {
    const target = parts.resolve(reference, file);
    return target.file === parent.file && pointerTo(...target.keys) === pointerTo(...parent.keys);
  } catch (error) {
    // Reported where the schema is read.
    if (!(error instanceof UnresolvedReference)) throw error;
    return false;
  }
}
