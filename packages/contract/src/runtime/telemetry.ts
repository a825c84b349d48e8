/** Whether an SDK of OpenTelemetry is there, without loading `@opentelemetry/api`. */

/** Where each copy of the API 1.x looks for what was registered, so that several copies in one process work. Loading one takes 30 ms. */
const REGISTRY = Symbol.for('opentelemetry.js.api.1');

/**
 * @returns whether a tracer or meter provider is registered at this moment: a program that is given to `node --import` has registered
 *   them before the service starts.
 */
export function isTelemetryRegistered(): boolean {
  const registered = (globalThis as { [REGISTRY]?: { trace?: object; metrics?: object } })[REGISTRY];
  return registered?.trace !== undefined || registered?.metrics !== undefined;
}
