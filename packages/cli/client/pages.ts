/** Follows the pages of a list, which `Link: <...>; rel="next"` connects (RFC 8288). */
import { orThrow } from './replies.ts';
import type { Send } from './send.ts';
import type { AnyInput, AnyReply, CallOptions, OperationEntry } from './types.ts';

/** @throws ResponseError for a page that is no success, Error if a link leads to another server, which would get the credentials. */
export async function* followPages(
  send: Send,
  operation: OperationEntry,
  input: AnyInput | undefined,
  call: CallOptions | undefined,
): AsyncGenerator<AnyReply> {
  for (let url: string | undefined; ;) {
    const reply: AnyReply = await orThrow(send(operation, input, call, url));
    yield reply;
    const link = nextLink(reply.response.headers.get('Link') ?? '');
    if (link === undefined) return;
    const here: URL = new URL(reply.response.url);
    const next: URL = new URL(link, here);
    if (next.origin !== here.origin) throw new Error(`the next page is at ${next.origin}, which is not the server's`);
    url = next.href;
  }
}

function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(' ').includes('next')) return target;
  }
  return undefined;
}
