/** Pipeline step: says how stable an operation is, and ends it after its sunset, which `operation-headers.ts` announces. */
import type { ContractOperation, Operation } from '@specwright/contract';
import { FrameworkError } from '../errors.ts';
import type { Step } from './exchange.ts';

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
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The operation that replaces a deprecated one, if it has one. */
export const successorOf = ({ deprecation }: Operation, operations: readonly ContractOperation[]): ContractOperation | undefined =>
  deprecation?.successor ? operations.find(({ id }) => id === deprecation.successor) : undefined;
