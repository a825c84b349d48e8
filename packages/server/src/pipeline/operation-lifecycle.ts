/** Says how stable an operation is and when it ends, and ends it then. Loaded for services with an operation that is deprecated or unstable. */
import type { ContractOperation, HeaderFields, Operation } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import type { Step } from './step.ts';

/** To the headers of every response of an operation. */
export function addDates(fields: HeaderFields, { deprecation }: Operation): void {
  // RFC 9745, section 2.1: a date of structured fields, in seconds.
  if (deprecation?.since) fields.set('Deprecation', `@${startOfDay(deprecation.since) / 1000}`);
  // RFC 8594, section 3.
  if (deprecation?.sunset) fields.set('Sunset', new Date(startOfDay(deprecation.sunset)).toUTCString());
}

/** Pipeline step: names what takes the place of a deprecated operation. @returns `undefined` for one without a successor. */
export function linkSuccessor(operation: ContractOperation, operations: readonly ContractOperation[]): Step | undefined {
  const successor = successorOf(operation, operations);
  if (successor === undefined) return undefined;
  return ({ headers, pathParameters }) =>
    void headers.append('Link', `<${expandTemplate(successor.path, pathParameters)}>; rel="successor-version"`);
}

function expandTemplate(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^{}]+)\}/g, (whole, name: string) => encodeURIComponent(parameters[name] ?? whole));
}

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
