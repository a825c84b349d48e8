/** Finds what an SDK of OpenTelemetry has registered, through `@opentelemetry/api`. Without an SDK not even that is loaded. */
import type * as Api from '@opentelemetry/api';
import { isTelemetryRegistered, requireLibrary } from '@specwright/contract/runtime';

interface Telemetry {
  readonly api: typeof Api;
  readonly tracer: Api.Tracer;
  readonly meter: Api.Meter;
}

const SCOPE = '@specwright/server';

/**
 * @returns `undefined` if neither a tracer nor a meter provider is registered at this moment: a program that is given to
 *   `node --import` has registered them before the service starts.
 */
export function findTelemetry(): Telemetry | undefined {
  if (!isTelemetryRegistered()) return undefined;
  const api = requireLibrary('@opentelemetry/api', new URL('../libraries/', import.meta.url)) as typeof Api;
  return { api, tracer: api.trace.getTracer(SCOPE), meter: api.metrics.getMeter(SCOPE) };
}
