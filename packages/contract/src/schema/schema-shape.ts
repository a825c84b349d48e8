/** The shape that a schema gives its values, with references followed and compositions united. */
import { resolve, type Document, type Schema } from '../document/openapi.ts';
import {
  conditionalPartsOf,
  additionalOf,
  alternativesOf,
  branchesOf,
  isBigInteger,
  isDateObject,
  itemsOf,
  patternPropertiesOf,
  prefixItemsOf,
  propertiesOf,
  requiredOf,
  typesOf,
} from './model.ts';

export interface SchemaShape {
  /** The values of `type`, and `object` for a part that has properties and no type. Empty: any type. */
  readonly types: ReadonlySet<string>;
  /** By name, the schemas that the parts of a composition give a property. */
  readonly properties: ReadonlyMap<string, readonly Schema[]>;
  readonly required: ReadonlySet<string>;
  readonly additionalProperties: readonly Schema[];
  readonly items: readonly Schema[];
  /** Whether some part allows properties that it does not name. */
  readonly isOpen: boolean;
  /** Whether some part names its properties, or forbids undeclared ones. */
  readonly declaresProperties: boolean;
  /** Whether some part forbids undeclared ones. */
  readonly forbidsUndeclared: boolean;
  /** Whether the integers of some part are `bigint`. */
  readonly isBigInteger: boolean;
  /** Whether the texts of some part are `Date`. */
  readonly isDateObject: boolean;
}

/** The shape of a value that several schemas describe together. */
export function schemaShape(document: Document, schemas: readonly Schema[]): SchemaShape {
  const types = new Set<string>();
  const properties = new Map<string, Schema[]>();
  const additional: Schema[] = [];
  const items: Schema[] = [];
  let isOpen = false;
  let declaresProperties = false;
  let forbidsUndeclared = false;
  let isBig = false;

  const visited = new Set<Schema>();
  const add = (reference: Schema): void => {
    const schema = resolve<Schema>(document, reference);
    // A composition that contains itself adds nothing.
    if (visited.has(schema)) return;
    visited.add(schema);
    isBig ||= isBigInteger(schema);
    const named = propertiesOf(schema);
    const hasNames = Object.keys(named).length > 0;
    const own = typesOf(schema).filter((type) => type !== 'null');
    for (const type of own.length === 0 && hasNames ? ['object'] : own) types.add(type);
    for (const [name, property] of Object.entries(named)) properties.set(name, [...(properties.get(name) ?? []), property]);
    const more = additionalOf(schema);
    const byPattern = Object.values(patternPropertiesOf(schema));
    if (hasNames || more === false) declaresProperties = true;
    forbidsUndeclared ||= more === false;
    if ((more !== undefined && more !== false) || byPattern.length > 0) isOpen = true;
    if (typeof more === 'object' && Object.keys(more).length > 0) additional.push(more);
    additional.push(...byPattern);
    items.push(...[itemsOf(schema), ...prefixItemsOf(schema)].filter((item) => item !== undefined));
    for (const part of [...branchesOf(schema).allOf, ...alternativesOf(schema), ...conditionalPartsOf(schema)]) add(part);
  };
  for (const schema of schemas) add(schema);
  const required = new Set([...visited].flatMap(requiredOf));
  return {
    types,
    properties,
    required,
    additionalProperties: additional,
    items,
    isOpen,
    declaresProperties,
    forbidsUndeclared,
    isBigInteger: isBig,
    isDateObject: [...visited].some(isDateObject),
  };
}
