/** HTTP without retries or pooled surprises, for load: every request has one outcome, and its time. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface LoadResponse {
  /** 0 if there was no response. */
  readonly status: number;
  /** Why there was none, such as `ECONNRESET` or `timeout`. */
  readonly error?: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** From the call to the last byte of the response. */
  readonly ms: number;
}

export interface LoadClientOptions {
  /** `kept`: connections are used again; `fresh`: each request opens one. */
  readonly connections?: 'kept' | 'fresh';
  /** Of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a response may take, in ms; 60,000 if it is not given. */
  readonly timeoutMs?: number;
}

export interface LoadClient {
  /** Sends a request, with `body` as JSON if it is given. It never rejects and never sends twice. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<LoadResponse>;
  /** Closes its connections. */
  close(): void;
}

/** @param url where the server is, without a path. */
export function createLoadClient(url: string, options: LoadClientOptions = {}): LoadClient {
  const { connections = 'kept', headers: common = {}, timeoutMs = 60_000 } = options;
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: connections === 'kept', maxSockets: Infinity, maxFreeSockets: Infinity });
  return {
    send(method, path, body, headers = {}) {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const content = text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
      const startedAt = performance.now();
      return new Promise<LoadResponse>((resolve) => {
        const end = (response: Partial<LoadResponse>) => {
          clearTimeout(timer);
          resolve({ status: 0, headers: {}, body: '', ms: performance.now() - startedAt, ...response });
        };
        const fail = (error: NodeJS.ErrnoException) => end({ error: error.code ?? error.message });
        const sent = request({ agent, hostname, port, method, path, headers: { ...common, ...content, ...headers } }, (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (received += chunk));
          response.on('error', fail);
          response.on('end', () => end({ status: response.statusCode ?? 0, headers: response.headers, body: received }));
        });
        // One for the whole exchange: a socket's own timeout starts again with each byte.
        const timer = setTimeout(() => sent.destroy(new Error('timeout')), timeoutMs);
        sent.on('error', fail);
        sent.end(text);
      });
    },
    close: () => agent.destroy(),
  };
}

/** @param share such as 0.99. @returns the smallest value that at least this share of the values do not exceed; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? NaN;
}

/** How many responses have each status: `{ 201: 10, 409: 90 }`. */
export function countStatuses(responses: readonly { readonly status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
