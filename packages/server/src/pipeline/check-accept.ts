/** Pipeline step: refuses a request whose `Accept` no response can satisfy, where the operation declares 406. */
import { matchesType, type ContractOperation } from '@specwright/contract';
import { FrameworkError } from '@specwright/contract/runtime';
import { loadExpress } from './express-app.ts';
import type { Step } from './step.ts';

/**
 * A server may refuse such a request, or disregard the field (RFC 9110, section 12.5.1): the contract says which.
 *
 * @returns `undefined` for an operation that does not declare 406, or no body of a success. The step throws AppError invalid_request with 406.
 */
export function checkAccept({ responses }: ContractOperation): Step | undefined {
  const types = Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? response.types : []));
  if (responses['406'] === undefined || types.length === 0) return undefined;
  const express = loadExpress().request;
  const isInRange = (accepted: string) => types.some((type) => matchesType(accepted, type));
  return ({ request }) => {
    const { accept = '' } = request.headers;
    if (accept.trim() === '') return;
    // A request of HTTP/2 has no methods of Express: these read the headers alone.
    const reader = Object.create(express, { headers: { value: request.headers } }) as typeof express;
    if (reader.accepts(types) !== false || reader.accepts().some(isInRange)) return;
    throw new FrameworkError('invalid_request', `header/Accept must accept ${types.join(' or ')}`, { status: 406 });
  };
}
