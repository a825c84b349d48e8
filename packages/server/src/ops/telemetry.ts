/** Finds what an SDK of OpenTelemetry has registered, through `@opentelemetry/api`. Without an SDK not even that is loaded. */
import { createRequire } from 'node:module';
import type * as Api from '@opentelemetry/api';

export interface Telemetry {
  readonly api: typeof Api;
  readonly tracer: Api.Tracer;
  readonly meter: Api.Meter;
}

/** Where each copy of the API 1.x looks for what was registered, so that several copies in one process work. Loading one takes 30 ms. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');
const SCOPE = '@specwright/server';

/**
 * @returns `undefined` if neither a tracer nor a meter provider is registered at this moment: a program that is given to
 *   `node --import` has registered them before the service starts.
 */
export function findTelemetry(): Telemetry | undefined {
  const registered = (globalThis as { [REGISTRY]?: { trace?: object; metrics?: object } })[REGISTRY];
  if (registered?.trace === undefined && registered?.metrics === undefined) return undefined;
  const api = createRequire(import.meta.url)('@opentelemetry/api') as typeof Api;
  return { api, tracer: api.trace.getTracer(SCOPE), meter: api.metrics.getMeter(SCOPE) };
}

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
