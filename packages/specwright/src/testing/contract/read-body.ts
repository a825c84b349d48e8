/** Reads the body of a response as text: of a sequence, which may never end, what comes at first. */
import { sequenceKind } from '@specwright/contract/document';

/** How long a sequence is read, in ms, unless it ends before. */
const SEQUENCE_TIMEOUT_MS = 1000;

export async function readBody(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (sequenceKind(type) === undefined || response.body === null) return response.text();
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  // To cancel ends a read that waits.
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), SEQUENCE_TIMEOUT_MS);
  let text = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value, { stream: true });
  } finally {
    clearTimeout(timer);
  }
  return wholeItems(text, type);
}

/** Without an item that has not come to its end. */
function wholeItems(text: string, type: string): string {
  const end = sequenceKind(type) === 'events' ? '\n\n' : '\n';
  const last = text.lastIndexOf(end);
  return last === -1 ? '' : text.slice(0, last + end.length);
}
