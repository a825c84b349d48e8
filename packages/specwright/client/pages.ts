/** Follows the pages of a list, which `Link: <...>; rel="next"` connects (RFC 8288). */
import { declaredOf, orThrow, unexposed } from './replies.ts';
import type { Send } from './send.ts';
import type { AnyInput, AnyReply, CallOptions, OperationEntry } from './types.ts';

/**
 * @throws ResponseError for a page that is no success, Error if a link leads to another server, which would get the credentials, TypeError
 * if a browser may have hidden the link.
 */
export async function* followPages(
  send: Send,
  operation: OperationEntry,
  input: AnyInput | undefined,
  call: CallOptions | undefined,
): AsyncGenerator<AnyReply> {
  let isReadable = false;
  for (let url: string | undefined; ;) {
    const reply: AnyReply = await orThrow(send(operation, input, call, url));
    yield reply;
    // What could be read on one page can be read on the others.
    isReadable ||= reply.response.headers.has('Link') || isLinkReadable(operation, reply.response);
    if (!isReadable) throw new TypeError(`${operation.id}: the response has no Link${unexposed('Link')}`);
    url = nextAddress(reply, reply.response.url);
    if (url === undefined) return;
  }
}

/**
 * The address of the page after one, `undefined` for the last one.
 *
 * @param here the address of the page, or of its server. @throws Error if a link leads to another server, which would get the credentials.
 */
export function nextAddress({ headers }: Pick<AnyReply, 'headers'>, here: string): string | undefined {
  const link = nextLink((headers as { Link?: string }).Link ?? '');
  if (link === undefined) return undefined;
  const next = new URL(link, here);
  const { origin } = new URL(here);
  if (next.origin !== origin) throw new Error(`the next page is at ${next.origin}, which is not the server's`);
  return next.href;
}

/** @throws what `followPages` throws, TypeError if a page is no list. */
export async function* followItems(pages: AsyncGenerator<AnyReply>): AsyncGenerator {
  for await (const { operation, body } of pages) {
    if (!Array.isArray(body)) throw new TypeError(`${operation}: the body is no list: use paginate`);
    yield* body as unknown[];
  }
}

/** What every page may read (Fetch, "CORS-safelisted response-header name"). */
const SAFELISTED = /^(cache-control|content-(language|length|type)|expires|last-modified|pragma)$/i;

/**
 * Whether a `Link` that is not there was not sent. Browsers hide headers from pages of other origins unless the server exposes them, in a
 * header that is hidden too unless it names itself. Else the headers that the contract requires beside `Link` tell, and `X-Request-Id` where
 * it requires none: servers of the contract expose all of them or none.
 */
function isLinkReadable(operation: OperationEntry, response: Response): boolean {
  const { headers, type } = response;
  if (type !== 'cors') return true;
  const exposed = headers.get('Access-Control-Expose-Headers');
  if (exposed !== null) return /(^|[\s,])(link|\*)([\s,]|$)/i.test(exposed);
  const required = Object.entries(declaredOf(operation, response)?.headers ?? {}).flatMap(([name, kind]) =>
    kind.endsWith('!') && !SAFELISTED.test(name) ? [name] : [],
  );
  return (required.length > 0 ? required : ['X-Request-Id']).every((name) => headers.has(name));
}

function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ''] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const [, quoted, token] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters) ?? [];
    if ((quoted ?? token ?? '').toLowerCase().split(' ').includes('next')) return target;
  }
  return undefined;
}
