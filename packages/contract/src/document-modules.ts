/** The modules that only some documents need: a contract is loaded with those of its document. */
import type { Document } from './document/openapi.ts';
import { bodyKind } from './http/media-types.ts';

/** By the names in a document that tell that it needs a module: keywords, fields, media types. */
const COMPOSING = ['allOf', 'oneOf', 'anyOf', 'not', 'if', 'contains', 'propertyNames', 'patternProperties', 'dependentSchemas'];
const BRANCHES = ['oneOf', 'anyOf', 'discriminator', 'nullable'];
const IDENTIFIERS = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems'];
const ITEMS = ['itemSchema', 'x-item-schema'];
/** Noted for each `false`: as a schema it becomes `not`. */
const REFUSAL = 'false';
/** What holds schemas by their names: one that is named as a keyword is none. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'schemas']);
const SELDOM = [...COMPOSING, ...BRANCHES, ...UNEVALUATED, 'prefixItems', 'dependentRequired', '__proto__', REFUSAL];
const REPEATING = [...COMPOSING, ...BRANCHES, ...UNEVALUATED, '__proto__', '$dynamicRef'];

const MODULES = {
  // The model of its schemas.
  identifiers: { names: IDENTIFIERS, load: () => import('./schema/identifiers.ts') },
  inheritance: { names: ['discriminator'], load: () => import('./schema/inheritance.ts') },
  eventData: { names: ['contentSchema'], load: () => import('./schema/event-data.ts') },
  // What compiles them.
  patterns: { names: ['pattern', 'patternProperties', '__proto__'], load: () => import('./schema/pattern-keywords.ts') },
  formats: { names: ['format'], load: () => import('./schema/formats.ts') },
  branches: { names: BRANCHES, load: () => import('./schema/discriminator.ts') },
  flattenAllOf: { names: ['allOf', 'discriminator'], load: () => import('./schema/flatten-all-of.ts') },
  repeated: { names: REPEATING, load: () => import('./schema/repeated-schemas.ts') },
  verdicts: { names: REPEATING, load: () => import('./schema/verdict-cache.ts') },
  dynamicScopes: { names: IDENTIFIERS, load: () => import('./schema/dynamic-scope.ts') },
  bigIntegers: { names: ['x-int64', 'multipleOf'], load: () => import('./schema/big-integers.ts') },
  uniqueItems: { names: ['uniqueItems', 'enum', 'const'], load: () => import('./schema/unique-items.ts') },
  seldomChecks: { names: SELDOM, load: () => import('./schema/problems/seldom-checks.ts') },
  readOnly: { names: ['readOnly'], load: () => import('./schema/drop-read-only.ts') },
  defaults: { names: ['default'], load: () => import('./schema/fill-defaults.ts') },
  // What decodes requests and responses.
  defaultValues: { names: ['default'], load: () => import('./schema/default-value.ts') },
  forms: { names: ['query', 'form'], load: () => import('./requests/form-decoder.ts') },
  wholeQuery: { names: ['querystring'], load: () => import('./requests/whole-query.ts') },
  itemBodies: { names: ITEMS, load: () => import('./requests/item-bodies.ts') },
  sentItems: { names: ITEMS, load: () => import('./responses/stream-validator.ts') },
  multipart: { names: ['multipart'], load: () => import('./requests/multipart/field-decoder.ts') },
} as const;

type Modules = typeof MODULES;
type ModuleName = keyof Modules;

export type DocumentModules = { readonly [Name in ModuleName]?: Awaited<ReturnType<Modules[Name]['load']>> };

/** Loads the modules that a document may need. */
export async function loadModules(document: Document): Promise<DocumentModules> {
  const found = namesIn(document);
  const loaded = Object.entries(MODULES).map(async ([name, { names, load }]) => {
    return names.some((one) => found.has(one)) ? [[name, await load()] as const] : [];
  });
  return Object.fromEntries((await Promise.all(loaded)).flat());
}

/** @throws Error for one that the document was loaded without. */
export function moduleOf<Name extends ModuleName>(modules: DocumentModules, name: Name): NonNullable<DocumentModules[Name]> {
  const found = modules[name];
  if (found === undefined) throw new Error(`the document was loaded without the module ${name}`);
  return found;
}

/** Every name in a document, wherever it is: also those of examples, which cost a module that is not used. */
function namesIn(document: Document): ReadonlySet<string> {
  const names = new Set<string>();
  const note = (name: string, value: unknown, holder: object, outer: string): void => {
    if (name === '$ref' && typeof value === 'string') {
      // In the model, the keywords beside a reference are beside an `allOf`.
      if (Object.keys(holder).length > 1) names.add('allOf');
      if (!value.startsWith('#/') || /^#\/(\$defs|definitions)\//.test(value)) names.add('$anchor');
    } else if (name === 'in' && typeof value === 'string') names.add(value);
    else if (value === false && (name !== 'additionalProperties' || SCHEMA_MAPS.has(outer))) names.add(name).add(REFUSAL);
    else if (!names.has(name)) names.add(name).add(name.includes('/') ? bodyKind(name) : name);
  };
  /** @param outer the name that the part has in its own holder. */
  const visit = (part: Readonly<Record<string, unknown>> | readonly unknown[], outer: string): void => {
    if (Array.isArray(part)) {
      for (const value of part as readonly unknown[])
        if (typeof value === 'object' && value !== null) visit(value as readonly unknown[], '');
      return;
    }
    const named = part as Readonly<Record<string, unknown>>;
    // Faster than lists of the entries: a document may have a million.
    for (const name in named) {
      const value = named[name];
      note(name, value, named, outer);
      if (typeof value === 'object' && value !== null) visit(value as readonly unknown[], name);
    }
  };
  visit(document as never, '');
  return names;
}
