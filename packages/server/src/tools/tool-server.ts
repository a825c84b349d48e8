/** What serves operations as tools for agents, and what it is given: `mcp()` of `@specwright/server/mcp`. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Contract } from '@specwright/contract';

export interface OperationRequest {
  readonly operationId: string;
  readonly method: string;
  /** Path and query, below the base of the contract: `/pets?limit=2`. */
  readonly target: string;
  /** Without credentials: those of the caller are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface OperationResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request of an operation for the caller of a tool. @throws Error if there is no response. */
export type CallOperation = (request: OperationRequest, signal: AbortSignal) => Promise<OperationResponse>;

export interface ToolMessage {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly signal: AbortSignal;
  readonly call: CallOperation;
}

export interface ToolAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string | undefined;
  readonly text: string | undefined;
}

export interface ContractTools {
  readonly operations: ReadonlySet<string>;
  readonly answer: (message: ToolMessage) => Promise<ToolAnswer>;
}

/** Makes the tools of a contract; none for one without `x-mcp`. */
export type ToolServer = (contract: Pick<Contract, 'document' | 'title' | 'version'>) => ContractTools;
