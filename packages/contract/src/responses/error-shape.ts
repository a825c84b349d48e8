/** Finds the place for the message of an error in a schema, and makes values of that schema. */
import { resolve, type Document, type Schema } from '../document/openapi.ts';
import {
  additionalOf,
  alternativesOf,
  discriminatorOf,
  formatOf,
  itemsOf,
  limitsOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  typeOf,
  valuesOf,
  wholeOf,
} from '../schema/model.ts';
import { type DocumentModules, moduleOf } from '../document-modules.ts';
import {
  byField,
  isLocation,
  knownValue,
  listProblems,
  minimalValue,
  normalized,
  type ErrorParts,
  type Made,
  type Rank,
  type Shape,
} from './error-values.ts';

/** What properties of errors are usually called, the most telling first. */
const MESSAGE = ['message', 'detail', 'errordescription', 'errormessage', 'description', 'reason', 'msg', 'details', 'explanation', 'text'];
const MESSAGE_LIKE = /(message|msg|description|detail|reason)s?$/;
/** These say what is wrong only where nothing else does. */
const SHORT_MESSAGE = ['errors', 'error', 'title', 'summary'];
/** What may contain the message of an error. */
const CONTAINER = /err|fault|problem|message|detail|issue|violation|reason|exception|failure|status/;

/** `undefined` for a schema whose values cannot hold a message. */
export type ShapeOf = (schema: Schema) => Shape | undefined;

export const whole = ({ code, message, status }: ErrorParts) => ({ code, message, status });
const TEXT: Shape = { rank: 1, make: ({ message }) => message };

export const WHOLE: Shape = { rank: 1, make: whole };

/** Each schema once: those of a large contract refer to each other, and to themselves. */
export function createShapes(document: Document, modules: Pick<DocumentModules, 'branches'>): ShapeOf {
  const shapes = new Map<Schema, Shape | undefined>();
  return function shapeOf(reference) {
    const schema = resolve<Schema>(document, reference);
    if (shapes.has(schema)) return shapes.get(schema);
    shapes.set(schema, undefined);
    const parts = [...wholeOf(document, schema)];
    const alternatives = parts.flatMap(alternativesOf);
    const candidates = alternatives.map((alternative) =>
      withTag(document, modules, parts, alternative, shapeOfParts(document, [...parts, ...wholeOf(document, alternative)], shapeOf)),
    );
    // A value has to be of one of the alternatives, though without them it would have a better place for the message.
    const found = candidates.reduce((best, shape) => ((shape?.rank ?? -1) > (best?.rank ?? -1) ? shape : best), undefined);
    const best = found ?? shapeOfParts(document, parts, shapeOf);
    shapes.set(schema, best);
    return best;
  };
}

/** A value of an alternative names it, where a discriminator asks for that. */
function withTag(
  document: Document,
  modules: Pick<DocumentModules, 'branches'>,
  parts: readonly Schema[],
  alternative: Schema,
  shape: Shape | undefined,
): Shape | undefined {
  const { propertyName, mapping } = parts.map(discriminatorOf).find((one) => one !== undefined) ?? {};
  if (shape === undefined || propertyName === undefined || referenceOf(alternative) === undefined) return shape;
  const [tag] = moduleOf(modules, 'branches').tagsOf(document, propertyName, mapping ?? {}, alternative);
  return tag === undefined ? shape : { ...shape, make: (error) => ({ ...(shape.make(error) as object), [propertyName]: tag }) };
}

function shapeOfParts(document: Document, parts: readonly Schema[], shapeOf: ShapeOf): Shape | undefined {
  const type = parts.map(typeOf).find((one) => one !== undefined);
  if (type === 'string') return parts.some((part) => valuesOf(part) !== undefined || formatOf(part) !== undefined) ? undefined : TEXT;
  if (type === 'array') {
    const items = allOf(document, parts.map(itemsOf));
    const inner = items && shapeOf(items);
    const max = parts.map((part) => limitsOf(part).maxItems ?? Infinity).reduce((a, b) => Math.min(a, b), Infinity);
    return inner && { ...inner, make: (error) => listProblems(error, inner).slice(0, max).map(inner.make) };
  }
  if (type !== undefined && type !== 'object') return undefined;
  const properties = propertiesOfParts(document, parts);
  const required = parts.flatMap(requiredOf);
  if (Object.keys(properties).length > 0) return objectShape(document, properties, required, shapeOf);
  const map = parts.map(additionalOf).find((one) => one !== undefined);
  if (map === false) return undefined;
  if (typeof map !== 'object' || Object.keys(map).length === 0) return WHOLE;
  const inner = shapeOf(map);
  return inner && { rank: 2, make: (error) => (error.problems === undefined ? { message: inner.make(error) } : byField(error, inner)) };
}

/** The properties of parts that a value has to satisfy all: one that several parts declare has to be what each of them says. */
function propertiesOfParts(document: Document, parts: readonly Schema[], merged: readonly Schema[] = []): Record<string, Schema> {
  const properties: Record<string, Schema> = {};
  for (const name of new Set(parts.flatMap((part) => Object.keys(propertiesOf(part))))) {
    const schema = allOf(document, parts.map((part) => propertiesOf(part)[name]), merged); // prettier-ignore
    if (schema !== undefined) properties[name] = schema;
  }
  return properties;
}

/**
 * One schema for several that a value has to satisfy, as far as errors need it.
 *
 * @param merged those that contain it: schemas that contain each other are merged once, deeper the first one stands for all.
 */
function allOf(document: Document, given: readonly (Schema | undefined)[], merged: readonly Schema[] = []): Schema | undefined {
  const declared = given.filter((schema) => schema !== undefined).map((schema) => resolve<Schema>(document, schema));
  const parts = [...new Set(declared)];
  if (parts.length <= 1 || parts.every((part) => merged.includes(part))) return given.find((schema) => schema !== undefined);
  const containing = [...merged, ...parts];
  const items = allOf(document, parts.map(itemsOf), containing);
  const properties = propertiesOfParts(document, parts, containing);
  return Object.assign({}, ...parts, items && { items }, Object.keys(properties).length > 0 && { properties }, {
    required: parts.flatMap(requiredOf),
  }) as Schema;
}

function objectShape(document: Document, properties: Record<string, Schema>, required: readonly string[], shapeOf: ShapeOf): Shape {
  const fields = Object.entries(properties).map(([name, property]) =>
    fieldOf(document, name, resolve<Schema>(document, property), shapeOf),
  );
  const [place] = fields.filter(({ rank }) => rank > 0).sort((a, b) => b.rank - a.rank || a.order - b.order);
  const makes = fields.map(({ name, make, known, minimal }): [string, Shape['make']] => {
    if (name === place?.name && make !== undefined) return [name, make];
    return [name, (error) => known(error) ?? (required.includes(name) ? minimal(error) : undefined)];
  });
  const make = (error: Made) =>
    Object.fromEntries<unknown>(makes.map(([name, of]) => [name, of(error)] as const).filter(([, value]) => value !== undefined));
  const names = Object.keys(properties);
  return { rank: place?.rank ?? 0, make, names, hasLocation: names.some((name) => isLocation(normalized(name))) };
}

/** A property that may hold the message. Of several of one rank the first by `order` does. */
interface Field extends Partial<Shape> {
  readonly name: string;
  readonly rank: Rank;
  readonly order: number;
  /** What its name says it is: the code, the status, whether the request succeeded. */
  readonly known: Shape['make'];
  /** A value for a property that is only required. */
  readonly minimal: Shape['make'];
}

function fieldOf(document: Document, name: string, schema: Schema, shapeOf: ShapeOf): Field {
  const key = normalized(name);
  const shape = shapeOf(schema);
  const values = { name, known: knownValue(schema, key, shape), minimal: minimalValue(document, schema, shape, key) };
  if (shape === undefined) return { ...values, rank: 0, order: 0 };
  const { rank, make } = shape;
  const [index, last] = [MESSAGE.indexOf(key), SHORT_MESSAGE.indexOf(key)];
  if (typeOf(schema) === 'string') {
    if (index !== -1) return { ...values, make, rank: 3, order: index };
    if (last !== -1) return { ...values, make, rank: 3, order: 50 + last };
    return { ...values, make, rank: MESSAGE_LIKE.test(key) ? 3 : 0, order: 30 };
  }
  const isContainer = CONTAINER.test(key);
  return { ...values, make, rank: isContainer && rank === 1 ? 2 : rank, order: isContainer ? 40 : 60 };
}
