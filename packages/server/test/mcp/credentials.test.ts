/** The credentials of a caller in the calls of tools: each operation gets those that it declares, wherever they are sent. */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from '@jest/globals';
import { withApp } from 'specwright/testing';
import { callBy, KEY, serveWithKeys } from './support/credentials.ts';

const app = withApp(serveWithKeys);

test('a key in the query of the endpoint is in that of each call whose operation declares it', async () => {
  const headers = { Cookie: `session="${KEY}"` };
  const call = (query: string, name: string, args?: Record<string, unknown>) =>
    callBy(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp${query}`), { requestInit: { headers } }), name, args);
  const query = '?api_key=a%20b%26c&other=1';
  expect(await call(query, 'mine')).toEqual({ caller: KEY });
  expect(await call(query, 'signed', { q: 'x' })).toEqual({ caller: KEY, q: 'x' });
  expect(await call(query, 'open')).toEqual({ caller: 'nobody' });
  expect(await call('', 'mine')).toMatchObject({ status: 401 });
  // What is given twice is refused, as in a request of the operation.
  expect(await call(`${query}&api_key=a%20b%26c`, 'mine')).toMatchObject({ status: 401 });
});
