/** The tools of a contract: its operations with `x-mcp`, as the Model Context Protocol describes tools. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import type { CallOperation, OperationRequest } from '../pipeline/tools/tool-server.ts';
import { listOperations, toolExtensionOf, type Document, type DocumentOperation } from '@specwright/contract/document';
import { ArgumentError, createArguments } from './tool-arguments.ts';
import { describeError, describeFailure, toErrorResult } from './tool-error.ts';
import { createOutput } from './tool-output.ts';

/** An operation as a tool. */
export interface OperationTool {
  readonly tool: Tool;
  readonly operation: DocumentOperation;
  /** Calls the operation. It never throws: what goes wrong is a tool error. */
  readonly run: (values: Readonly<Record<string, unknown>>, call: CallOperation, signal: AbortSignal) => Promise<CallToolResult>;
}

/** @param document the model of a contract. @returns its tools by their names, in its order. */
export function createTools(document: Document): ReadonlyMap<string, OperationTool> {
  const tools = listOperations(document).flatMap((operation) => createTool(document, operation) ?? []);
  return new Map(tools.map((one) => [one.tool.name, one]));
}

function createTool(document: Document, operation: DocumentOperation): OperationTool | undefined {
  const extension = toolExtensionOf(operation);
  if (extension === undefined) return undefined;
  const input = createArguments(document, operation);
  const output = createOutput(document, operation, input);
  const { name, description, destructive } = extension;
  const { summary } = operation.operation;
  const tool: Tool = {
    name,
    ...(summary !== undefined && { title: summary }),
    ...(description !== undefined && { description }),
    inputSchema: input.schema,
    ...(output.schema && { outputSchema: output.schema }),
    annotations: annotationsOf(operation.method.toLowerCase(), destructive),
  };
  return {
    tool,
    operation,
    async run(values, call, signal) {
      let request: OperationRequest;
      try {
        request = input.toRequest(values);
      } catch (error) {
        if (!(error instanceof ArgumentError)) throw error;
        return toErrorResult({ status: 400, code: 'invalid_request', message: error.message, fix: 'Correct the arguments.' });
      }
      try {
        const response = await call(request, signal);
        if (response.status >= 200 && response.status <= 299) return output.toResult(response);
        return toErrorResult(describeError(document, operation, request, response));
      } catch (error) {
        return toErrorResult(describeFailure(request, error));
      }
    },
  };
}

/** What the method says (RFC 9110, section 9.2). The protocol takes for destructive what does not say that it is not. */
function annotationsOf(method: string, destructive: boolean | undefined): Tool['annotations'] {
  if (['get', 'head', 'query'].includes(method)) return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    ...(destructive !== undefined && { destructiveHint: destructive }),
    idempotentHint: method === 'put' || method === 'delete',
  };
}
