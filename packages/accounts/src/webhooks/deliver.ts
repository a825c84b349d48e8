/** One delivery: an HTTP POST to the address of a webhook, which must be a public one when it is connected to. */
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, isIPv6, type LookupFunction } from 'node:net';
import { isAppError, linkSignals, traceClientRequest, type TraceHeaders } from '@specwright/server';
import { signStandard, type Sign } from './sign.ts';
import { checkWebhookUrl, hostOf, isPublicAddress, type WebhookRules } from './webhook-url.ts';

/** The addresses of a host name. @throws Error if it has none. */
export type ResolveHost = (host: string) => Promise<readonly string[]>;

const resolveByDns: ResolveHost = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

export interface DeliverOptions extends WebhookRules {
  /** How long it may take from looking up the name to the status of the answer, in ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  readonly resolveHost?: ResolveHost;
  /** How deliveries are signed; by default as Standard Webhooks says. */
  readonly sign?: Sign | undefined;
  readonly userAgent?: string | undefined;
}

export interface Delivery {
  readonly id: string;
  /** JSON; empty for a delivery without a body. */
  readonly body: string;
  /** By default POST. */
  readonly method?: string | undefined;
  /** The media type; by default `application/json`. */
  readonly type?: string | null | undefined;
  readonly traceparent?: string | undefined;
}

/** Why a try has failed: what was wrong, of the look-up of the name to the status of the response. `gone` is 410 (RFC 9110, section 15.5.11). */
export const FAILURE_KINDS = ['dns', 'address', 'connection', 'timeout', 'status', 'gone'] as const;
export type FailureKind = (typeof FAILURE_KINDS)[number];

interface DeliveryFailure {
  readonly kind: FailureKind;
  /** The URL, which may hold secrets, is no part of it. */
  readonly text: string;
  /** How long the receiver asks to be left alone, in ms: its `Retry-After` (RFC 9110, section 10.2.3). */
  readonly retryAfter?: number | undefined;
}

export interface DeliveryOutcome {
  /** Why the receiver has not accepted it, if it has not. */
  readonly failure?: DeliveryFailure;
  readonly answer?: number;
}

/** The most that a receiver may ask for, in ms. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/** @returns how long from now, in ms; `undefined` for what is neither seconds nor a date. */
export function readRetryAfter(field: string | undefined, now: number): number | undefined {
  const ms = /^\d{1,10}$/.test(field ?? '') ? Number(field) * 1000 : Date.parse(field ?? '') - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** A look-up that failed, as against a receiver that could not be reached. */
class NameError extends Error {}

/** Delivers once. Redirects are not followed, and the body of the response is not read. */
export async function deliver(
  target: { readonly url: string; readonly secret?: string | undefined },
  delivery: Delivery,
  {
    timeout,
    signal,
    resolveHost = resolveByDns,
    allowPrivate = false,
    sign = signStandard,
    userAgent = 'specwright-webhooks',
  }: DeliverOptions,
): Promise<DeliveryOutcome> {
  const { signal: ended, release } = linkSignals([signal], timeout);
  try {
    const url = checkWebhookUrl(target.url, { allowPrivate });
    const addresses = await unlessAborted(ended, addressesOf(hostOf(url), resolveHost));
    const privateAddress = addresses.find((address) => !isPublicAddress(address));
    if (privateAddress !== undefined && !allowPrivate)
      return { failure: { kind: 'address', text: `its address ${privateAddress} is not public` } };
    const { id, body, method = 'POST', type } = delivery;
    const signed = sign(target.secret, { id, body, timestamp: Math.floor(Date.now() / 1000) });
    const send = (trace: TraceHeaders) => {
      const content = body === '' ? {} : { 'Content-Type': type ?? 'application/json' };
      const length = { 'Content-Length': Buffer.byteLength(signed.body) };
      const headers = { ...content, ...length, 'User-Agent': userAgent, ...trace, ...signed.headers };
      return request(url, addresses, { method, headers, body: signed.body, signal: ended });
    };
    let retryAfter: string | undefined;
    const answer = await traceClientRequest(method, url, delivery.traceparent, async (trace) => {
      const response = await send(trace);
      retryAfter = response.retryAfter;
      return response.status;
    });
    if (answer >= 200 && answer < 300) return { answer };
    const kind = answer === GONE ? 'gone' : 'status';
    return { answer, failure: { kind, text: `it answered ${answer}`, retryAfter: readRetryAfter(retryAfter, Date.now()) } };
  } catch (error) {
    if (signal.aborted) return { failure: { kind: 'timeout', text: 'it was interrupted' } };
    if (ended.aborted) return { failure: { kind: 'timeout', text: `it did not answer within ${timeout} ms` } };
    return { failure: failureOf(error as Error & { code?: string }) };
  } finally {
    release();
  }
}

/** Of a try that has no answer. */
function failureOf(error: Error & { code?: string }): DeliveryFailure {
  if (isAppError(error)) return { kind: 'address', text: error.message };
  return { kind: error instanceof NameError ? 'dns' : 'connection', text: error.code ?? error.message };
}

const GONE = 410;

async function addressesOf(host: string, resolveHost: ResolveHost): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host];
  const addresses = await resolveHost(host).catch((cause: unknown) => {
    const { code, message } = cause as Error & { code?: string };
    throw new NameError(code ?? message, { cause });
  });
  if (addresses.length === 0) throw new NameError('its name has no address');
  return addresses;
}

/** Rejects when the signal is aborted, even before: a DNS look-up cannot be, but need not be waited for. Its own error is handled too. */
function unlessAborted<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject);
  });
}

/**
 * A new connection each time: a kept one could lead to where the name led before. Node's types of requests lack `autoSelectFamily`, with which it
 * asks the look-up for all addresses, whatever its own default is.
 */
const FRESH: http.RequestOptions & { readonly autoSelectFamily: true } = { agent: false, autoSelectFamily: true };

/** @returns the status, and `Retry-After`. Connects only to `addresses`, whatever the name resolves to by then (DNS rebinding). */
function request(
  url: URL,
  addresses: readonly string[],
  { body, ...options }: { method: string; headers: http.OutgoingHttpHeaders; body: string; signal: AbortSignal },
): Promise<{ status: number; retryAfter: string | undefined }> {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  const pinned: LookupFunction = (_host, _options, done) => done(null, all);
  return new Promise((resolve, reject) => {
    const client = url.protocol === 'https:' ? https : http;
    const sent = client.request(url, { ...options, ...FRESH, lookup: pinned }, (response) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] });
      response.destroy();
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
