/** Validates requests and responses of a document as plain functions: in a function, in a queue, in a test. */
import { fileURLToPath } from 'node:url';
import type { Contract, ContractOperation } from './contract.ts';
import type { RequestValidation } from './requests/request-validator.ts';

/** A request as a framework or an event has it: texts of parameters, and the body parsed. */
export interface PlainRequest {
  /** Of the path's template, by name, decoded. */
  readonly path?: Readonly<Record<string, string>>;
  /** Without `?`, percent-encoded. */
  readonly query?: string;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  /** A JSON value; the text of a form. */
  readonly body?: unknown;
  /** The declared media type of the body. Default: `application/json`. */
  readonly type?: string;
}

export interface PlainResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A JSON value. */
  readonly body?: unknown;
  /** The media type, if the contract declares several. */
  readonly type?: string;
}

/**
 * Reads and checks a document, of which nothing was generated.
 *
 * @throws ContractError with everything that is wrong.
 */
export const openContract = async (location: string | URL): Promise<Contract> =>
  (await import('./open-contract.ts')).openContract(typeof location === 'string' ? location : fileURLToPath(location));

/**
 * Validates a request of an operation.
 *
 * @returns the typed input with defaults, and every problem with its location. @throws Error for an operation that the contract does not have.
 */
export async function validateRequest(contract: Contract, operationId: string, request: PlainRequest): Promise<RequestValidation> {
  const { path = {}, query = '', headers = {}, body, type = 'application/json' } = request;
  return operationOf(contract, operationId).validateRequest({
    path,
    search: query,
    headers,
    body,
    type: body === undefined ? undefined : type,
  });
}

/** Validates a response of an operation. @returns every problem. @throws Error for an operation that the contract does not have. */
export function validateResponse(contract: Contract, operationId: string, response: PlainResponse): readonly string[] {
  const { status, headers = {}, body, type } = response;
  return operationOf(contract, operationId).validateResponse({ status, headers, body, type }).problems;
}

function operationOf({ file, operations }: Contract, operationId: string): ContractOperation {
  const operation = operations.find(({ id }) => id === operationId);
  if (operation === undefined) throw new Error(`${file} has no operation ${operationId}`);
  return operation;
}
