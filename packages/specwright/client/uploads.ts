/** Sends a body and reports how much of it has been sent: `fetch` does not tell. */
import { chunksOf, sendsStreams, streamBody } from './streamed.ts';
import type { UploadProgress } from './types.ts';

/** What is used of XMLHttpRequest, which not every project declares. */
interface UploadRequest {
  readonly upload: { onprogress?: (event: { loaded: number; total: number; lengthComputable: boolean }) => void };
  readonly response: Blob;
  readonly responseURL: string;
  readonly status: number;
  responseType: string;
  withCredentials: boolean;
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  abort(): void;
  getAllResponseHeaders(): string;
  open(method: string, url: string): void;
  send(body: unknown): void;
  setRequestHeader(name: string, value: string): void;
}

/**
 * In browsers XMLHttpRequest sends it; elsewhere the chunks of a stream are counted as `fetch` takes them. Where there is neither, it reports
 * the begin and the end.
 *
 * @param onThrown gets what `onProgress` has thrown, which ends the upload.
 */
export async function sendUpload(
  url: string,
  init: RequestInit,
  onProgress: UploadProgress,
  onThrown: (error: unknown) => void,
  custom?: typeof fetch,
): Promise<Response> {
  // A connection that was given up takes bytes for a while.
  let isOver = false;
  const report: UploadProgress = (...progress) => {
    if (isOver) return;
    try {
      onProgress(...progress);
    } catch (error) {
      isOver = true;
      onThrown(error);
      throw error;
    }
  };
  try {
    return await sendReported(url, init, report, custom);
  } finally {
    isOver = true;
  }
}

async function sendReported(url: string, init: RequestInit, onProgress: UploadProgress, custom?: typeof fetch): Promise<Response> {
  const body = init.body as Exclude<RequestInit['body'], undefined>;
  const { XMLHttpRequest: Sender } = globalThis as unknown as { XMLHttpRequest?: new () => UploadRequest };
  const isStream = body instanceof ReadableStream;
  if (Sender && custom === undefined && !isStream) return sendByRequest(new Sender(), url, init, onProgress);
  const send = custom ?? fetch;
  const total = sizeOf(body);
  onProgress(0, total);
  if (!isStream && !sendsStreams()) {
    const response = await send(url, init);
    if (response.ok && total !== undefined) onProgress(total, total);
    return response;
  }
  // Any body as a stream of its bytes; the boundary of a FormData is in its Content-Type.
  const { body: bytes, headers: made } = new Response(body);
  const headers = new Headers(init.headers);
  if (!headers.has('Content-Type')) headers.set('Content-Type', made.get('Content-Type') ?? 'application/octet-stream');
  const counted = await streamBody(countBytes(bytes ?? new Blob([]).stream(), (sent) => onProgress(sent, total)));
  // Not every declaration of `fetch` knows it.
  const half = { duplex: 'half' } as const;
  return send(url, { ...init, headers, body: counted.body, ...half });
}

/** The most bytes that are sent before it is told, in bytes. */
const STEP = 65_536;

async function* countBytes(bytes: ReadableStream<Uint8Array>, report: (sent: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of chunksOf(bytes))
    for (let at = 0; at < chunk.byteLength; at += STEP) {
      const part = chunk.subarray(at, at + STEP);
      yield part;
      report((sent += part.byteLength));
    }
}

/** In bytes; `undefined` if only the end will tell. */
function sizeOf(body: unknown): number | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body).byteLength;
  const { size, byteLength } = body as { readonly size?: number; readonly byteLength?: number };
  return size ?? byteLength;
}

/** It follows redirects, other than `fetch` of this client. */
function sendByRequest(request: UploadRequest, url: string, init: RequestInit, onProgress: UploadProgress): Promise<Response> {
  const { method = 'POST', body, credentials, signal } = init;
  return new Promise((resolve, reject) => {
    const stop = () => request.abort();
    const end = (callback: () => void) => () => {
      signal?.removeEventListener('abort', stop);
      callback();
    };
    request.open(method, url);
    request.responseType = 'blob';
    request.withCredentials = credentials === 'include';
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      try {
        onProgress(loaded, lengthComputable ? total : undefined);
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what the caller has thrown
        reject(error);
        request.abort();
      }
    };
    request.onload = end(() => resolve(responseOf(request)));
    request.onerror = end(() => reject(new TypeError('Failed to fetch')));
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the reason of the caller, as fetch does
    request.onabort = end(() => reject(signal?.reason));
    if (signal?.aborted === true) return request.onabort();
    signal?.addEventListener('abort', stop);
    onProgress(0, sizeOf(body));
    request.send(body);
  });
}

/** As `fetch` would give it: its address and whether headers may be hidden are for readers of replies. */
function responseOf(request: UploadRequest): Response {
  const { location } = globalThis as { location?: { origin: string } };
  const { status, responseURL: url } = request;
  const lines = request.getAllResponseHeaders().trim().split('\r\n').filter(Boolean);
  const headers = lines.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  const response = new Response([204, 205, 304].includes(status) ? null : request.response, { status, headers });
  const type = new URL(url).origin === location?.origin ? 'basic' : 'cors';
  return Object.defineProperties(response, { url: { value: url }, type: { value: type } });
}
