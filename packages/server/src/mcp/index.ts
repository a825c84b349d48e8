/** The entry `@specwright/server/mcp`: operations as tools for agents. It needs the package `@modelcontextprotocol/server`. */
import { loadWithPeer } from '../optional-peer.ts';

const load = () => import('./mcp.ts');
export const { mcp, createMcpServer } = await loadWithPeer('@specwright/server/mcp', '@modelcontextprotocol/server', load);
export { createTools, type OperationTool } from './contract-tools.ts';
