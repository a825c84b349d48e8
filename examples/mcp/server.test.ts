import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

process.env['PORT'] = '0';
const { server, port } = await import('./server.ts');
const client = new Client({ name: 'test', version: '1' });
before(() => client.connect(new StreamableHTTPClientTransport(new URL(`http://localhost:${port}/mcp`))));
after(async () => {
  await client.close();
  server.close();
});

test('the operations with x-mcp are tools', async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
    [
      ['find_books', true],
      ['borrow_book', false],
    ],
  );
});

test('a tool gives what its operation answers; a refusal says what to do', async () => {
  const found = await client.callTool({ name: 'find_books', arguments: { title: 'left hand' } });
  assert.deepEqual(found.structuredContent, { items: [{ id: 1, title: 'The Left Hand of Darkness', isBorrowed: false }] });
  const borrowed = await client.callTool({ name: 'borrow_book', arguments: { bookId: 1 } });
  assert.equal((borrowed.structuredContent as { isBorrowed: boolean }).isBorrowed, true);
  const again = await client.callTool({ name: 'borrow_book', arguments: { bookId: 1 } });
  assert.equal(again.isError, true);
  assert.match(JSON.stringify(again.content), /The Left Hand of Darkness is borrowed/);
});
