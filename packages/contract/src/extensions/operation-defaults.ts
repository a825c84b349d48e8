/** Reads `x-operation-defaults`: responses and headers that are said once for all operations to which a condition applies. */
import {
  isObject,
  METHODS,
  parametersOf,
  pointerKeys,
  valueAt,
  type Document,
  type DocumentOperation,
  type Header,
  type Parameter,
  type Reference,
  type Response,
} from '../document/openapi.ts';

/** Of an operation, except `status`, which is of a response. All that are given have to apply. */
export interface DefaultsCondition {
  readonly method: readonly string[] | undefined;
  readonly parameter: readonly string[] | undefined;
  readonly pathParameters: boolean | undefined;
  readonly requestBody: boolean | undefined;
  readonly security: boolean | undefined;
  readonly deprecated: boolean | undefined;
  readonly status: readonly string[] | undefined;
}

export interface OperationDefaults {
  readonly index: number;
  /** `undefined`: they apply to every operation. */
  readonly when: DefaultsCondition | undefined;
  readonly responses: Record<string, Response | Reference>;
  readonly headers: Record<string, Header | Reference>;
}

/** What an operation says of them: none apply, or all but those of these statuses and header names. */
export type OptOut = 'all' | readonly string[];

type Path = (string | number)[];
type Report = (path: Path, problem: string) => void;

export const EXTENSION = 'x-operation-defaults';

const LISTS = ['method', 'parameter', 'status'];
const FLAGS = ['pathParameters', 'requestBody', 'security', 'deprecated'];

/**
 * The entries of `x-operation-defaults`. Whatever is wrong is reported, with its path in the document, and left out.
 */
export function readOperationDefaults(document: Document, report: Report): OperationDefaults[] {
  const list = document[EXTENSION];
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    report([EXTENSION], `${EXTENSION} must be a list of { when, responses, headers }`);
    return [];
  }
  return list.flatMap((entry: unknown, index) => {
    const path = [EXTENSION, index];
    if (!isObject(entry)) {
      report(path, `an entry of ${EXTENSION} must be { when, responses, headers }`);
      return [];
    }
    reportUnknown(entry, ['when', 'responses', 'headers'], path, report);
    const when = readCondition(entry['when'], [...path, 'when'], report);
    if (when === 'invalid') return [];
    if (entry['responses'] === undefined && entry['headers'] === undefined)
      report(path, `an entry of ${EXTENSION} needs responses, headers or both`);
    if (entry['responses'] !== undefined && when?.status !== undefined)
      report([...path, 'when', 'status'], 'status is a condition of headers: write the responses in an entry without it');
    const responses = readParts<Response>(document, entry['responses'], [...path, 'responses'], report);
    for (const status of Object.keys(responses).filter((key) => !isStatus(key))) {
      report([...path, 'responses', status], `${status} is not an HTTP status`);
      delete responses[status];
    }
    return [{ index, when, responses, headers: readParts<Header>(document, entry['headers'], [...path, 'headers'], report) }];
  });
}

const isStatus = (text: string) => /^([1-5]\d\d|[1-5]XX|default)$/.test(text);

function readCondition(when: unknown, path: Path, report: Report): DefaultsCondition | undefined | 'invalid' {
  if (when === undefined) return undefined;
  if (!isObject(when)) {
    report(path, `when must have one or more of ${[...LISTS, ...FLAGS].join(', ')}`);
    return 'invalid';
  }
  const problems: [path: Path, problem: string][] = [];
  reportUnknown(when, [...LISTS, ...FLAGS], path, (...problem) => problems.push(problem));
  const list = (key: string, isValid: (text: string) => boolean, expected: string) => {
    if (when[key] === undefined) return undefined;
    // A status is written as a number too.
    const values = [when[key]].flat().map((value) => (typeof value === 'number' ? String(value) : value));
    const texts = values.filter((value) => typeof value === 'string' && isValid(value)) as string[];
    if (texts.length < values.length || texts.length === 0)
      problems.push([[...path, key], `${key} must be ${expected}, or a list of them`]);
    return texts;
  };
  const flag = (key: string) => {
    const value = when[key];
    if (value !== undefined && typeof value !== 'boolean') problems.push([[...path, key], `${key} must be true or false`]);
    return value as boolean | undefined;
  };
  const condition = {
    method: list('method', (text) => METHODS.includes(text as 'get'), METHODS.join(', ')),
    parameter: list('parameter', (text) => text !== '', 'the name of a parameter'),
    status: list('status', isStatus, 'an HTTP status such as 200 or 2XX'),
    pathParameters: flag('pathParameters'),
    requestBody: flag('requestBody'),
    security: flag('security'),
    deprecated: flag('deprecated'),
  };
  for (const problem of problems) report(...problem);
  return problems.length > 0 ? 'invalid' : condition;
}

/** The responses or headers of an entry, without those whose `$ref` has no target. */
function readParts<T>(document: Document, parts: unknown, path: Path, report: Report): Record<string, T | Reference> {
  if (parts === undefined) return {};
  if (!isObject(parts)) {
    report(path, `${String(path.at(-1))} must be an object`);
    return {};
  }
  return Object.fromEntries(
    Object.entries(parts).filter(([key, value]) => {
      const reference = isObject(value) ? value['$ref'] : undefined;
      if (!isObject(value)) report([...path, key], `${key} must be an object`);
      else if (typeof reference !== 'string' || hasTarget(document, reference)) return true;
      else report([...path, key, '$ref'], `Can't resolve $ref ${reference}`);
      return false;
    }),
  ) as Record<string, T | Reference>;
}

const hasTarget = (document: Document, reference: string) =>
  reference.startsWith('#/') && valueAt(document, pointerKeys(reference)) !== undefined;

export function appliesTo(document: Document, { when }: OperationDefaults, operation: DocumentOperation): boolean {
  if (when === undefined) return true;
  const { security = document.security ?? [], requestBody, deprecated = false } = operation.operation;
  const is = (expected: boolean | undefined, value: boolean) => expected === undefined || expected === value;
  if (when.method?.includes(operation.method) === false) return false;
  if (!is(when.requestBody, requestBody !== undefined) || !is(when.deprecated, deprecated)) return false;
  if (!is(when.security, Array.isArray(security) && security.some((schemes) => isObject(schemes) && Object.keys(schemes).length > 0)))
    return false;
  if (when.parameter === undefined && when.pathParameters === undefined) return true;
  const parameters = parametersIn(document, operation);
  const hasPathParameters = parameters.some((parameter) => parameter.in === 'path');
  const isNamed = (name: string) =>
    parameters.some((parameter) => parameter.name === name || (parameter.in === 'header' && isSameHeader(parameter.name, name)));
  return is(when.pathParameters, hasPathParameters) && (when.parameter?.some(isNamed) ?? true);
}

/** Header names are case-insensitive (RFC 9110, section 5.1). */
export const isSameHeader = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** None, if one of them cannot be resolved: that is reported where it is. */
function parametersIn(document: Document, operation: DocumentOperation): Parameter[] {
  try {
    return parametersOf(document, operation);
  } catch {
    return [];
  }
}

/** What an operation says of the defaults; `path` is its own. */
export function readOptOut(value: unknown, path: Path, report: Report): OptOut {
  if (value === undefined) return [];
  if (value === false) return 'all';
  const without = isObject(value) && Object.keys(value).length === 1 ? value['without'] : undefined;
  const isValid = Array.isArray(without) && without.every((name) => ['string', 'number'].includes(typeof name));
  if (isValid) return without.map((name) => String(name).toLowerCase());
  report([...path, EXTENSION], `${EXTENSION} of an operation must be false, or { without: ['404', ETag] }`);
  return [];
}

function reportUnknown(value: Record<string, unknown>, allowed: readonly string[], path: Path, report: Report): void {
  for (const key of Object.keys(value).filter((name) => !allowed.includes(name)))
    report([...path, key], `${key} is not allowed here, only ${allowed.join(', ')}`);
}
