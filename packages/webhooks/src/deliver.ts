/** One delivery: an HTTP POST to the address of a webhook, which must be a public one when it is connected to. */
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { isAppError, traceClientRequest, type TraceHeaders } from '@specwright/server';
import { formerHeaders, isFormerSecret, standardHeaders } from './sign.ts';
import { checkWebhookUrl, hostOf, isPublicAddress, type WebhookRules } from './webhook-url.ts';

/** The addresses of a host name. @throws Error if it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const resolveByDns: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface DeliverOptions extends WebhookRules {
  /** How long it may take from looking up the name to the status of the answer, in ms. */
  readonly timeout: number;
  /** Aborted when the delivery has to end. */
  readonly signal: AbortSignal;
  readonly resolveHost?: ResolveHost;
}

export interface Delivery {
  readonly id: string;
  readonly message: string;
  readonly createdAt: string;
  /** The trace that it belongs to. */
  readonly traceparent?: string | undefined;
}

/**
 * Delivers once. Redirects are not followed, and the body of the answer is not read.
 *
 * @returns `undefined` if the receiver has accepted it, else why not; the URL, which may hold secrets, is no part of it.
 */
export async function deliver(
  target: { readonly url: string; readonly secret: string },
  delivery: Delivery,
  { timeout, signal, resolveHost = resolveByDns, allowPrivate = false }: DeliverOptions,
): Promise<string | undefined> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  try {
    const url = checkWebhookUrl(target.url, { allowPrivate });
    const addresses = await unlessAborted(ended, addressesOf(hostOf(url), resolveHost));
    const privateAddress = addresses.find((address) => !isPublicAddress(address));
    if (privateAddress !== undefined && !allowPrivate) return `its address ${privateAddress} is not public`;
    const send = (trace: TraceHeaders) => post(url, addresses, signedRequest(target.secret, delivery, trace), ended);
    const status = await traceClientRequest('POST', url, delivery.traceparent, send);
    return status >= 200 && status < 300 ? undefined : `it answered ${status}`;
  } catch (error) {
    if (ended.aborted) return signal.aborted ? 'it was interrupted' : `it did not answer within ${timeout} ms`;
    const { code, message } = error as { code?: string; message: string };
    return isAppError(error) ? message : (code ?? message);
  }
}

async function addressesOf(host: string, resolveHost: ResolveHost): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolveHost(host) : [host];
  if (addresses.length === 0) throw new Error('its name has no address');
  return addresses;
}

/** Rejects when the signal is aborted: a DNS look-up cannot be, but need not be waited for. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    promise.then(resolve, reject);
  });
}

function signedRequest(secret: string, { id, message, createdAt }: Delivery, trace: TraceHeaders) {
  const data = { id, message, createdAt };
  const former = isFormerSecret(secret);
  const body = JSON.stringify(former ? data : { type: 'message.created', timestamp: createdAt, data });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'petstore-webhook/2',
    ...trace,
    ...standardHeaders(secret, id, timestamp, body),
    ...(former ? formerHeaders(secret, id, timestamp, body) : {}),
  };
  return { headers, body };
}

/** @returns the status. Connects only to `addresses`, whatever the name resolves to by then (DNS rebinding). */
function post(
  url: URL,
  addresses: readonly string[],
  { headers, body }: ReturnType<typeof signedRequest>,
  signal: AbortSignal,
): Promise<number> {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const [first = { address: '', family: 4 }] = all;
  const pinned: LookupFunction = (_host, options, done) => (options.all ? done(null, all) : done(null, first.address, first.family));
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    // A new connection each time: a kept one could lead to where the name led before.
    const sent = request(url, { method: 'POST', headers, agent: false, lookup: pinned, signal }, (response) => {
      resolve(response.statusCode ?? 0);
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
