/** A small HTTP client: one call, one answer, any number at once. */

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface ErrorAnswer {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

export type Call = <T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<T>>;

/**
 * @param url where the server is; @param key the API key to send with every request.
 * @returns a function that sends a request, with `body` as JSON if it is given, and reads the answer to its end.
 */
export function client(url: string, key: string): Call {
  return async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = new Headers({ Authorization: `Bearer ${key}`, ...headers });
    if (body !== undefined && !sent.has('Content-Type')) sent.set('Content-Type', 'application/json');
    const response = await fetch(url + path, { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text === '' ? undefined : JSON.parse(text)) as T };
  };
}

/** How often each status was answered: `{ 201: 10, 409: 90 }`. */
export function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
