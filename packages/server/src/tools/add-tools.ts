/** Adds `POST /mcp` to services whose contract has tools. A server without the option `mcp` calls nothing of this. */
import type { Service } from '../create-service.ts';
import { lazyStep } from '../pipeline/exchange-lifecycle.ts';
import type { ToolOptions } from './serve-tools.ts';
import type { ContractTools } from './tool-server.ts';

const TOOLS_PATH = '/mcp';
/** What hosts in a page of another origin send (Model Context Protocol, "Streamable HTTP"). */
const TOOL_HEADERS = ['Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'];

/**
 * @param tools those of each service, if it has some. @param options `calls`: what serves the calls of tools, which come in as any request does.
 * @returns the services, those with tools anew.
 */
export const addTools = (
  services: readonly Service[],
  tools: readonly (ContractTools | undefined)[],
  options: Pick<ToolOptions, 'bodies' | 'calls' | 'exchanges' | 'origins'>,
): readonly Service[] =>
  services.map((service, i) => {
    const { contract } = service;
    const own = tools[i];
    if (own === undefined || own.operations.size === 0) return service;
    return service.withEndpoint(TOOLS_PATH, (given) => ({
      methods: ['POST'],
      readHeaders: TOOL_HEADERS,
      step: lazyStep(async () => (await import('./serve-tools.ts')).serveTools({ ...options, ...given, contract, tools: own })),
    }));
  });
