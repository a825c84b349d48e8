/** Pipeline step: refuses a request whose head is not valid, for what Node lets pass or would answer without the contract's body. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { FrameworkError } from '@specwright/contract/runtime';
import { isHttp2 } from '../../http/request-head.ts';
import type { Step } from '../step.ts';

/** uri-host [ ":" port ] (RFC 9110, section 7.2; RFC 3986, section 3.2.2). An http URI has a host that is not empty (section 4.2.1). */
const HOST = /^(\[[0-9a-f:.]+\]|\[v[0-9a-f]+\.[\w.~!$&'()*+,;=:-]+\]|([\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)(:\d*)?$/i;

/** More are no request that a client means; below the 1,000 that Node keeps by default, so that a host's server drops none unseen. */
const MAX_HEADER_FIELDS = 500;

/**
 * Creates the step. It throws headers_too_large for more fields than that; it throws AppError invalid_request for the version, for Transfer-Encoding (RFC 9112, sections 2.3 and 6.1) and for
 * Host (section 3.2); expectation_failed for Expect.
 */
export function checkHead(): Step {
  // Requests have few different ones.
  let validHost: string | undefined;
  return ({ request, response }) => {
    checkFraming(request, response);
    checkFieldCount(request);
    const { headers, rawHeaders, httpVersion } = request;
    // HTTP/2 has a field for it (RFC 9113, section 8.3.1).
    const { host = headers[':authority'] as string | undefined, expect } = headers;
    if (host === undefined) {
      if (httpVersion === '1.1') throw new FrameworkError('invalid_request', 'header/Host is required');
    } else if (host !== validHost) {
      if (!HOST.test(host)) throw new FrameworkError('invalid_request', 'header/Host is not a host');
      validHost = host;
    }
    // A target has no fragment (RFC 9112, section 3.2): it would be a part of the path, or of the query's last value.
    if (request.url.includes('#')) throw new FrameworkError('invalid_request', 'the target of the request must not have a fragment');
    if (hasTwoHosts(rawHeaders)) throw new FrameworkError('invalid_request', 'header/Host must be given once');
    if (expect !== undefined && expect.toLowerCase() !== '100-continue')
      throw new FrameworkError('expectation_failed', 'header/Expect must be 100-continue');
  };
}

/** A server drops without a word what is beyond its `maxHeadersCount`: a condition, a credential, or the address of the client. */
function checkFieldCount({ rawHeaders, socket, httpVersionMajor }: Request): void {
  const count = rawHeaders.length / 2;
  if (count > MAX_HEADER_FIELDS)
    throw new FrameworkError('headers_too_large', `the request has more than ${MAX_HEADER_FIELDS} header fields`);
  if (httpVersionMajor !== 1) return;
  const kept = (socket as ServedSocket).server?.maxHeadersCount;
  if (kept && count >= kept) throw new FrameworkError('headers_too_large', `the request must have fewer than ${kept} header fields`);
}

/** A socket of `node:http`; one that is made by hand has no server. */
type ServedSocket = Socket & { readonly server?: { readonly maxHeadersCount?: number | null } };

/** What Node's parser lets pass although it says too little about where the request ends: it is the last one of its connection. */
function checkFraming(request: Request, response: Response): void {
  if (request.httpVersionMajor !== 1) {
    if (isHttp2(request)) return;
    const error = new FrameworkError('invalid_request', `HTTP/${request.httpVersion} is not served here: send HTTP/1.1`, { status: 505 });
    return refuse(request, response, error);
  }
  const coding = request.headers['transfer-encoding'];
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || request.httpVersionMinor === 0))
    refuse(request, response, new FrameworkError('invalid_request', 'header/Transfer-Encoding must be chunked, in HTTP/1.1'));
  // It was sent before its client knew, in one packet with the last one or soon after.
  if (isOnRefusedConnection(request)) refuse(request, response, new FrameworkError('invalid_request', 'the connection is being closed'));
}

function refuse(request: Request, response: Response, error: Error): never {
  refuseConnection(request, response);
  throw error;
}

/** `headers` has only the first one. */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let found = false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length !== 4 || name.toLowerCase() !== 'host') continue;
    if (found) return true;
    found = true;
  }
  return false;
}

/** Connections on which no further request is served, because where one ends and the next begins is not certain. */
const REFUSED = Symbol('refused');
type MarkedSocket = IncomingMessage['socket'] & { [REFUSED]?: true };

/** The response to this request is the last one of its connection. */
function refuseConnection(request: IncomingMessage, response: ServerResponse): void {
  (request.socket as MarkedSocket)[REFUSED] = true;
  response.shouldKeepAlive = false;
}

/** Whether a request before it on the connection was the last one (RFC 9112, section 9.6). */
const isOnRefusedConnection = (request: IncomingMessage): boolean => (request.socket as MarkedSocket)[REFUSED] === true;
