/** The differences between a property and its column. */
import type { Limits } from '../database/check-constraints.ts';
import type { ColumnFacts, PropertyFacts } from './property-facts.ts';

/** What a schema describes: a record that is read, one that is created, or a patch (RFC 7396). */
export type Kind = 'read' | 'create' | 'patch';

/** A difference; `limit`: the keyword whose constraint causes it. */
export interface Difference {
  readonly aspect: string;
  readonly spec: string;
  readonly column: string;
  readonly limit?: keyof Limits;
}

/** The bounds of a bigint count as none. */
const formatValue = (value: unknown) =>
  value === undefined || Math.abs(Number(value)) >= 2 ** 63 ? 'none' : Array.isArray(value) ? value.join(', ') : JSON.stringify(value);

export function* differences(kind: Kind, property: PropertyFacts, column: ColumnFacts): Generator<Difference> {
  if (property.type !== column.type) {
    yield { aspect: 'type', spec: property.type, column: column.type };
    return;
  }
  if (column.format !== undefined && property.format !== column.format) {
    yield { aspect: 'format', spec: formatValue(property.format), column: column.format };
  }
  yield* nullability(kind, property, column);
  if (property.default !== undefined && column.default !== undefined && column.default !== null && property.default !== column.default) {
    yield { aspect: 'default', spec: formatValue(property.default), column: formatValue(column.default) };
  }
  const [specEnum, columnEnum] = [property.enum, column.enum].map((values) => values && [...values].sort());
  if (formatValue(specEnum) !== formatValue(columnEnum))
    yield { aspect: 'enum', spec: formatValue(property.enum), column: formatValue(column.enum) };
  if (column.pattern !== undefined && property.pattern !== column.pattern) {
    yield { aspect: 'pattern', spec: formatValue(property.pattern), column: formatValue(column.pattern) };
  }
  const hasLength = property.type === 'string' && specEnum === undefined && columnEnum === undefined && column.format === undefined;
  if (property.type === 'integer') yield* limitDifferences(['minimum', 'maximum'], property, column);
  else if (hasLength) yield* limitDifferences(['minLength', 'maxLength'], property, column);
}

function* limitDifferences(
  keys: readonly ('minimum' | 'maximum' | 'minLength' | 'maxLength')[],
  property: PropertyFacts,
  column: ColumnFacts,
): Generator<Difference> {
  for (const key of keys) {
    const least = key === 'minLength' ? 0 : undefined;
    const [spec, actual] = [formatValue(property[key] ?? least), formatValue(column[key] ?? least)];
    if (spec !== actual) yield { aspect: key, spec, column: actual };
  }
}

/** A NULL is an absent property, or `null` where the spec allows it. */
function* nullability(kind: Kind, property: PropertyFacts, column: ColumnFacts): Generator<Difference> {
  const nullness = column.nullable ? 'NULL' : 'NOT NULL';
  const spec = `${property.required ? 'required' : 'optional'}${property.nullable ? ', nullable' : ''}`;
  const canLack = !property.required || property.nullable;
  const hasDefault = property.default !== undefined || column.default !== undefined;
  const differs = {
    read: canLack !== column.nullable,
    create: !column.nullable && (property.nullable || (!property.required && !hasDefault)),
    patch: property.nullable !== column.nullable,
  }[kind];
  if (differs) yield { aspect: property.nullable && !column.nullable ? 'nullable' : 'required', spec, column: nullness };
}
