/** Sends a body while it is made, where that is possible. */
import type { StreamedFile, WrittenBody } from './types.ts';

/** A stream where `fetch` sends one (Node, browsers with HTTP/2); elsewhere all of it at once. */
export async function streamBody(chunks: AsyncGenerator<Uint8Array>): Promise<WrittenBody> {
  if (!sendsStreams()) {
    const all: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of chunks) all.push(chunk as Uint8Array<ArrayBuffer>);
    return { body: new Blob(all) };
  }
  let hasEnded = false;
  const finish = async (): Promise<void> => {
    await chunks.return(undefined);
  };
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (hasEnded) return controller.error(new Error('the request has ended before all of its body was sent'));
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: finish,
  });
  const end = (): void => {
    hasEnded = true;
    void finish().catch(() => undefined);
  };
  return { body: stream, isStream: true, end };
}

/** What does not send a stream takes it for a text, which has a Content-Type. In browsers it needs HTTP/2, which plain http never is. */
export function sendsStreams(): boolean {
  const { location } = globalThis as { location?: { protocol: string } };
  if (location?.protocol === 'http:') return false;
  const asked: string[] = [];
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex() {
      asked.push('duplex');
      return 'half' as const;
    },
  };
  const { headers } = new Request('http://localhost', init);
  return asked.length > 0 && !headers.has('Content-Type');
}

/** Some browsers cannot iterate over a stream. */
export async function* chunksOf(stream: StreamedFile['stream']): AsyncGenerator<Uint8Array> {
  if (Symbol.asyncIterator in stream) {
    yield* stream as AsyncIterable<Uint8Array>;
    return;
  }
  const reader = (stream as ReadableStream<Uint8Array>).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
