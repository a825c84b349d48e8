/** Pipeline step: ends an operation after its sunset. `operation-headers.ts` announces it. */
import type { ContractOperation } from '../contract/load-contract.ts';
import type { Operation } from '../contract/operation-table.ts';
import { FrameworkError } from '../errors.ts';
import type { Step } from './exchange.ts';

/** @returns `undefined` for an operation without a sunset. The step throws AppError gone after it. */
export function lifecycle(operation: Operation, operations: readonly ContractOperation[]): Step | undefined {
  const day = operation.deprecation?.sunset;
  if (!day) return undefined;
  const sunset = startOfDay(day);
  const successor = successorOf(operation, operations);
  const replacement = successor === undefined ? '' : `; use ${successor.method.toUpperCase()} ${successor.path}`;
  return ({ now }) => {
    if (now.getTime() >= sunset) throw new FrameworkError('gone', `this operation ended on ${day}${replacement}`);
  };
}

/** In UTC, in ms since the epoch. */
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The operation that replaces a deprecated one, if it has one. */
export const successorOf = ({ deprecation }: Operation, operations: readonly ContractOperation[]): ContractOperation | undefined =>
  deprecation?.successor ? operations.find(({ id }) => id === deprecation.successor) : undefined;
