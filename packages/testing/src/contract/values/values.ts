/** Values that fit a schema: its example or default, or else generated ones, the same in every run. */
import { createGenerator } from 'json-schema-faker';
import { follow, type Json, type SpecMedia } from '../document.ts';

/** Longer texts and lists test nothing more, and a schema may allow megabytes. */
const MAX_LENGTH = 100;
const MAX_ITEMS = 3;

const OPTIONS = { seed: 1, alwaysFakeOptionals: false, optionalsProbability: 0, maxDepth: 6 } as const;
const bounded = new WeakMap<Json, Json>();

/** @throws Error if no value can be made of the schema. */
export async function valueOf(document: Json, schema: Json | undefined): Promise<unknown> {
  const resolved = schema === undefined ? {} : follow(document, schema).value;
  const [first] = (resolved['enum'] as unknown[] | undefined) ?? [];
  const given = resolved['example'] ?? resolved['default'] ?? first;
  if (given !== undefined) return given;
  // Of an object without properties the generator would make one of everything that it can reach.
  const isBare = resolved['type'] === 'object' && !Object.keys(resolved).some((key) => /propert|allOf|oneOf|anyOf/i.test(key));
  if (isBare) return {};
  let whole = bounded.get(document);
  if (whole === undefined)
    bounded.set(document, (whole = prepareSchema({ components: document['components'], paths: document['paths'] }) as Json));
  return createGenerator(OPTIONS).generate({ ...(prepareSchema(resolved) as Json), ...whole });
}

/** The example of a parameter or body, or else a value of its schema. @throws Error if no value can be made. */
export async function exampleOf(document: Json, media: SpecMedia): Promise<unknown> {
  const [first] = exampleValues(document, media);
  return first ?? (await valueOf(document, media.schema));
}

/** The examples of a parameter or body. */
export const exampleValues = (document: Json, { example, examples = {} }: SpecMedia): unknown[] =>
  [example, ...Object.values(examples).map((one) => follow<{ value?: unknown }>(document, one).value.value)].filter(
    (value) => value !== undefined,
  );

/** Schemas as the generator needs them: with small upper bounds of lengths, and as many required properties as there have to be. */
export function prepareSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prepareSchema);
  if (typeof value !== 'object' || value === null) return value;
  const node: Record<string, unknown> = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, prepareSchema(part)]));
  for (const [upper, lower, most] of [
    ['maxLength', 'minLength', MAX_LENGTH],
    ['maxItems', 'minItems', MAX_ITEMS],
  ] as const)
    if (typeof node[upper] === 'number') node[upper] = Math.min(node[upper], Math.max(most, Number(node[lower] ?? 0)));
  // The generator adds no optional property where there can be no others.
  const { properties, minProperties, required = [] } = node;
  if (typeof minProperties === 'number' && typeof properties === 'object' && properties !== null && Array.isArray(required)) {
    const optional = Object.entries(properties as Json).filter(
      ([name, schema]) => !required.includes(name) && (schema as Json | null)?.['readOnly'] !== true,
    );
    const added = optional.slice(0, Math.max(0, minProperties - required.length)).map(([name]) => name);
    if (added.length > 0) node['required'] = [...(required as unknown[]), ...added];
  }
  return node;
}
