/** The Model Context Protocol on standard input and output, with the tools of the server. 9 MB, and 9 MB of Zod. */
export { serveStdio } from '@modelcontextprotocol/server/stdio';
export { createMcpServer, createTools, type OperationTool } from '@specwright/server/mcp';
