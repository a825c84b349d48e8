/** In what a property and the column that holds it differ. */
import type { Limits } from './checks.ts';
import type { ColumnFacts } from './column.ts';
import type { PropertyFacts } from './property.ts';

/** What a schema is to its table: a record as it is read, as it is made, or changes to it (RFC 7396). */
export type Kind = 'read' | 'create' | 'patch';

/** One aspect in which a property and a column differ; `limit`: the keyword whose constraint it is. */
export interface Difference {
  readonly aspect: string;
  readonly spec: string;
  readonly column: string;
  readonly limit?: keyof Limits;
}

/** A bound at the end of what a bigint holds is none. */
const show = (value: unknown) =>
  value === undefined || Math.abs(Number(value)) >= 2 ** 63 ? 'none' : Array.isArray(value) ? value.join(', ') : JSON.stringify(value);

/** In what a property and its column differ. */
export function* differences(kind: Kind, property: PropertyFacts, column: ColumnFacts): Generator<Difference> {
  if (property.type !== column.type) {
    yield { aspect: 'type', spec: property.type, column: column.type };
    return;
  }
  if (column.format !== undefined && property.format !== column.format) {
    yield { aspect: 'format', spec: show(property.format), column: column.format };
  }
  yield* nullability(kind, property, column);
  if (property.default !== undefined && column.default !== undefined && column.default !== null && property.default !== column.default) {
    yield { aspect: 'default', spec: show(property.default), column: show(column.default) };
  }
  const [mayBe, canBe] = [property.enum, column.enum].map((values) => values && [...values].sort());
  if (show(mayBe) !== show(canBe)) yield { aspect: 'enum', spec: show(property.enum), column: show(column.enum) };
  if (column.pattern !== undefined && property.pattern !== column.pattern) {
    yield { aspect: 'pattern', spec: show(property.pattern), column: show(column.pattern) };
  }
  const hasLength = property.type === 'string' && mayBe === undefined && canBe === undefined && column.format === undefined;
  for (const key of property.type === 'integer'
    ? (['minimum', 'maximum'] as const)
    : hasLength
      ? (['minLength', 'maxLength'] as const)
      : []) {
    const [spec, held] = key === 'minLength' ? [property[key] ?? 0, column[key] ?? 0] : [property[key], column[key]];
    if (spec !== held) yield { aspect: key, spec: show(spec), column: show(held) };
  }
}

/** In this contract a value that the database does not have is absent, or `null` where the spec says so. */
function* nullability(kind: Kind, property: PropertyFacts, column: ColumnFacts): Generator<Difference> {
  const said = column.nullable ? 'NULL' : 'NOT NULL';
  const spec = `${property.required ? 'required' : 'optional'}${property.nullable ? ', nullable' : ''}`;
  const canLack = !property.required || property.nullable;
  const hasDefault = property.default !== undefined || column.default !== undefined;
  const differs = {
    read: canLack !== column.nullable,
    create: !column.nullable && (property.nullable || (!property.required && !hasDefault)),
    patch: property.nullable !== column.nullable,
  }[kind];
  if (differs) yield { aspect: property.nullable && !column.nullable ? 'nullable' : 'required', spec, column: said };
}
