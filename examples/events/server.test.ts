import assert from 'node:assert/strict';
import { after, test } from 'node:test';

process.env['PORT'] = '0';
const { server, port } = await import('./server.ts');
after(() => server.close());

const complete = (body: object) =>
  fetch(`http://localhost:${port}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

test('the answer comes in events, and ends with [DONE]', async () => {
  const response = await complete({ messages: [{ role: 'user', content: 'hello there' }] });
  assert.equal(response.headers.get('Content-Type'), 'text/event-stream');
  const data = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, text = '']) => text);
  assert.equal(data.pop(), '[DONE]');
  const chunks = data.map((text) => JSON.parse(text) as { delta: { content: string }; finish_reason?: string });
  assert.equal(chunks.map(({ delta }) => delta.content).join(''), 'You said: hello there');
  assert.equal(chunks.at(-1)?.finish_reason, 'stop');
});

test('a role that is not declared is refused before anything is sent', async () => {
  const response = await complete({ messages: [{ role: 'robot', content: 'hello' }] });
  assert.equal(response.status, 400);
});
