/** The values of the body of an error that are not its message: code, status, and where its problems are. */
import { plainPointerKeys, type Document, type Schema } from '../document/openapi.ts';
import { alternativesOf, formatOf, isNullable, limitsOf, propertiesOf, typeOf, valuesOf } from '../schema/model.ts';

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
export interface Made extends ErrorParts {
  readonly problem?: ErrorProblem;
  /** Whether pointers are fragments of a URI, as in `application/problem+json` (RFC 9457, section 3). */
  readonly hasFragments?: boolean;
  /** Called by what has the time of the error in its body. */
  readonly now: () => Date;
  /** Whether a key beside it says where the problem is. */
  readonly isNamed?: boolean;
}

/** Names are compared in lower case, without separators. */
export const normalized = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');

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
const PROBLEMS = /^(error|problem|detail|violation|issue|invalidparam|validationerror|fielderror)s?$/;

/** How telling a place for the message is: its own name says what it is (3), or that of what contains it (2), or nothing (1). */
export type Rank = 3 | 2 | 1 | 0;

export interface Shape {
  readonly rank: Rank;
  readonly make: (error: Made) => unknown;
  /** Whether it says where a problem is, apart from the message. */
  readonly hasLocation?: boolean;
  readonly names?: readonly string[];
}

/** An error for each of its problems, as the items of a list are made of; the error itself without any. */
export function listProblems(error: Made, { hasLocation = false }: Shape): Made[] {
  if (error.problem !== undefined || error.problems === undefined) return [error];
  return error.problems.map((problem) => {
    const { location, pointer, message } = problem;
    return { ...error, problem, message: hasLocation || error.isNamed === true ? message : `${location}${pointer} ${message}` };
  });
}

/** Problems by the names of their fields, as forms show them. */
export function byField(error: Made, inner: Shape): Record<string, unknown> {
  const names = [...new Set(error.problems?.map(fieldNameOf))];
  return Object.fromEntries(
    names.map((name) => {
      const problems = error.problems?.filter((problem) => fieldNameOf(problem) === name) ?? [];
      const message = problems.map((problem) => problem.message).join('; ');
      return [name, inner.make({ ...error, problems, message, isNamed: true })];
    }),
  );
}

const segmentsOf = ({ pointer }: ErrorProblem): string[] => plainPointerKeys(pointer);

/** `owner.name`, or the part of the request for the whole of it. */
const fieldNameOf = (problem: ErrorProblem): string => segmentsOf(problem).join('.') || problem.location;

export const isLocation = (key: string): boolean => key === SOURCE || key === SEGMENTS || POINTER.includes(key) || FIELD.includes(key);

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
export function knownValue(schema: Schema, key: string, shape: Shape | undefined): Shape['make'] {
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

export function minimalValue(document: Document, schema: Schema, shape: Shape | undefined, key: string): Shape['make'] {
  const allowed = valuesOf(schema);
  const numbers = allowed?.filter((value) => typeof value === 'number') ?? [];
  if (STATUS.includes(key) && numbers.length > 0) return ({ status }) => nearest(numbers, status);
  const value = allowed?.find((one) => /err|fail|invalid|unknown/i.test(String(one))) ?? allowed?.[0];
  if (value !== undefined) return () => value;
  const type = typeOf(schema);
  if ((type !== undefined || alternativesOf(schema).length > 0) && isNullable(document, schema)) return () => null;
  if (type === 'boolean') return () => false;
  if (type === 'integer' || type === 'number') return ({ status }) => status;
  if (formatOf(schema) === 'date-time') return ({ now }) => now().toISOString();
  if (formatOf(schema) === 'date') return ({ now }) => now().toISOString().slice(0, 10);
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
