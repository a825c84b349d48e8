/** Fetches a document that a reference names, within bounds. */
import { readResponse } from '../files/read-response.ts';

const MAX_BYTES = 10 * 1024 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

/** @property location its URL after redirects: relative references in it are relative to that (RFC 3986, section 5.1.3). */
export interface FetchedDocument {
  readonly text: string;
  readonly location: URL;
}

/** @throws Error that names the URL, if its scheme is refused, or it is not answered in time, with success, in the bounds. */
export async function fetchDocument(url: URL): Promise<FetchedDocument> {
  try {
    return await fetchWithin(url, AbortSignal.timeout(TIMEOUT_MS));
  } catch (cause) {
    const { name, message, cause: reason } = cause as Error;
    const told =
      name === 'TimeoutError' ? `no whole answer within ${TIMEOUT_MS / 1000} s` : ((reason as Error | undefined)?.message ?? message);
    throw new Error(`${url.href} cannot be fetched: ${told}`, { cause });
  }
}

async function fetchWithin(url: URL, signal: AbortSignal): Promise<FetchedDocument> {
  let location = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    assertFetchable(location, redirects === 0 ? undefined : url);
    const response = await fetch(location, { redirect: 'manual', signal });
    const next = response.headers.get('location');
    if (response.ok) return { text: await readResponse(response, MAX_BYTES), location };
    await response.body?.cancel();
    if (response.status < 300 || response.status >= 400 || next === null) throw new Error(`it is answered with ${response.status}`);
    location = new URL(next, location);
  }
  throw new Error(`it is redirected more than ${MAX_REDIRECTS} times`);
}

/** @param from the URL that leads there, if one does: a document of another server must not make this machine call its own. @throws Error */
export function assertFetchable({ protocol, hostname }: URL, from?: URL): void {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLocal && from?.protocol !== 'https:')) return;
  throw new Error(`only https is fetched, and http of this machine, not ${protocol}//${hostname}`);
}
