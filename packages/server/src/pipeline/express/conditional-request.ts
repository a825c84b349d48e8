/** The request as Express's response methods see it: with the conditions that the contract can answer. */
import type { Request } from 'express';
import type { ContractOperation } from '@specwright/contract';
import { declares } from './declared-response.ts';

/** What Express answers by itself, and the request headers that make it do so (RFC 9110, sections 13.1 and 14.2). */
const CONDITIONS: readonly (readonly [status: number, headers: readonly string[]])[] = [
  [304, ['if-none-match', 'if-modified-since']],
  [412, ['if-match', 'if-unmodified-since']],
  [206, ['range', 'if-range']],
];

/** Range is for GET alone (RFC 9110, section 14.2). */
const isAnswered = ({ method }: Request, operation: ContractOperation, status: number): boolean =>
  declares(operation, status) && (status !== 206 || method === 'GET');

/**
 * Of a HEAD request Express leaves out the body, which has to be validated and measured: here it is the GET that the handler is for.
 * What Express would answer with a status that is not declared, it does not see.
 *
 * @returns the request itself, if there is nothing to change.
 */
export function conditionalRequest(request: Request, operation: ContractOperation): Request {
  const hidden = CONDITIONS.flatMap(([status, names]) =>
    names.some((name) => request.headers[name] !== undefined) && !isAnswered(request, operation, status) ? names : [],
  );
  if (hidden.length === 0 && request.method !== 'HEAD') return request;
  const headers = { ...request.headers };
  for (const name of hidden) delete headers[name];
  return Object.create(request, {
    method: { value: request.method === 'HEAD' ? 'GET' : request.method },
    headers: { value: headers },
  }) as Request;
}
