/** Calls operations of a server by its URL. */
import type { CallOperation } from '@specwright/server';
import type { SentCredentials } from './credentials.ts';

/** What a model is given at most, in bytes. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface UrlOptions {
  /** With what precedes the paths of the contract. */
  readonly url: string;
  readonly credentials: SentCredentials | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Redirects are not followed: the key is for this server alone. */
export const callUrl =
  ({ url, credentials, headers, timeoutMs }: UrlOptions): CallOperation =>
  async (request, signal) => {
    const query = credentials?.query;
    const target = query === undefined ? request.target : `${request.target}${request.target.includes('?') ? '&' : '?'}${query}`;
    const response = await fetch(url.replace(/\/$/, '') + target, {
      method: request.method,
      headers: { ...headers, ...credentials?.headers, ...request.headers },
      body: request.body ?? null,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    return { status: response.status, headers: Object.fromEntries(response.headers), text: await readText(response) };
  };

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new Error(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
