/** The set of a document's schemas, normalized for the compiler. */
import { modelOf } from './build-model.ts';
import { referenceTo, type Direction, type NormalizedSchema, type PatternTest } from './compiler-schema.ts';
import { createDynamicScopes, type DynamicScope } from './dynamic-scope.ts';
import { createNormalizer } from './normalize-schema.ts';
import { pointerKeys, pointerTo, valueAt, type Document } from '../document/openapi.ts';

export interface SchemaSet {
  readonly nameOf: (pointer: string) => string;
  readonly named: (name: string) => NormalizedSchema;
  /** Patterns that the compiler cannot read or must not run on any text, as formats by name. Grows as schemas are normalized. */
  readonly patterns: ReadonlyMap<string, PatternTest>;
}

/** Each schema is normalized when it is first used. */
export function createSchemaSet(given: Document, direction: Direction): SchemaSet {
  const document = modelOf(given);
  const scopes = createDynamicScopes(document);
  const names = new Map<string, string>();
  const origins = new Map<string, { pointer: string; scope: DynamicScope }>();
  const schemas = new Map<string, NormalizedSchema>();
  const patterns = new Map<string, PatternTest>();
  let lastName = 0;
  const newName = (): string => `s${++lastName}`;

  const nameIn = (pointer: string, outer: DynamicScope): string => {
    // A pointer can be percent-encoded in several ways.
    const canonical = pointerTo(...pointerKeys(pointer));
    const scope = scopes.enter(outer, canonical);
    const key = `${canonical} ${scope.key}`;
    let name = names.get(key);
    if (name === undefined) {
      names.set(key, (name = newName()));
      origins.set(name, { pointer: canonical, scope });
    }
    return name;
  };
  const extract = (part: NormalizedSchema) => {
    const name = newName();
    schemas.set(name, part);
    return referenceTo(name);
  };
  const normalize = createNormalizer({ document, direction, scopes, patterns, nameIn, extract });
  const named = (name: string): NormalizedSchema => {
    let normalized = schemas.get(name);
    if (normalized === undefined) {
      const { pointer = '#', scope = scopes.outermost } = origins.get(name) ?? {};
      const target = valueAt(document, pointerKeys(pointer));
      if (target === undefined) throw new Error(`${pointer} does not exist`);
      schemas.set(name, (normalized = normalize(target, scope)));
    }
    return normalized;
  };
  return { nameOf: (pointer) => nameIn(pointer, scopes.outermost), named, patterns };
}
