/** Pipeline step: announces deprecation, sunset and stability of an operation, and ends it after its sunset. */
import type { ContractOperation } from '../contract/load-contract.ts';
import type { Operation } from '../contract/operation-table.ts';
import { FrameworkError } from '../errors.ts';
import type { Step } from './exchange.ts';

/** @returns `undefined` for an operation that is neither deprecated nor unstable. The step throws AppError gone after the sunset. */
export function lifecycle(operation: Operation, operations: readonly ContractOperation[]): Step | undefined {
  const { stability, deprecation } = operation;
  if (stability === null && deprecation === null) return undefined;
  const constant: Record<string, string> = {};
  if (stability !== null) constant['X-Stability'] = stability;
  // RFC 9745, section 2.1: a date of structured fields, in seconds.
  if (deprecation?.since) constant['Deprecation'] = `@${startOfDay(deprecation.since) / 1000}`;
  const sunset = deprecation?.sunset ? startOfDay(deprecation.sunset) : Infinity;
  // RFC 8594, section 3.
  if (deprecation?.sunset) constant['Sunset'] = new Date(sunset).toUTCString();
  const successor = deprecation?.successor ? operations.find(({ id }) => id === deprecation.successor) : undefined;
  const replacement = successor === undefined ? '' : `; use ${successor.method.toUpperCase()} ${successor.path}`;
  return ({ headers, pathParameters, now }) => {
    Object.assign(headers, constant);
    if (successor !== undefined) headers['Link'] = `<${expandTemplate(successor.path, pathParameters)}>; rel="successor-version"`;
    if (now.getTime() >= sunset) throw new FrameworkError('gone', `this operation ended on ${deprecation?.sunset}${replacement}`);
  };
}

const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The successor's path, with this request's parameters where it has some of the same name. */
function expandTemplate(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = parameters[name];
    return encodeURIComponent(value ?? whole);
  });
}
