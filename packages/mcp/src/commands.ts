/** The entry `@specwright/mcp/commands`. */
export const COMMANDS = {
  mcp: () => import('./commands/mcp.ts'),
};
