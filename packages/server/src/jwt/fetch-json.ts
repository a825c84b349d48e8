/** Requests to an authorization server: bounded in time and size, without redirects, and encrypted. */
import { jsonOf } from '@specwright/contract';

/** How large a response may be, in bytes: the largest metadata and key sets have some 100 KiB. */
const MAX_BYTES = 1024 * 1024;

export interface FetchOptions {
  /** Default: `fetch`. Another one is for a proxy, and for tests. */
  readonly fetch?: typeof fetch | undefined;
  /** How long one request may take, in ms. */
  readonly timeoutMs: number;
}

/** A request that did not bring what it should: the authorization server is down, or says something else. */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
  readonly status: number | undefined;

  constructor(message: string, options: ErrorOptions & { readonly status?: number } = {}) {
    super(message, options);
    this.status = options.status;
  }
}

/** @throws Error unless it is an absolute URL of https, or of http to this machine: what is read there decides whom the service trusts. */
export function requireSecureUrl(text: string, name: string): URL {
  if (!URL.canParse(text)) throw new Error(`${name} must be an absolute URL, not ${JSON.stringify(text)}`);
  const url = new URL(text);
  const isLoopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))
    throw new Error(`${name} must be an https URL (http is for this machine only), not ${text}`);
  if (url.username !== '' || url.password !== '' || url.hash !== '') throw new Error(`${name} must have no credentials and no fragment`);
  return url;
}

/** @returns the JSON object of a response with 200. @throws FetchFailed */
export async function fetchJson(url: URL, options: FetchOptions, init: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> {
  const { fetch: send = fetch, timeoutMs } = options;
  const text = await request().catch((error: unknown) => {
    if (error instanceof FetchFailed) throw error;
    throw new FetchFailed(`${url.origin} does not answer`, { cause: error });
  });
  const value = jsonOf(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FetchFailed(`${url.href} is no JSON object`);
  return value as Record<string, unknown>;

  async function request(): Promise<string> {
    const headers = { Accept: 'application/json', ...(init.headers as Record<string, string> | undefined) };
    // A redirect could lead into the network of this service.
    const response = await send(url, { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new FetchFailed(`${url.href} answers ${response.status}`, { status: response.status });
    }
    return readText(response, url);
  }
}

/** The length is counted as it comes: what a header says may be wrong. */
async function readText({ body }: Response, url: URL): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += part.byteLength;
    if (length > MAX_BYTES) throw new FetchFailed(`${url.href} is larger than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
