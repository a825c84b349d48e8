/** The tools of a contract: its operations with `x-mcp`, as the Model Context Protocol describes tools. */
import type { CallToolResult, Tool } from '@modelcontextprotocol/server';
import { jsonOf } from '@specwright/contract';
import {
  type Document,
  type DocumentOperation,
  isObject,
  isSafe,
  listOperations,
  resolve,
  toolExtensionOf,
} from '@specwright/contract/document';
import { ADVICE as ERROR_ADVICE } from '../../assets/advice.js';
import type { CallOperation, OperationRequest, OperationResponse } from '../tools/tool-server.ts';
import { ArgumentError, IDEMPOTENCY_KEY, createArguments } from './tool-arguments.ts';
import { createOutput } from './tool-output.ts';

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
    annotations: annotationsOf(operation.method, destructive),
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
  if (isSafe(method)) return { readOnlyHint: true };
  return {
    readOnlyHint: false,
    ...(destructive !== undefined && { destructiveHint: destructive }),
    idempotentHint: method === 'put' || method === 'delete',
  };
}

/** An error of an operation as a tool error: what was wrong, and what a model can do about it. */
interface ToolProblem {
  /** That of HTTP; none if there was no answer. */
  readonly status?: number;
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  readonly retryAfterSeconds?: number;
}

const toErrorResult = (problem: ToolProblem): CallToolResult => ({
  isError: true,
  content: [{ type: 'text', text: JSON.stringify(problem) }],
});

/** What a model can do, where a program would do something else. */
const FOR_MODELS: Readonly<Record<string, string>> = {
  invalid_request: 'Correct the arguments that the message names, and call the tool again.',
  unauthorized: 'Ask the person to set a valid credential in the configuration of this MCP server. Do not call again before.',
  insufficient_scope: 'Ask the person for a credential with more rights: the present one does not admit this tool.',
  rate_limited: 'Wait, then call again. Calls that come earlier may get the API key banned.',
  api_key_banned: 'Make no calls until the time is over, and tell the person.',
  service_unavailable: 'Wait, then call again.',
  not_found: 'Check the ids among the arguments: list what there is.',
};

const BY_CLASS: Readonly<Record<string, string>> = {
  4: 'Correct the arguments as the message says.',
  5: 'Call again later. If it remains, tell the person.',
};

function describeError(
  document: Document,
  { operation }: DocumentOperation,
  request: OperationRequest,
  response: OperationResponse,
): ToolProblem {
  const { status, headers } = response;
  const body = jsonOf(response.text);
  const code = firstText(body, ['code', 'error', 'type']) ?? String(status);
  const message = firstText(body, ['message', 'detail', 'error_description', 'title', 'error']) ?? response.text.slice(0, 1000);
  const seconds = Number(headers['retry-after']);
  const declared = declaredAdvice(document, operation.responses[String(status)], code);
  const advice = declared ?? FOR_MODELS[code] ?? ERROR_ADVICE[code] ?? BY_CLASS[String(status)[0] ?? ''] ?? 'Tell the person.';
  return {
    status,
    code,
    message,
    fix: [advice, ...(status >= 500 ? repeatAdvice(request) : [])].join(' '),
    ...(Number.isFinite(seconds) && { retryAfterSeconds: seconds }),
  };
}

/** For a call without an answer: it may have been done. */
const describeFailure = (request: OperationRequest, error: unknown): ToolProblem => ({
  code: 'no_answer',
  message: `the server did not answer: ${error instanceof Error ? describeCause(error) : String(error)}`,
  fix: [
    isSafe(request.method) ? 'Call again later.' : 'It may have been done or not: look before it is called again.',
    ...repeatAdvice(request),
  ].join(' '),
});

const describeCause = ({ message, cause }: Error): string => (cause instanceof Error ? `${message} (${cause.message})` : message);

function repeatAdvice({ headers }: OperationRequest): string[] {
  const [, key] = Object.entries(headers).find(([name]) => name.toLowerCase() === IDEMPOTENCY_KEY.toLowerCase()) ?? [];
  return key === undefined ? [] : [`To repeat it without doing it twice, call with "${IDEMPOTENCY_KEY}": "${key}" and the same arguments.`];
}

/** The first of these properties that is a text, in the body or in its `error`. */
function firstText(body: unknown, names: readonly string[]): string | undefined {
  if (!isObject(body)) return undefined;
  const found = names.map((name) => body[name]).find((value) => typeof value === 'string' && value !== '');
  return (found as string | undefined) ?? firstText(body['error'], names);
}

/** What `x-enumDescriptions` at the codes of the response says, as on the page at /docs. */
function declaredAdvice(document: Document, response: unknown, code: string): string | undefined {
  const follow = (value: unknown): Record<string, unknown> | undefined => {
    const found = isObject(value) ? resolve<unknown>(document, value) : undefined;
    return isObject(found) ? found : undefined;
  };
  for (const media of Object.values(follow(follow(response)?.['content']) ?? {})) {
    const properties = follow(follow(follow(media)?.['schema'])?.['properties']);
    const advice = follow(follow(properties?.['code'])?.['x-enumDescriptions'])?.[code];
    if (typeof advice === 'string') return advice;
  }
  return undefined;
}
