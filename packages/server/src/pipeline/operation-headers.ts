/** Pipeline step: the headers of every response of an operation, refusals too: who may keep it, how its path is queried, and deprecation. */
import { type ContractOperation, type Operation, HeaderFields, isSafe } from '@specwright/contract';
import { ACCEPT_QUERY, acceptedQueriesBeside } from './accept-query.ts';
import type { Step } from './exchange.ts';
import { FrameworkError } from '../errors.ts';

/** @returns `undefined` for an operation whose responses need none. */
export function operationHeaders(operation: ContractOperation, operations: readonly ContractOperation[]): Step | undefined {
  const { deprecation } = operation;
  const fields = new HeaderFields();
  const cacheControl = cacheControlOf(operation);
  if (cacheControl !== undefined) fields.set('Cache-Control', cacheControl);
  const queries = acceptedQueriesBeside(operation, operations);
  if (queries !== undefined) fields.set(ACCEPT_QUERY, queries);
  // RFC 9745, section 2.1: a date of structured fields, in seconds.
  if (deprecation?.since) fields.set('Deprecation', `@${startOfDay(deprecation.since) / 1000}`);
  // RFC 8594, section 3.
  if (deprecation?.sunset) fields.set('Sunset', new Date(startOfDay(deprecation.sunset)).toUTCString());
  const successor = successorOf(operation, operations);
  if (fields.size === 0 && successor === undefined) return undefined;
  return ({ headers, pathParameters }) => {
    headers.merge(fields);
    if (successor !== undefined) headers.append('Link', `<${expandTemplate(successor.path, pathParameters)}>; rel="successor-version"`);
  };
}

/**
 * The response to a write must not be cached: secrets are shown once there. What is read with credentials is the caller's
 * alone, and asked for again each time, by its ETag if it has one (RFC 9111, sections 3.5 and 5.2.2). A handler may give another.
 */
function cacheControlOf({ method, security }: Operation): string | undefined {
  if (!isSafe(method)) return 'no-store';
  return security.some((schemes) => schemes.length > 0) ? 'private, no-cache' : undefined;
}

/** The successor's path, with this request's parameters where it has some of the same name. */
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

/** The operation that replaces a deprecated one, if it has one. */
const successorOf = ({ deprecation }: Operation, operations: readonly ContractOperation[]): ContractOperation | undefined =>
  deprecation?.successor ? operations.find(({ id }) => id === deprecation.successor) : undefined;
