/** Pipeline step: announces deprecation, sunset and stability of an operation, and ends it after its sunset. */
import type { RequestHandler } from 'express';
import type { ContractOperation } from '../contract/load-contract.ts';
import type { Operation } from '../contract/operation-table.ts';
import { FrameworkError } from '../errors.ts';

/** For operations that are deprecated or not stable. @throws AppError gone after the sunset. */
export function lifecycle(operation: Operation, operations: readonly ContractOperation[]): RequestHandler {
  const { stability, deprecation } = operation;
  const successor = deprecation?.successor ? operations.find(({ id }) => id === deprecation.successor) : undefined;
  const sunset = deprecation?.sunset ? Date.parse(`${deprecation.sunset}T00:00:00Z`) : Infinity;
  const hint = successor === undefined ? '' : `; use ${successor.method.toUpperCase()} ${successor.path}`;
  return (request, _response, next) => {
    const { exchange } = request;
    const { headers } = exchange;
    if (stability !== null) headers['X-Stability'] = stability;
    // RFC 9745, section 2.1: a structured-field date, in seconds.
    if (deprecation?.since) headers['Deprecation'] = `@${Date.parse(`${deprecation.since}T00:00:00Z`) / 1000}`;
    // RFC 8594, section 3.
    if (deprecation?.sunset) headers['Sunset'] = new Date(sunset).toUTCString();
    if (successor !== undefined)
      headers['Link'] = `<${expandTemplate(successor.path, exchange.pathParameters ?? {})}>; rel="successor-version"`;
    if (exchange.now.getTime() >= sunset) throw new FrameworkError('gone', `this operation ended on ${deprecation?.sunset}${hint}`);
    next();
  };
}

/** The successor's path, with the parameters of this request that have the same names. */
function expandTemplate(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = parameters[name];
    return encodeURIComponent(value ?? whole);
  });
}
