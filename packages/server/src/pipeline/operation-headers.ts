/** The headers of every response of an operation, refusals too: who may keep it, how its path is queried, and deprecation. */
import { type ContractOperation, type HeaderFields, type Operation, isSafe, parseFieldParameters, sentMethod } from '@specwright/contract';
import { INITIAL_HEADERS } from './exchange.ts';
import type { Step } from './step.ts';
import { FrameworkError } from '@specwright/contract/runtime';

/** Those that are the same in each response, made once. */
export function operationHeaders(operation: ContractOperation, operations: readonly ContractOperation[]): HeaderFields {
  const { deprecation } = operation;
  const fields = INITIAL_HEADERS.copy();
  const cacheControl = cacheControlOf(operation);
  if (cacheControl !== undefined) fields.set('Cache-Control', cacheControl);
  const queries = acceptedQueriesBeside(operation, operations);
  if (queries !== undefined) fields.set(ACCEPT_QUERY, queries);
  // RFC 9745, section 2.1: a date of structured fields, in seconds.
  if (deprecation?.since) fields.set('Deprecation', `@${startOfDay(deprecation.since) / 1000}`);
  // RFC 8594, section 3.
  if (deprecation?.sunset) fields.set('Sunset', new Date(startOfDay(deprecation.sunset)).toUTCString());
  return fields;
}

/** Pipeline step: names what takes the place of a deprecated operation. @returns `undefined` for one without a successor. */
export function linkSuccessor(operation: ContractOperation, operations: readonly ContractOperation[]): Step | undefined {
  const successor = successorOf(operation, operations);
  if (successor === undefined) return undefined;
  return ({ headers, pathParameters }) =>
    void headers.append('Link', `<${expandTemplate(successor.path, pathParameters)}>; rel="successor-version"`);
}

/**
 * The response to a write must not be cached: secrets are shown once there. What is read with credentials is the caller's
 * alone, and asked for again each time, by its ETag if it has one (RFC 9111, sections 3.5 and 5.2.2). A handler may give another.
 */
function cacheControlOf({ method, security }: Operation): string | undefined {
  if (!isSafe(method)) return 'no-store';
  return security.some((schemes) => schemes.length > 0) ? 'private, no-cache' : undefined;
}

function expandTemplate(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => encodeURIComponent(parameters[name] ?? whole));
}

// Pipeline step: says how stable an operation is, and ends it after its sunset, which `operation-headers.ts` announces.

/** @returns `undefined` for an operation that has neither `x-stability` nor a sunset. The step throws AppError gone after the sunset. */
export function deprecation(operation: Operation, operations: readonly ContractOperation[]): Step | undefined {
  const { stability, deprecation: dates } = operation;
  const day = dates?.sunset;
  if (stability === null && !day) return undefined;
  const sunset = day ? startOfDay(day) : Infinity;
  const successor = successorOf(operation, operations);
  const replacementBelow = (base: string) =>
    successor === undefined ? '' : `; use ${successor.method.toUpperCase()} ${base}${successor.path}`;
  return (exchange) => {
    if (stability !== null) exchange.headers.set('X-Stability', stability);
    if (sunset !== Infinity && exchange.now.getTime() >= sunset)
      throw new FrameworkError('gone', `this operation ended on ${day}${replacementBelow(exchange.base)}`);
  };
}

/** In UTC, in ms since the epoch. */
const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

const successorOf = ({ deprecation }: Operation, operations: readonly ContractOperation[]): ContractOperation | undefined =>
  deprecation?.successor ? operations.find(({ id }) => id === deprecation.successor) : undefined;

// The field `Accept-Query` of a path with an operation for QUERY: the media types that it takes (RFC 10008, section 3).

export const ACCEPT_QUERY = 'Accept-Query';

/** Tokens of structured fields (RFC 9651, section 3.3.4) are not those of HTTP: media types may begin with a digit. */
const TOKEN = /^[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*$/;
const KEY = /^[a-z*][a-z0-9_.*-]*$/;

const itemOf = (text: string): string => (TOKEN.test(text) ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`);

function mediaRange(type: string): string {
  const { value, parameters } = parseFieldParameters(type, 'backslash') ?? { value: type, parameters: new Map<string, string>() };
  return [itemOf(value), ...[...parameters].flatMap(([key, text]) => (KEY.test(key) ? [`${key}=${itemOf(text)}`] : []))].join(';');
}

/** @param operations of one path. @returns `undefined` if none of them is a QUERY with content. */
export function acceptedQueries(operations: readonly (ContractOperation | undefined)[]): string | undefined {
  const types = operations.flatMap((operation) =>
    operation !== undefined && sentMethod(operation.method) === 'QUERY' ? (operation.body?.types ?? []) : [],
  );
  return types.length === 0 ? undefined : [...new Set(types)].map(mediaRange).join(', ');
}

/** Of the responses of an operation: what reads a resource says how it can be queried. */
export const acceptedQueriesBeside = ({ method, path }: ContractOperation, operations: readonly ContractOperation[]): string | undefined =>
  isSafe(method) ? acceptedQueries(operations.filter((one) => one.path === path)) : undefined;
