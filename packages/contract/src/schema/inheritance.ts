/**
 * Inheritance: schemas that build on one with a discriminator by `allOf` are its alternatives (OpenAPI 3.0.4, Discriminator Object). Where the
 * parent is used, it becomes a `oneOf` of them; where they build on it, they refer to its own keywords, which are a schema in its `$defs`.
 */
import { type Document, isObject, pointerKeys, pointerTo } from '../document/openapi.ts';
import { mapSchemas } from '../document/visit-schemas.ts';
import { ABSENT_MAPPING } from './model.ts';
import { SchemaFamilies, type Parent } from './schema-families.ts';

type Keywords = Readonly<Record<string, unknown>>;

const known = new WeakMap<Document, Document>();

/** The document with the alternatives of each parent; the given one if it has no parents. Its references are JSON pointers. */
export function withInheritance(document: Document): Document {
  let made = known.get(document);
  if (made !== undefined) return made;
  const parents = new SchemaFamilies(document).parents();
  made = parents.size === 0 ? document : replaceParents(document, parents);
  known.set(document, made).set(made, made);
  return made;
}

/** `Pet` -> `PetBase`: the key of its own keywords in `$defs`, which is the name of their type. */
const baseNameOf = (name: string): string => `${name}Base`;
/** What an object is that is of a closed parent and of none of its children. */
const itselfNameOf = (name: string): string => `${name}Itself`;

/** Where a part of a parent was written: its own keywords were beside the discriminator. @returns the keys without those of `$defs`. */
export const withoutBase = (keys: readonly (string | number)[]): readonly (string | number)[] => {
  const [, , name, keyword, base] = keys;
  const isBase = keyword === '$defs' && (base === baseNameOf(String(name)) || base === itselfNameOf(String(name)));
  return isBase ? [...keys.slice(0, 3), ...keys.slice(5)] : keys;
};

const pointerOf = (name: string): string => pointerTo('components', 'schemas', name);
const baseOf = (name: string): string => pointerTo('components', 'schemas', name, '$defs', baseNameOf(name));
/** An alternative of a parent: one that the same property selects from others is that itself, none of its children. */
function alternativeOf({ name: own, heirs, alternatives }: Parent, name: string, parents: ReadonlyMap<string, Parent>): string {
  const other = parents.get(name);
  const isItself = name === own || (heirs.has(name) && other?.alternatives?.propertyName === alternatives?.propertyName);
  if (other === undefined || !isItself) return pointerOf(name);
  return other.isClosed ? pointerTo('components', 'schemas', name, '$defs', itselfNameOf(name)) : baseOf(name);
}

function replaceParents(document: Document, parents: ReadonlyMap<string, Parent>): Document {
  const isDraft = /^3\.0/.test(document.openapi);
  const bases = new Map<string, Set<string>>();
  const closedOnes = new Set<string>();
  for (const { name, heirs } of parents.values())
    for (const [heir, { isClosed }] of heirs) {
      bases.set(heir, (bases.get(heir) ?? new Set()).add(name));
      if (isClosed) closedOnes.add(heir);
    }
  const schemas = Object.entries(document.components?.schemas ?? {}).map(([name, given]): [string, unknown] => {
    const parent = parents.get(name);
    const above = bases.get(name);
    const schema: Keywords = above === undefined ? (given as Keywords) : toBases(given as Keywords, above);
    if (parent !== undefined) return [name, asParent(schema, parent, parents, isDraft)];
    return [name, closedOnes.has(name) ? { ...open(schema), unevaluatedProperties: false } : schema];
  });
  const replaced = { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } } as Document;
  return mapSchemas(replaced, undefined, (schema) => [isObject(schema) ? toKeywords(schema, parents) : schema, () => undefined]);
}

/** A reference into a parent is one to its own keywords. */
function toKeywords(schema: Keywords, parents: ReadonlyMap<string, Parent>): Keywords {
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/components/schemas/')) return schema;
  const [, , name = '', keyword, ...rest] = pointerKeys($ref);
  if (keyword === undefined || !parents.has(name) || UNION_KEYWORDS.includes(keyword)) return schema;
  return { ...schema, $ref: baseOf(name) + pointerTo(keyword, ...rest).slice(1) };
}

/** In the `allOf` of a child, references to its parents are to their own keywords. */
function toBases(schema: Keywords, bases: ReadonlySet<string>): Keywords {
  let result = schema;
  const { $ref, allOf } = schema;
  if (typeof $ref === 'string' && Object.keys(schema).length > 1) result = { ...result, $ref: toBase($ref, bases) };
  if (Array.isArray(allOf))
    result = {
      ...result,
      allOf: (allOf as unknown[]).map((part) => {
        if (!isObject(part)) return part;
        return typeof part['$ref'] === 'string' ? { ...toBases(part, bases), $ref: toBase(part['$ref'], bases) } : toBases(part, bases);
      }),
    };
  return result;
}

const toBase = ($ref: string, bases: ReadonlySet<string>): string => {
  const [root, section, name = '', ...rest] = pointerKeys($ref);
  return root === 'components' && section === 'schemas' && rest.length === 0 && bases.has(name) ? baseOf(name) : $ref;
};

/** Keywords of the union: those that say nothing of a value's parts. */
const UNION_KEYWORDS: readonly unknown[] = [
  'title',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'nullable',
  'xml',
  'discriminator',
  'oneOf',
  'anyOf',
  '$defs',
  'definitions',
];

/** The union of a parent's alternatives, with its own keywords in `$defs`. */
function asParent(schema: Keywords, parent: Parent, parents: ReadonlyMap<string, Parent>, isDraft: boolean): Keywords {
  const entries = Object.entries(schema);
  const isOfUnion = (keyword: string) => UNION_KEYWORDS.includes(keyword) || keyword.startsWith('x-');
  const own: Record<string, unknown> = Object.fromEntries(entries.filter(([keyword]) => !isOfUnion(keyword)));
  const { $defs, oneOf, anyOf, discriminator, ...annotations }: Keywords = Object.fromEntries(
    entries.filter(([keyword]) => isOfUnion(keyword)),
  );
  const types = own['type'];
  const isNullable = !isDraft && Array.isArray(types) && types.includes('null');
  if (isNullable) own['type'] = types.filter((type) => type !== 'null');
  const union = {
    ...(parent.needsBase && { allOf: [{ $ref: baseOf(parent.name) }] }),
    ...(parent.alternatives === undefined
      ? {
          ...(oneOf !== undefined && { oneOf }),
          ...(anyOf !== undefined && { anyOf }),
          ...(discriminator !== undefined && { discriminator }),
        }
      : selected(parent, parent.alternatives, parents)),
  };
  return {
    ...annotations,
    ...(isNullable ? { anyOf: [union, { type: 'null' }] } : union),
    $defs: {
      ...(isObject($defs) && $defs),
      [baseNameOf(parent.name)]: parent.isClosed ? open(own) : own,
      ...(parent.isClosed && { [itselfNameOf(parent.name)]: { allOf: [{ $ref: baseOf(parent.name) }], unevaluatedProperties: false } }),
    },
  };
}

function selected(parent: Parent, alternatives: NonNullable<Parent['alternatives']>, parents: ReadonlyMap<string, Parent>): Keywords {
  const referenceOf = (name: string) => alternativeOf(parent, name, parents);
  const { propertyName, fallback, isOptional } = alternatives;
  const mapping = Object.fromEntries([...alternatives.tags].flatMap(([name, tags]) => tags.map((tag) => [tag, referenceOf(name)])));
  return {
    oneOf: [...alternatives.tags.keys()].map((name) => ({ $ref: referenceOf(name) })),
    discriminator: {
      propertyName,
      mapping,
      ...(fallback !== undefined && { defaultMapping: referenceOf(fallback) }),
      ...(fallback === undefined && isOptional && { [ABSENT_MAPPING]: referenceOf(parent.name) }),
    },
  };
}

const CLOSING = ['additionalProperties', 'unevaluatedProperties'];

/**
 * A schema that forbids what its own keywords do not name allows nothing that its child adds (JSON Schema 2020-12, core, section 10.3.2.3),
 * so that no child would have a value: tools that write `additionalProperties: false` at each part, such as NSwag, mean the whole.
 */
function open(schema: Keywords): Keywords {
  const kept = Object.entries(schema).filter(([keyword, value]) => !(CLOSING.includes(keyword) && value === false));
  const { allOf, ...rest }: Keywords = Object.fromEntries(kept);
  return Array.isArray(allOf) ? { ...rest, allOf: (allOf as unknown[]).map((part) => (isObject(part) ? open(part) : part)) } : rest;
}
