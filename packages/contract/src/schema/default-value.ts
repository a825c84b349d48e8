/** The defaults of a contract that are filled into requests: those that their own schemas accept. */
import { FORMATS } from './formats.ts';
import {
  isObject,
  listOperations,
  parametersOf,
  resolve,
  wholeQueriesOf,
  type Document,
  type RequestBody,
  type Schema,
} from '../document/openapi.ts';
import { branchesOf, declaredDefault, formatOf, itemsOf, limitsOf, patternOf, typesOf, valuesOf } from './model.ts';
import { schemasBelow } from '../document/subschemas.ts';
import { itemSchemaOf } from './item-schema.ts';
import { compilePattern } from '../patterns/pattern.ts';

/**
 * The value that an absent parameter or property gets. A number or boolean that is written as a text is what the text says.
 *
 * @returns `undefined` without one, and for one that the schema itself rejects: every request that leaves it out would be rejected.
 */
export function defaultOf(document: Document, schema: Schema): unknown {
  const given = declaredDefault(schema);
  if (given === undefined) return undefined;
  return [given, parsed(given)].find((value) => value !== undefined && isAccepted(document, schema, value));
}

function parsed(value: unknown): unknown {
  if (typeof value === 'string' && /^(-?\d+(\.\d+)?|true|false)$/.test(value)) return JSON.parse(value.replace(/^(-?)0+(?=\d)/, '$1'));
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
};

/** Whether a value is valid, as far as a schema says it in keywords of scalars, lists and compositions. */
function isAccepted(document: Document, reference: Schema, value: unknown): boolean {
  const schema = resolve<Schema>(document, reference);
  const { allOf, oneOf, anyOf } = branchesOf(schema);
  const items = itemsOf(schema);
  const types = typesOf(schema);
  if (valuesOf(schema)?.some((one) => JSON.stringify(one) === JSON.stringify(value)) === false) return false;
  if (types.length > 0 && !types.some((type) => TYPES[type]?.(value) !== false)) return false;
  if (typeof value === 'string' && !isAcceptedText(schema, value)) return false;
  if (typeof value === 'number' && !isWithin(schema, value)) return false;
  if (Array.isArray(value) && items !== undefined && !value.every((one) => isAccepted(document, items, one))) return false;
  return (
    allOf.every((part) => isAccepted(document, part, value)) &&
    [oneOf, anyOf].every((parts) => parts.length === 0 || parts.some((part) => isAccepted(document, part, value)))
  );
}

function isAcceptedText(schema: Schema, text: string): boolean {
  const { minLength = 0, maxLength = Infinity } = limitsOf(schema);
  const pattern = patternOf(schema);
  const known = FORMATS[formatOf(schema) ?? ''];
  if (known instanceof RegExp ? !known.test(text) : isObject(known) && known['type'] === 'string' && !isOfFormat(known, text)) return false;
  if (pattern !== undefined && compilePattern(pattern)?.expression.test(text) === false) return false;
  return text.length >= minLength && text.length <= maxLength;
}

const isOfFormat = ({ validate }: Record<string, unknown>, text: string): boolean => (validate as (text: string) => boolean)(text);

function isWithin(schema: Schema, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum, exclusiveMaximum } = limitsOf(schema);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return false;
  return value >= minimum && value <= maximum && !(exclusiveMaximum !== undefined && value >= exclusiveMaximum);
}

const DEFAULTED = ['properties', 'allOf', 'items', 'additionalProperties', 'unevaluatedProperties'];

/** The schemas of requests that defaults are looked for in. */
export function schemasWithDefaults(document: Document): ReadonlySet<Schema> {
  const roots = listOperations(document).flatMap((operation) => {
    const { requestBody } = operation.operation;
    const { content = {} } = requestBody === undefined ? {} : resolve<RequestBody>(document, requestBody);
    const ofBodies = Object.entries(content).map(([type, media]) => itemSchemaOf(type, media)?.schema ?? media.schema);
    const queries = wholeQueriesOf(document, operation).flatMap(({ value }) => Object.values(value.content ?? {}));
    return [...[...parametersOf(document, operation), ...queries].map(({ schema }) => schema), ...ofBodies].filter(
      (schema) => schema !== undefined,
    );
  });
  return new Set(schemasBelow(document, roots, (keyword) => DEFAULTED.includes(keyword)));
}

/** A default for one value: no two requests share an object. Texts and numbers, which most defaults are, need no copy. */
export const copyDefault = (value: unknown): unknown => (typeof value === 'object' ? structuredClone(value) : value);

/**
 * Creates the values of a parameter that is absent, one for each request.
 *
 * @param convert gets a copy of the default. @returns `undefined` for a schema without one.
 */
export function createDefault(document: Document, schema: Schema, convert?: (value: unknown) => unknown): (() => unknown) | undefined {
  const declared = defaultOf(document, schema);
  if (declared === undefined) return undefined;
  const value = convert === undefined ? declared : convert(structuredClone(declared));
  return () => copyDefault(value);
}
