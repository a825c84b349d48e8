/** An API whose tools have their credentials in several places. */
import { Client, type Transport } from '@modelcontextprotocol/client';
import { apiKey, HandlerResponse } from '@specwright/server';
import { mcp } from '@specwright/server/mcp';
import { serve } from '../../support/serve.ts';

export const CONTRACT = `paths:
  /mine:
    get: { operationId: mine, x-mcp: { description: Mine. }, security: [{ key: [] }], responses: { '200': { $ref: '#/components/responses/Caller' } } }
  /signed:
    get:
      operationId: signed
      x-mcp: { description: Signed. }
      security: [{ key: [], cookie: [] }]
      parameters: [{ name: q, in: query, schema: { type: string } }]
      responses: { '200': { $ref: '#/components/responses/Caller' } }
  /by-header:
    get:
      operationId: byHeader
      x-mcp: { description: By header. }
      security: [{ header: [] }]
      responses: { '200': { $ref: '#/components/responses/Caller' } }
  /open:
    get: { operationId: open, x-mcp: { description: Open. }, responses: { '200': { $ref: '#/components/responses/Caller' } } }
components:
  securitySchemes:
    key: { type: apiKey, in: query, name: api_key }
    header: { type: apiKey, in: header, name: X-Key }
    cookie: { type: apiKey, in: cookie, name: session }
  responses: { Caller: { description: who calls, content: { application/json: { schema: { type: object } } } } }
`;
const tell = (input: { query?: object }, _: unknown, { caller }: { caller: unknown }) =>
  HandlerResponse.reply(200, { body: { caller: caller ?? 'nobody', ...input.query } });
export const KEY = 'a b&c';
const find = (key: string) => (key === KEY ? key : undefined);

export const serveWithKeys = () =>
  serve(CONTRACT, {
    handlers: { mine: tell, signed: tell, byHeader: tell, open: tell },
    security: { key: apiKey(find), header: apiKey(find), cookie: apiKey(find) },
    mcp: mcp(),
  });

/** Calls a tool by a client that has connected. @returns what the operation answered. */
export async function callBy(transport: Transport, name: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  const { content } = await client.callTool({ name, arguments: args });
  await client.close();
  return JSON.parse((content as { text: string }[])[0]?.text ?? '') as unknown;
}
