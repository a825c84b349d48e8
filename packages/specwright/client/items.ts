/** Reads the items of a sequence as they come. */
import { parseJson } from './json.ts';
import type { ItemKind, Place } from './types.ts';

/** An event as it was sent (WHATWG HTML, section 9.2.6). */
interface SentEvent {
  readonly id?: string;
  readonly event?: string;
  readonly retry?: number;
  readonly data: string;
}

/** @throws Error for an event `error` that is no item, SyntaxError for what is not JSON. */
export async function* readItems(response: Response, kind: ItemKind, place?: () => Place): AsyncGenerator {
  if (kind === 'lines') {
    // Of a JSON text sequence each begins with a record separator (RFC 7464).
    for await (const line of readLines(response)) if (/[^\s\x1E]/.test(line)) yield parseJson(line.replace('\x1E', ''), place);
  } else for await (const event of readEvents(response)) if (event.data !== '') yield toItem(event, kind, place);
}

export function toItem(event: SentEvent, kind: ItemKind, place?: () => Place): unknown {
  const dataPlace = kind.startsWith('event') ? place?.().properties?.['data'] : place;
  const data = kind.endsWith('text') ? event.data : parseJson(event.data, dataPlace);
  if (kind.startsWith('event')) return { ...event, data };
  if (event.event === 'error') throw new Error(`the server has ended the stream: ${event.data.slice(0, 200)}`);
  return data;
}

/** @param idleMs after how long without a byte it fails. */
export async function* readEvents(response: Response, idleMs = Infinity): AsyncGenerator<SentEvent> {
  let fields: Record<string, string> = {};
  let data: string[] = [];
  for await (const line of readLines(response, idleMs)) {
    if (line === '') {
      const { id, event, retry } = fields;
      const isRetry = retry !== undefined && /^\d+$/.test(retry);
      if (data.length > 0 || isRetry)
        yield {
          ...(id !== undefined && { id }),
          ...(event !== undefined && { event }),
          ...(isRetry && { retry: Number(retry) }),
          data: data.join('\n'),
        };
      [fields, data] = [{}, []];
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name !== '') fields[name] = value;
  }
}

/** A stream is closed when its reader is left. */
async function* readLines({ body }: Response, idleMs = Infinity): AsyncGenerator<string> {
  if (body === null) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await withIdleBound(reader, idleMs);
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line break.
      const lines = rest.split(done ? /\r\n|\n|\r/ : /\r\n|\n|\r(?=[^\n])/);
      rest = lines.pop() ?? '';
      yield* lines;
      if (!done) continue;
      if (rest !== '') yield rest;
      return;
    }
  } finally {
    // Of a response that somebody has cloned it would wait for the other one to be read.
    void reader.cancel().catch(() => undefined);
  }
}

/** @throws Error after `idleMs` without a byte. */
async function withIdleBound(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  idleMs: number,
): ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> {
  if (idleMs === Infinity) return reader.read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no byte from the server within ${String(idleMs)} ms (idleMs)`)), idleMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
