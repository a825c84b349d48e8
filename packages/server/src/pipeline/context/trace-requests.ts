/** Runs each request in a span of OpenTelemetry and records its metrics, by the semantic conventions of HTTP, if an SDK is registered. */
import type { Attributes, Span } from '@opentelemetry/api';
import type { Request, Response } from 'express';
import { formatTraceparent } from '../../http/traceparent.ts';
import { findAddress, pathForLog } from '../../listener.ts';
import type { TrustedProxy } from '../../limits/client-address.ts';
import { findTelemetry } from '../../ops/find-telemetry.ts';
import type { Exchange, ExchangeState } from '../exchange.ts';
import type { AnyStep } from '../step.ts';
import { KNOWN_METHODS, UNANSWERED_ERROR } from './request-metrics.ts';

/** What the conventions advise for `http.server.request.duration`, and 1 and 2 ms. In s. */
const BOUNDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

type Handle = (exchange: ExchangeState, steps: readonly AnyStep[]) => void;

/** Has requests handled in a span. Without an SDK it returns `handle` itself: tracing then costs nothing. */
export type TraceRequests = (handle: Handle) => Handle;

export interface TraceOptions {
  /** Paths that get no span: probes and metrics are asked for all the time. */
  readonly untraced: ReadonlySet<string>;
  readonly trustProxy: TrustedProxy | undefined;
}

/**
 * Looks for an SDK, once, when the server is made.
 *
 * Spans of what the handler calls are children of the request's: it runs in its context (AsyncLocalStorage).
 */
export function traceRequests({ untraced, trustProxy }: TraceOptions): TraceRequests {
  const telemetry = findTelemetry();
  if (telemetry === undefined) return (handle) => handle;
  const { api, tracer, meter } = telemetry;
  const duration = meter.createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of HTTP server requests.',
    advice: { explicitBucketBoundaries: BOUNDS },
  });
  const active = meter.createUpDownCounter('http.server.active_requests', {
    unit: '{request}',
    description: 'Number of active HTTP server requests.',
  });
  const spans = new WeakMap<Exchange, Span>();

  function onClose(this: Response): void {
    const { exchange } = this.req as Request;
    const request = requestAttributes(exchange);
    const outcome = outcomeAttributes(exchange);
    active.add(-1, request);
    duration.record((performance.now() - exchange.arrivedAt) / 1000, {
      ...request,
      ...outcome,
      'network.protocol.version': exchange.request.httpVersion,
    });
    const span = spans.get(exchange);
    if (span === undefined) return;
    span.setAttributes(outcome);
    if (exchange.operation !== undefined) span.updateName(`${methodOf(exchange)} ${exchange.service.base}${exchange.operation.path}`);
    if (outcome['error.type'] !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR });
    span.end();
  }

  return (handle) => (exchange, steps) => {
    active.add(1, requestAttributes(exchange));
    exchange.response.on('close', onClose);
    if (untraced.has(exchange.path)) return handle(exchange, steps);
    const parent = api.propagation.extract(api.ROOT_CONTEXT, exchange.request.headers);
    const attributes = { ...requestAttributes(exchange), ...spanAttributes(exchange, trustProxy) };
    const span = tracer.startSpan(methodOf(exchange), { kind: api.SpanKind.SERVER, attributes }, parent);
    const context = span.spanContext();
    // Of a provider that traces nothing, such as one for metrics alone.
    if (api.isSpanContextValid(context)) exchange.traceparent = formatTraceparent(context);
    spans.set(exchange, span);
    return api.context.with(api.trace.setSpan(parent, span), handle, undefined, exchange, steps);
  };
}

const methodOf = ({ request: { method } }: Exchange): string => (KNOWN_METHODS.has(method) ? method : 'HTTP');

/** What is known before the operation is, and has few values. */
function requestAttributes({ request: { method, socket } }: Exchange): Attributes {
  return {
    'http.request.method': KNOWN_METHODS.has(method) ? method : '_OTHER',
    'url.scheme': 'encrypted' in socket ? 'https' : 'http',
  };
}

/** Without the query, and with a path as in the log: either may hold what a client should have kept to itself. */
function spanAttributes(exchange: Exchange, trustProxy: TrustedProxy | undefined): Attributes {
  const { request, base, path } = exchange;
  const host = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(request.headers.host ?? '');
  const client = findAddress(exchange, trustProxy);
  const agent = request.headers['user-agent'];
  return {
    'url.path': pathForLog(base + path),
    'network.protocol.version': request.httpVersion,
    ...(KNOWN_METHODS.has(request.method) ? {} : { 'http.request.method_original': request.method }),
    ...(host?.[1] ? { 'server.address': host[1] } : {}),
    ...(host?.[2] ? { 'server.port': Number(host[2]) } : {}),
    ...(client === undefined ? {} : { 'client.address': client }),
    ...(agent === undefined ? {} : { 'user_agent.original': agent }),
  };
}

function outcomeAttributes({ operation, response, service, isAnswered }: Exchange): Attributes {
  const route = operation === undefined ? {} : { 'http.route': service.base + operation.path };
  if (!isAnswered) return { ...route, 'error.type': UNANSWERED_ERROR };
  const { statusCode } = response;
  return { ...route, 'http.response.status_code': statusCode, ...(statusCode >= 500 ? { 'error.type': String(statusCode) } : {}) };
}
