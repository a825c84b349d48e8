/** Reads the HTTP responses of one connection. Just enough of a parser to know where each ends, so that it costs next to nothing. */

export interface RawResponse {
  readonly status: number;
  /** As it was sent: with its chunk sizes, if it was chunked. All bodies of the bench are ASCII. */
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';
const LAST_CHUNK = '0\r\n\r\n';

/** @returns a function that takes what arrives, and calls `onResponse` for each response that is complete. */
export function createResponseReader(onResponse: (response: RawResponse) => void): (chunk: string) => void {
  let text = '';
  return (chunk) => {
    text = text === '' ? chunk : text + chunk;
    for (;;) {
      const headEnd = text.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const start = headEnd + HEAD_END.length;
      const end = bodyEnd(text, start, text.slice(0, start));
      if (end === -1 || end > text.length) return;
      const response = { status: Number(text.slice(9, 12)), body: text.slice(start, end) };
      text = text.slice(end);
      onResponse(response);
    }
  };
}

/** -1 if it is not known yet. @throws Error if the response has no length at all. */
function bodyEnd(text: string, start: number, head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return start + Number(length);
  // RFC 9110, 15.3.5: no content, and need not say so.
  if (head.startsWith('HTTP/1.1 204')) return start;
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error(`a response without a length: ${head}`);
  const last = text.indexOf(LAST_CHUNK, start);
  return last === -1 ? -1 : last + LAST_CHUNK.length;
}
