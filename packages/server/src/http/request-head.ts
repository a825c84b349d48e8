/** The head of a request as it was sent: its target in path and query, all values of a field, and what is refused for its head alone. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Socket } from 'node:net';
import { FrameworkError } from '@specwright/contract/runtime';

export interface RequestTarget {
  /** As it was sent, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly search: string;
}

export function splitTarget(url: string): RequestTarget {
  const target = url.startsWith('/') ? url : originForm(url);
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);
  return { path: path === '' ? '/' : path, search: mark === -1 ? '' : target.slice(mark + 1) };
}

/** Without scheme and authority, which the absolute form has (RFC 9112, section 3.2). */
const originForm = (target: string): string => target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');

export const withoutBase = ({ path, search }: RequestTarget, base: string): RequestTarget => ({
  path: path.slice(base.length) || '/',
  search,
});

/** Not for those that only say so in the text of HTTP/1, which Node's parser accepts. */
export const isHttp2 = (request: IncomingMessage): boolean => request.httpVersionMajor > 1 && 'stream' in request;

/** The stream of a request of HTTP/2. */
export const streamOf = (request: IncomingMessage): Http2ServerRequest['stream'] => (request as unknown as Http2ServerRequest).stream;

/** RFC 9112, section 6.3: without either field a request has no body. In HTTP/2 the stream tells (RFC 9113, section 8.1). */
export function hasBody(request: IncomingMessage): boolean {
  if (isHttp2(request)) return !streamOf(request).endAfterHeaders;
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Whether it is a stream of HTTP/2 that has ended without an answer, reset or with its connection. Node says of such a request that it is complete,
 * and ends its body as one that was sent whole.
 */
export const wasReset = (request: IncomingMessage): boolean => isHttp2(request) && streamOf(request).aborted;

const NONE: readonly string[] = [];

/**
 * The values of a field in the order in which they were sent.
 *
 * Node drops all but the first of repeated fields such as Authorization; they have to be seen to be refused. Its own
 * `headersDistinct` builds the values of all fields to give those of one.
 *
 * @param name in lower case.
 */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>, name: string): readonly string[] {
  let values: string[] | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const field = rawHeaders[i] ?? '';
    if (field.length === name.length && (field === name || field.toLowerCase() === name)) (values ??= []).push(rawHeaders[i + 1] ?? '');
  }
  return values ?? NONE;
}

// Pipeline step: refuses a request whose head is not valid, for what Node lets pass or would answer without the contract's body.

/** uri-host [ ":" port ] (RFC 9110, section 7.2; RFC 3986, section 3.2.2). An http URI has a host that is not empty (section 4.2.1). */
const HOST = /^(\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|([\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(:\d*)?$/i;

/** More are no request that a client means; below the 1,000 that Node keeps by default, so that a host's server drops none unseen. */
const MAX_HEADER_FIELDS = 500;

interface ReceivedHead {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Creates the step.
 *
 * It throws AppError invalid_request for the version, for Transfer-Encoding (RFC 9112, sections 2.3 and 6.1), for Host (section 3.2) and
 * for a fragment; headers_too_large for too many fields; expectation_failed for Expect.
 *
 * @param readConditions is called for a request with conditions (RFC 9110, section 13.1).
 */
export function checkHead(readConditions?: (request: IncomingMessage) => void): (head: ReceivedHead) => void {
  // Requests have few different ones.
  let validHost: string | undefined;
  return (head) => {
    checkFraming(head);
    const { request } = head;
    const { headers } = request;
    // HTTP/2 has a field for it (RFC 9113, section 8.3.1).
    const { host = headers[':authority'] as string | undefined, expect } = headers;
    if (host === undefined) {
      if (request.httpVersion === '1.1') throw invalid('header/Host is required');
    } else if (host !== validHost) {
      if (!HOST.test(host)) throw invalid('header/Host is not a host');
      validHost = host;
    }
    // A target has no fragment (RFC 9112, section 3.2): it would be a part of the path, or of the query's last value.
    if (request.url?.includes('#')) throw invalid('the target of the request must not have a fragment');
    // `headers` has only the first one.
    if (headerValues(request, 'host').length > 1) throw invalid('header/Host must be given once');
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new FrameworkError('expectation_failed', 'header/Expect must be 100-continue');
    if (readConditions !== undefined && (headers['if-match'] ?? headers['if-none-match']) !== undefined) readConditions(request);
  };
}

/** What Node's parser lets pass although it says too little about where the request ends, or drops without a word. */
function checkFraming(head: ReceivedHead): void {
  const { headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = head.request;
  const socket = head.request.socket as ServedSocket;
  if (httpVersionMajor === 1) {
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && (httpVersionMinor === 0 || coding.toLowerCase() !== 'chunked'))
      refuseConnection(head, 'header/Transfer-Encoding must be chunked, in HTTP/1.1');
    // It was sent before its client knew, in one packet with the last one or soon after (RFC 9112, section 9.6).
    if (socket[REFUSED]) refuseConnection(head, 'the connection is being closed');
  } else if (!isHttp2(head.request)) refuseConnection(head, `HTTP/${httpVersion} is not served here: send HTTP/1.1`, 505);
  const count = rawHeaders.length / 2;
  if (count > MAX_HEADER_FIELDS)
    throw new FrameworkError('headers_too_large', `the request has more than ${MAX_HEADER_FIELDS} header fields`);
  // What is beyond this is dropped: a condition, a credential, or the address of the client.
  const kept = httpVersionMajor === 1 ? socket.server?.maxHeadersCount : undefined;
  if (kept && count >= kept) throw new FrameworkError('headers_too_large', `the request must have fewer than ${kept} header fields`);
}

const invalid = (message: string) => new FrameworkError('invalid_request', message);

/** A connection on which no further request is served, because where one ends and the next begins is not certain. */
const REFUSED = Symbol('refused');

/** A socket of `node:http`; one that is made by hand has no server. */
type ServedSocket = Socket & { readonly server?: { readonly maxHeadersCount?: number | null }; [REFUSED]?: true };

/** The response to this request is the last one of its connection. */
function refuseConnection({ request, response }: ReceivedHead, message: string, status?: number): never {
  (request.socket as ServedSocket)[REFUSED] = true;
  response.shouldKeepAlive = false;
  throw new FrameworkError('invalid_request', message, { status });
}
