/** The entry `@specwright/server/mcp`: operations as tools for agents. It needs the package `@modelcontextprotocol/server`. */

export { mcp } from './mcp.ts';
export { createTools, type OperationTool } from './contract-tools.ts';
export { createMcpServer } from './mcp-server.ts';
