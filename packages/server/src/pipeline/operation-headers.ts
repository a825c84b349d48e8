/** Pipeline step: the headers of every response of an operation, refusals too: who may keep it, and deprecation. */
import { type ContractOperation, type Operation, HeaderFields } from '@specwright/contract';
import { startOfDay, successorOf } from './deprecation.ts';
import type { Step } from './exchange.ts';

/** @returns `undefined` for an operation whose responses need none. */
export function operationHeaders(operation: Operation, operations: readonly ContractOperation[]): Step | undefined {
  const { deprecation } = operation;
  const fields = new HeaderFields();
  const cacheControl = cacheControlOf(operation);
  if (cacheControl !== undefined) fields.set('Cache-Control', cacheControl);
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
  if (method !== 'get' && method !== 'head') return 'no-store';
  return security.some((schemes) => schemes.length > 0) ? 'private, no-cache' : undefined;
}

/** The successor's path, with this request's parameters where it has some of the same name. */
function expandTemplate(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => encodeURIComponent(parameters[name] ?? whole));
}
