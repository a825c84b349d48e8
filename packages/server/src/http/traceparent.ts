/** The header `traceparent` (W3C Trace Context, section 3.2): which trace a request belongs to, and which span is its parent. */

const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?=$|-)/;

/** @returns the header as version 00 has it; `undefined` for what is not valid, which is to be ignored (section 3.2.2.5). */
export const parseTraceparent = (header: unknown): string | undefined =>
  typeof header === 'string' && TRACEPARENT.test(header) ? `00${header.slice(2, 55)}` : undefined;

/** @param span of OpenTelemetry; its ids are lower-case hexadecimal. */
export const formatTraceparent = (span: { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }): string =>
  `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, '0')}`;

/** What a line of the log says of a trace, by the names of OpenTelemetry for logs that are JSON. */
export const traceFields = (traceparent: string | undefined): { readonly trace_id?: string; readonly span_id?: string } =>
  traceparent === undefined ? NO_FIELDS : { trace_id: traceparent.slice(3, 35), span_id: traceparent.slice(36, 52) };

const NO_FIELDS = Object.freeze({});

/** What an HTTP request carries of a trace: nothing, if it belongs to none. */
export interface TraceHeaders {
  readonly traceparent?: string;
}

export const traceHeaders = (traceparent: string | undefined): TraceHeaders => (traceparent === undefined ? {} : { traceparent });
