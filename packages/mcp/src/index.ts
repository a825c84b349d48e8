/** The public API of `@specwright/mcp`. */

export { mcp } from './mcp.ts';
