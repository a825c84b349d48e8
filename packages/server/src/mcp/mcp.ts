/** The option `mcp` of a server: `POST /mcp`, by streamable HTTP without sessions, so that any of several servers may answer. */
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { ToolServer, CallOperation } from '../tools/tool-server.ts';
import { createTools, type OperationTool } from './contract-tools.ts';

/** What of a request the protocol reads. */
const READ_FIELDS = /^(accept|content-type|last-event-id|mcp-.*)$/;

/** Not that of the request: a Host may be no part of a URL. */
const ENDPOINT = 'http://localhost/mcp';

/** One result for each request, and nothing is told of unasked: no response stays open. The server has bounded the body. */
const OPTIONS = { maxSubscriptions: 0, keepAliveMs: 0, maxRequestBodySize: Number.MAX_SAFE_INTEGER };

export const mcp = (): ToolServer => (contract) => {
  const tools = createTools(contract.document);
  return {
    operations: new Set([...tools.values()].map(({ operation }) => operation.id)),
    async answer({ headers, body, signal, call }) {
      const read = Object.entries(headers).filter(([name]) => READ_FIELDS.test(name)) as [string, string][];
      const request = new Request(ENDPOINT, { method: 'POST', headers: read, body, signal });
      const response = await createMcpHandler(() => createMcpServer(contract, tools, call), OPTIONS).fetch(request);
      const text = await response.text();
      return {
        status: response.status,
        headers: {},
        type: response.headers.get('content-type') ?? undefined,
        text: text === '' ? undefined : text,
      };
    },
  };
};

/** How long hosts may keep the list of tools, in ms. It changes only with the contract. */
const LIST_TTL_MS = 300_000;

export interface ServerIdentity {
  readonly title: string;
  readonly version: string;
}

/* eslint-disable @typescript-eslint/no-deprecated -- The schemas are those of the contract: the high-level API takes schemas of a library. */
export function createMcpServer(
  { title, version }: ServerIdentity,
  tools: ReadonlyMap<string, OperationTool>,
  call: CallOperation,
): Server {
  const server = new Server({ name: title, version }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].map(({ tool }) => tool),
    ttlMs: LIST_TTL_MS,
    cacheScope: 'public' as const,
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: values = {} } }, { mcpReq: { signal } }) => {
    const found = tools.get(name);
    if (found === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return found.run(values, call, signal);
  });
  return server;
}
