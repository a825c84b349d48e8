import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { close } from '@specwright/server';

Object.assign(process.env, { PORT: '0', DATA_DIR: mkdtempSync(join(tmpdir(), 'notes-')) });
const { server, port } = await import('./server.ts');
after(() => close(server, 1000));

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

/** The next events of the notes, after one. */
async function follow(count: number, after?: string) {
  const headers: Record<string, string> = after === undefined ? {} : { 'Last-Event-ID': after };
  const { body } = await fetch(`http://localhost:${port}/notes/events`, { headers });
  const events: { id: string; event: string; data: { text?: string; reason?: string } }[] = [];
  let text = '';
  for await (const bytes of body ?? []) {
    text += Buffer.from(bytes).toString();
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text.slice(0, end))?.[1] ?? '';
      if (field('id') !== '') events.push({ id: field('id'), event: field('event'), data: JSON.parse(field('data')) as { text?: string } });
      text = text.slice(end + 2);
    }
    if (events.length >= count) break;
  }
  return events;
}

const addNote = async (text: string) => {
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await fetch(`http://localhost:${port}/notes`, { method: 'POST', headers, body: JSON.stringify({ text }) });
  assert.equal(status, 201);
};

test('a client that comes back gets the notes that it has missed, in their order', async () => {
  const [reset] = await follow(1);
  assert.deepEqual([reset?.event, reset?.data], ['reset', { reason: 'started' }]);
  for (const text of ['one', 'two', 'three']) await addNote(text);
  const events = await follow(3, reset?.id);
  assert.deepEqual(events.map(({ data }) => data.text), ['one', 'two', 'three']); // prettier-ignore
  const [third] = await follow(1, events[1]?.id);
  assert.deepEqual(third, events[2]);
});
