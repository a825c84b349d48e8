/** Finds the place for the message of an error in a schema, and makes values of that schema. */
import { resolve, type Document, type Schema } from '../document/openapi.ts';
import {
  additionalOf,
  alternativesOf,
  branchesOf,
  discriminatorOf,
  formatOf,
  isNullable,
  itemsOf,
  limitsOf,
  propertiesOf,
  referenceOf,
  requiredOf,
  typeOf,
  valuesOf,
} from '../schema/model.ts';
import { tagsOf } from '../schema/discriminator.ts';

/** One of the problems of a request, for programs. */
export interface ErrorProblem {
  /** The part of the request: `body`, `query`, `path`, `header` or `cookie`. */
  readonly location: string;
  /** JSON Pointer (RFC 6901) of the value in it, such as `/owner/name` or `/limit`; empty for the whole of it. */
  readonly pointer: string;
  /** The keyword of JSON Schema that the value fails, such as `required`; `invalid` where none says it. */
  readonly code: string;
  /** What is wrong, without the location. */
  readonly message: string;
}

/** What is known of an error. `status` is that of HTTP. */
export interface ErrorParts {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  /** Its problems one by one, where it has some. */
  readonly problems?: readonly ErrorProblem[] | undefined;
}

/** An error, or one of its problems, while its body is made. */
interface Made extends ErrorParts {
  readonly problem?: ErrorProblem;
  /** Whether pointers are fragments of a URI, as in `application/problem+json` (RFC 9457, section 3). */
  readonly hasFragments?: boolean;
}

/** Names are compared in lower case, without separators. */
const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/** What properties of errors are usually called, the most telling first. */
const MESSAGE = ['message', 'detail', 'errordescription', 'errormessage', 'description', 'reason', 'msg', 'details', 'explanation', 'text'];
const MESSAGE_LIKE = /(message|msg|description|detail|reason)s?$/;
/** These say what is wrong only where nothing else does. */
const SHORT_MESSAGE = ['errors', 'error', 'title', 'summary'];
const CODE = ['code', 'errorcode', 'error', 'type', 'title', 'name', 'status'];
const STATUS = ['status', 'statuscode', 'httpstatus', 'httpstatuscode', 'httpcode', 'code', 'errorcode'];
const SUCCEEDED = ['success', 'ok', 'succeeded'];
const FAILED = ['error', 'iserror', 'failed'];
/** What properties of a problem are called that say where it is. */
const LOCATION = ['location', 'in'];
const POINTER = ['pointer', 'jsonpointer', 'instancepath', 'instance'];
const FIELD = ['field', 'path', 'property', 'name', 'param', 'parameter', 'attribute', 'fieldname', 'propertypath', 'key'];
const SEGMENTS = 'loc';
const SOURCE = 'source';
/** What lists of problems are called. */
const PROBLEMS = /^(error|problem|detail|violation|issue|invalidparam|validationerror|fielderror)s?$/;
/** What may contain the message of an error. */
const CONTAINER = /err|fault|problem|message|detail|issue|violation|reason|exception|failure|status/;

/** How telling a place for the message is: its own name says what it is (3), or that of what contains it (2), or nothing (1). */
type Rank = 3 | 2 | 1 | 0;

export interface Shape {
  readonly rank: Rank;
  readonly make: (error: Made) => unknown;
  /** Whether it says where a problem is, apart from the message. */
  readonly hasLocation?: boolean;
}

/** `undefined` for a schema whose values cannot hold a message. */
export type ShapeOf = (schema: Schema) => Shape | undefined;

export const whole = ({ code, message, status }: ErrorParts) => ({ code, message, status });
export const TEXT: Shape = { rank: 1, make: ({ message }) => message };

export const WHOLE: Shape = { rank: 1, make: whole };

/** Each schema once: those of a large contract refer to each other, and to themselves. */
export function createShapes(document: Document): ShapeOf {
  const shapes = new Map<Schema, Shape | undefined>();
  return function shapeOf(reference) {
    const schema = resolve<Schema>(document, reference);
    if (shapes.has(schema)) return shapes.get(schema);
    shapes.set(schema, undefined);
    const parts = withParts(document, schema);
    const alternatives = parts.flatMap(alternativesOf);
    const candidates = [
      shapeOfParts(document, parts, shapeOf),
      ...alternatives.map((alternative) =>
        withTag(document, parts, alternative, shapeOfParts(document, [...parts, ...withParts(document, alternative)], shapeOf)),
      ),
    ];
    const best = candidates.reduce((found, shape) => ((shape?.rank ?? -1) > (found?.rank ?? -1) ? shape : found), undefined);
    shapes.set(schema, best);
    return best;
  };
}

/** A value of an alternative names it, where a discriminator asks for that. */
function withTag(document: Document, parts: readonly Schema[], alternative: Schema, shape: Shape | undefined): Shape | undefined {
  const { propertyName, mapping } = parts.map(discriminatorOf).find((one) => one !== undefined) ?? {};
  if (shape === undefined || propertyName === undefined || referenceOf(alternative) === undefined) return shape;
  const [tag] = tagsOf(document, propertyName, mapping ?? {}, alternative);
  return tag === undefined ? shape : { ...shape, make: (error) => ({ ...(shape.make(error) as object), [propertyName]: tag }) };
}

/** A schema and those of its `allOf`. */
function withParts(document: Document, reference: Schema, found: Schema[] = []): Schema[] {
  const schema = resolve<Schema>(document, reference);
  if (found.includes(schema)) return found;
  found.push(schema);
  for (const part of branchesOf(schema).allOf) withParts(document, part, found);
  return found;
}

function shapeOfParts(document: Document, parts: readonly Schema[], shapeOf: ShapeOf): Shape | undefined {
  const type = parts.map(typeOf).find((one) => one !== undefined);
  if (type === 'string') return parts.some((part) => valuesOf(part) !== undefined || formatOf(part) !== undefined) ? undefined : TEXT;
  if (type === 'array') {
    const items = parts.map(itemsOf).find((one) => one !== undefined);
    const inner = items && shapeOf(items);
    const max = parts.map((part) => limitsOf(part).maxItems ?? Infinity).reduce((a, b) => Math.min(a, b), Infinity);
    return inner && { ...inner, make: (error) => listProblems(error, inner).slice(0, max).map(inner.make) };
  }
  if (type !== undefined && type !== 'object') return undefined;
  const properties = Object.assign({}, ...parts.map(propertiesOf)) as Record<string, Schema>;
  const required = parts.flatMap(requiredOf);
  if (Object.keys(properties).length > 0) return objectShape(document, properties, required, shapeOf);
  const map = parts.map(additionalOf).find((one) => one !== undefined);
  if (map === false) return undefined;
  if (typeof map !== 'object' || Object.keys(map).length === 0) return WHOLE;
  const inner = shapeOf(map);
  return inner && { rank: 2, make: (error) => (error.problems === undefined ? { message: inner.make(error) } : byField(error, inner)) };
}

/** An error for each of its problems, as the items of a list are made of; the error itself without any. */
function listProblems(error: Made, { hasLocation = false }: Shape): Made[] {
  if (error.problem !== undefined || error.problems === undefined) return [error];
  return error.problems.map((problem) => {
    const { location, pointer, message } = problem;
    return { ...error, problem, message: hasLocation ? message : `${location}${pointer} ${message}` };
  });
}

/** Problems by the names of their fields, as forms show them. */
function byField(error: Made, inner: Shape): Record<string, unknown> {
  const names = [...new Set(error.problems?.map(fieldNameOf))];
  return Object.fromEntries(
    names.map((name) => {
      const problems = error.problems?.filter((problem) => fieldNameOf(problem) === name) ?? [];
      const message = problems.map((problem) => problem.message).join('; ');
      return [name, inner.make({ ...error, problems, message })];
    }),
  );
}

const segmentsOf = ({ pointer }: ErrorProblem): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** `owner.name`, or the part of the request for the whole of it. */
const fieldNameOf = (problem: ErrorProblem): string => segmentsOf(problem).join('.') || problem.location;

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
  return { rank: place?.rank ?? 0, make, hasLocation: Object.keys(properties).some((name) => isLocation(normalized(name))) };
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

const isLocation = (key: string): boolean => key === SOURCE || key === SEGMENTS || POINTER.includes(key) || FIELD.includes(key);

/** Of a problem: what its name says it is. */
function locationValue(key: string, { location, pointer, ...problem }: ErrorProblem, hasFragments: boolean): string | undefined {
  if (LOCATION.includes(key)) return location;
  if (POINTER.includes(key)) return hasFragments ? `#${encodeURI(pointer)}` : pointer;
  return FIELD.includes(key) ? fieldNameOf({ location, pointer, ...problem }) : undefined;
}

/** Keeps what the contract allows. */
type Only = (value: unknown) => unknown;

/** What is about a single problem: where it is, or the list of all. */
function knownOfProblem(schema: Schema, key: string, shape: Shape | undefined, only: Only): Shape['make'] | undefined {
  const type = typeOf(schema);
  if (type === 'string') {
    if (LOCATION.includes(key) || isLocation(key))
      return ({ problem, code, hasFragments = false }) => {
        if (problem !== undefined) return only(locationValue(key, problem, hasFragments));
        return CODE.includes(key) ? only(code) : undefined;
      };
    // JSON:API writes it as a text.
    return key === 'status' ? ({ problem, status, code }) => only(problem === undefined ? code : String(status)) : undefined;
  }
  if (type === 'array' && key === SEGMENTS) return ({ problem }) => problem && [problem.location, ...segmentsOf(problem)];
  if (shape === undefined) return undefined;
  if (key === SOURCE) return (error) => error.problem && shape.make(error);
  const isList = type === 'array' || Object.keys(propertiesOf(schema)).length === 0;
  if (!PROBLEMS.test(key) || !isList) return undefined;
  return (error) => (error.problems === undefined || error.problem !== undefined ? undefined : shape.make(error));
}

/** Gives `undefined` where the name of a property says nothing, or its contract has no such value. */
function knownValue(schema: Schema, key: string, shape: Shape | undefined): Shape['make'] {
  const allowed = valuesOf(schema);
  const only: Only = (value) => (allowed === undefined || allowed.includes(value) ? value : undefined);
  const ofProblem = knownOfProblem(schema, key, shape, only);
  if (ofProblem !== undefined) return ofProblem;
  const type = typeOf(schema);
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && STATUS.includes(key)) return ({ status }) => only(status);
  if (type === 'string' && formatOf(schema) === undefined && CODE.includes(key)) return ({ code, problem }) => only(problem?.code ?? code);
  if (type === 'boolean' && SUCCEEDED.includes(key)) return () => false;
  if (type === 'boolean' && FAILED.includes(key)) return () => true;
  return () => undefined;
}

function minimalValue(document: Document, schema: Schema, shape: Shape | undefined, key: string): Shape['make'] {
  const allowed = valuesOf(schema);
  const numbers = allowed?.filter((value) => typeof value === 'number') ?? [];
  if (STATUS.includes(key) && numbers.length > 0) return ({ status }) => nearest(numbers, status);
  const value = allowed?.find((one) => /err|fail|invalid|unknown/i.test(String(one))) ?? allowed?.[0];
  if (value !== undefined) return () => value;
  const type = typeOf(schema);
  if ((type !== undefined || alternativesOf(schema).length > 0) && isNullable(document, schema)) return () => null;
  if (type === 'boolean') return () => false;
  if (type === 'integer' || type === 'number') return ({ status }) => status;
  if (formatOf(schema) === 'date-time') return () => new Date().toISOString();
  if (formatOf(schema) === 'date') return () => new Date().toISOString().slice(0, 10);
  if (type === 'string') return ({ code }) => code;
  if (type === 'array' && !((limitsOf(schema).minItems ?? 0) > 0)) return () => [];
  return shape?.make ?? (() => ({}));
}

const nearest = (numbers: readonly number[], wanted: number): number | undefined =>
  [...numbers].sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0];

/** The numbers in the body of an error that are called like its status and are not it: the contract allows no other. */
export function otherStatuses(body: unknown, status: number): number[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]): number[] =>
    typeof value === 'number' ? (STATUS.includes(normalized(name)) && value !== status ? [value] : []) : otherStatuses(value, status),
  );
}
