/** Divides schemas that are much to compile at once: compiling must not hold the event loop. */
import type { CompilerSchema, NormalizedSchema, SchemaReference } from './compiler-schema.ts';

/** How many schemas are compiled at once. One takes some 0.1 ms. */
const MAX_WEIGHT = 50;

/** Makes a part of a schema a schema of its own in the set. */
export type Extract = (part: NormalizedSchema) => SchemaReference;

/** A heavy schema becomes a reference. What its holder reads of a property stays beside it. */
function lighten(part: NormalizedSchema, extract: Extract): NormalizedSchema {
  if (part.weight <= MAX_WEIGHT) return part;
  const { default: filled, readOnly, ...schema } = part.schema;
  const reference = extract({ ...part, schema });
  if (filled !== undefined) reference.holder['default'] = filled;
  if (readOnly !== undefined) reference.holder['readOnly'] = readOnly;
  return { schema: reference.holder, references: [reference], weight: 1 };
}

/**
 * Divides the properties of a schema: one that is heavy becomes a reference, and many that are heavy together become several schemas.
 *
 * @returns schemas with `properties`, which hold together: one, if they are light.
 */
export function divideProperties(properties: Iterable<readonly [string, NormalizedSchema]>, extract: Extract): NormalizedSchema[] {
  const groups: { names: CompilerSchema; references: SchemaReference[]; weight: number }[] = [];
  for (const [name, property] of properties) {
    const { schema, references, weight } = lighten(property, extract);
    let group = groups.at(-1);
    if (group === undefined || group.weight + weight > MAX_WEIGHT) groups.push((group = { names: {}, references: [], weight: 0 }));
    // `__proto__` is a name like any other.
    Object.defineProperty(group.names, name, { value: schema, enumerable: true, configurable: true, writable: true });
    group.references.push(...references);
    group.weight += weight;
  }
  return groups.map(({ names, references, weight }) => ({ schema: { properties: names }, references, weight }));
}
