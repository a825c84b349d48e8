/** Adds `POST /mcp` to services whose contract has tools. A server without the option `mcp` calls nothing of this. */
import type { Service } from '../create-service.ts';
import type { Log } from '../log/logger.ts';
import { lazyStep } from '../pipeline/step.ts';
import type { ToolOptions } from './serve-tools.ts';
import type { ToolServer } from './tool-server.ts';

const TOOLS_PATH = '/mcp';
/** What hosts in a page of another origin send (Model Context Protocol, "Streamable HTTP"). */
const TOOL_HEADERS = ['Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name', 'Mcp-Session-Id', 'Last-Event-ID'];

/** @param options `calls`: what serves the calls of tools, which come in as any request does. @returns the services, those with tools anew. */
export function addTools(
  services: readonly Service[],
  serve: ToolServer,
  { log, ...options }: Pick<ToolOptions, 'bodies' | 'calls' | 'exchanges' | 'origins'> & { readonly log: Log },
): readonly Service[] {
  const extended = services.map((service) => {
    const { contract } = service;
    const tools = serve(contract);
    if (tools.operations.size === 0) return service;
    return service.withEndpoint(TOOLS_PATH, (given) => ({
      methods: ['POST'],
      readHeaders: TOOL_HEADERS,
      step: lazyStep(async () => (await import('./serve-tools.ts')).serveTools({ ...options, ...given, contract, tools })),
    }));
  });
  if (extended.every((service, i) => service === services[i]))
    log.warn({}, 'there are no tools, so nothing is at /mcp: add `x-mcp: true` to the operations that agents may call');
  return extended;
}
