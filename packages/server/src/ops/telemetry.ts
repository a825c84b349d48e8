/** Traces of what a service sends. No type of `@opentelemetry/api` is in the declarations: it is bundled, and nobody has installed it. */
import { isTelemetryRegistered } from '@specwright/contract/runtime';
import { parseTraceparent, type TraceHeaders, traceHeaders } from '../http/traceparent.ts';

/** As that of `client-span.ts`; nothing of it is loaded without an SDK. */
export async function flushTelemetry(): Promise<void> {
  if (isTelemetryRegistered()) await (await import('./client-span.ts')).flushTelemetry();
}

/**
 * Sends a request as part of a trace. The span has no path and no query of the URL, which may hold secrets.
 *
 * @param traceparent of the trace, from the context of a handler. Without an SDK of OpenTelemetry it is passed on unchanged.
 * @param send sends the request with these headers, and returns the status of its response.
 */
export async function traceClientRequest(
  method: string,
  url: URL,
  traceparent: string | undefined,
  send: (headers: TraceHeaders) => Promise<number>,
): Promise<number> {
  if (!isTelemetryRegistered()) return send(traceHeaders(parseTraceparent(traceparent)));
  const { sendInSpan } = await import('./client-span.ts');
  return sendInSpan(method, url, traceparent, send);
}
