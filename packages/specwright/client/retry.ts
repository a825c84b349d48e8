/** Sends a request again when the server asks for it by `Retry-After`, if it can be repeated. */
import { dropBody, NetworkError } from './replies.ts';
import type { CallOptions, Retry, RetryOptions } from './types.ts';

/** Methods that can be repeated (RFC 9110, section 9.2.2; RFC 10008, section 2); `fetch` sends no TRACE. */
const IDEMPOTENT = /^(GET|HEAD|PUT|DELETE|OPTIONS|QUERY)$/;

/** Whether a request may be sent twice: it is idempotent, or has a key that makes it so. */
export const isRepeatable = (method: string, headers: Headers): boolean => IDEMPOTENT.test(method) || headers.has('Idempotency-Key');

/** @param send sends the request once. @param read reads its response. @param isRepeatable after a failure. @throws what they throw, and the reason of `signal`. */
export async function sendWithRetries<T>(
  send: () => Promise<Response>,
  read: (response: Response) => Promise<T>,
  isRepeatable: () => boolean,
  retry: CallOptions['retry'],
  signal: AbortSignal | undefined,
  onRetry: (retry: Omit<Retry, 'operation'>) => void,
): Promise<T> {
  const { attempts = 3, maxDelayMs = 60_000 }: RetryOptions = typeof retry === 'object' ? retry : retry === true ? {} : { attempts: 1 };
  for (let attempt = 1; ; attempt++) {
    // Without Retry-After: half a second, then twice as long each time.
    let delay = 500 * 2 ** (attempt - 1);
    let cause: unknown;
    let isRead = false;
    try {
      const response = await send();
      isRead = true;
      // A request that was answered 429 has not been done (RFC 6585, section 4); after 503 that is not known.
      const isAsked = response.status === 429 || (response.status === 503 && isRepeatable());
      delay = retryAfter(response) ?? delay;
      if (attempt >= attempts || !isAsked || delay > maxDelayMs) return await read(response);
      dropBody(response);
      cause = response;
    } catch (error) {
      if (attempt >= attempts || !isRepeatable() || signal?.aborted === true || (isRead && !(error instanceof NetworkError))) throw error;
      cause = error;
    }
    // Later rather than earlier: clients that were refused together do not come back together.
    const delayMs = delay + Math.random() * Math.min(1000, delay * 0.1 + 50);
    onRetry({ attempt, delayMs, cause });
    await sleep(delayMs, signal);
  }
}

/** In milliseconds; `undefined` if there is none (RFC 9110, section 10.2.3). */
export function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('Retry-After');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the caller has given as the reason, as fetch does
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
