/** A server of the Model Context Protocol for the tools of a contract, for one request or one connection. */
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallOperation } from '../tools/tool-server.ts';
import type { OperationTool } from './contract-tools.ts';

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
