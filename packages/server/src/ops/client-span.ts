/** The span of an HTTP request that a service sends, and the `traceparent` that it carries, by the semantic conventions of HTTP. */
import type { Attributes } from '@opentelemetry/api';
import { findTelemetry } from './find-telemetry.ts';
import { formatTraceparent, parseTraceparent, type TraceHeaders, traceHeaders } from '../http/traceparent.ts';

/** Has what was recorded sent to where the SDK sends it: before the process exits. What cannot be sent is lost. */
export async function flushTelemetry(): Promise<void> {
  const telemetry = findTelemetry();
  if (telemetry === undefined) return;
  const { trace, metrics } = telemetry.api;
  const tracers = trace.getTracerProvider() as Flushable & { getDelegate?: () => Flushable };
  const meters = metrics.getMeterProvider() as Flushable;
  await Promise.allSettled([tracers.getDelegate?.() ?? tracers, meters].map(async (provider) => provider.forceFlush?.()));
}

/** The providers of SDKs have more than the API says. */
interface Flushable {
  readonly forceFlush?: () => Promise<void>;
}

/** As `traceClientRequest`, with an SDK of OpenTelemetry. */
export async function sendInSpan(
  method: string,
  url: URL,
  traceparent: string | undefined,
  send: (headers: TraceHeaders) => Promise<number>,
): Promise<number> {
  const telemetry = findTelemetry();
  if (telemetry === undefined) return send(traceHeaders(parseTraceparent(traceparent)));
  const { api, tracer } = telemetry;
  const active = api.context.active();
  const parent = traceparent === undefined ? active : api.propagation.extract(active, { traceparent });
  const attributes: Attributes = {
    'http.request.method': method,
    'url.full': `${url.origin}/`,
    'server.address': url.hostname,
    'server.port': Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
  };
  const span = tracer.startSpan(method, { kind: api.SpanKind.CLIENT, attributes }, parent);
  const own = span.spanContext();
  try {
    const status = await send(traceHeaders(api.isSpanContextValid(own) ? formatTraceparent(own) : parseTraceparent(traceparent)));
    span.setAttribute('http.response.status_code', status);
    if (status >= 400) span.setAttribute('error.type', String(status)).setStatus({ code: api.SpanStatusCode.ERROR });
    return status;
  } catch (error) {
    const { code, name } = error as { code?: string; name?: string };
    span.setAttribute('error.type', code ?? name ?? '_OTHER').setStatus({ code: api.SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
