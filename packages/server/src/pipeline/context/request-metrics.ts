/** What requests cost and how they end, for `GET /metrics`: the metrics of OpenTelemetry's HTTP conventions, by their names for Prometheus. */
import type { ContractOperation } from '../../contract/load-contract.ts';
import type { AppError } from '../../errors.ts';
import { byLabel, Durations, type Metric, type MetricSource } from '../../ops/metric.ts';
import type { AdmissionCounts } from '../admission/admission.ts';
import type { Exchange } from '../exchange.ts';

export interface RequestMetrics {
  readonly start: () => void;
  readonly end: (exchange: Exchange) => void;
  /** Counts an error that ends a request. */
  readonly countError: (error: AppError, status: number) => void;
  readonly read: MetricSource;
}

const DURATION = 'http_server_request_duration_seconds';
/** Of a request without a response, because the client went away. */
const UNANSWERED = 0;
export const UNANSWERED_ERROR = 'client_gone';
/** Services may give each 503 another message; the values of a label must be bounded. */
const MAX_REASONS = 50;
export const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The durations of a route, by status. */
type ByStatus = (Durations | undefined)[];

/** @param routes the path of each operation, as it is in requests. */
export function createRequestMetrics(routes: ReadonlyMap<ContractOperation, string>): RequestMetrics {
  const ofOperations = new Map<ContractOperation, ByStatus>([...routes.keys()].map((operation) => [operation, []]));
  // What is no operation's has no route, and one series for each method that HTTP knows.
  const ofOthers = new Map<string, ByStatus>();
  const errors = new Map<string, number>();
  const unavailable = new Map<string, number>();
  let active = 0;

  function ofMethod(method: string): ByStatus {
    const name = KNOWN_METHODS.has(method) ? method : '_OTHER';
    const durations = ofOthers.get(name) ?? [];
    ofOthers.set(name, durations);
    return durations;
  }

  return {
    start() {
      active++;
    },
    end({ operation, request, response, arrivedAt }) {
      active--;
      const durations = operation === undefined ? ofMethod(request.method) : (ofOperations.get(operation) as ByStatus);
      const status = response.writableFinished ? response.statusCode : UNANSWERED;
      (durations[status] ??= new Durations()).record((performance.now() - arrivedAt) / 1000);
    },
    countError({ code, message }, status) {
      increment(errors, code);
      if (status !== 503) return;
      increment(unavailable, unavailable.has(message) || unavailable.size < MAX_REASONS ? message : 'other');
    },
    read: (): Metric[] => [
      {
        name: DURATION,
        help: 'Duration of HTTP requests, until the response was sent or the client went away.',
        type: 'histogram',
        values: [
          ...[...ofOperations].flatMap(([operation, durations]) =>
            valuesOf(operation.method.toUpperCase(), routes.get(operation), durations),
          ),
          ...[...ofOthers].flatMap(([method, durations]) => valuesOf(method, undefined, durations)),
        ],
      },
      { name: 'http_server_active_requests', help: 'Requests under way.', type: 'gauge', values: [{ value: active }] },
      {
        name: 'http_server_errors_total',
        help: 'Requests that ended with an error, by its code.',
        type: 'counter',
        values: byLabel('code', Object.fromEntries(errors)),
      },
      {
        name: 'http_server_unavailable_total',
        help: 'Requests that ended with 503, by the reason that the client was told.',
        type: 'counter',
        values: byLabel('reason', Object.fromEntries(unavailable)),
      },
    ],
  };
}

/** What the bound on requests under way does. */
export function admissionMetrics({ running, limit, waiting, refused }: AdmissionCounts): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric => ({ name, help, type: 'gauge', values: [{ value }] });
  return [
    gauge('http_server_admission_running', 'Requests of operations that run.', running),
    gauge('http_server_admission_limit', 'How many of them may run at once.', limit),
    gauge('http_server_admission_waiting', 'Requests that wait for a slot.', waiting),
    {
      name: 'http_server_admission_refused_total',
      help: 'Requests that were refused because too many were under way.',
      type: 'counter',
      values: [{ value: refused }],
    },
  ];
}

/** @param bytes those of all bodies. */
export const bodyMetric = (bytes: number): Metric => ({
  name: 'http_server_body_bytes',
  help: 'Bytes of request bodies under way that did not come in one packet.',
  type: 'gauge',
  values: [{ value: bytes }],
});

const increment = (counts: Map<string, number>, key: string) => void counts.set(key, (counts.get(key) ?? 0) + 1);

function valuesOf(method: string, route: string | undefined, durations: ByStatus) {
  return durations.flatMap((of, status) => {
    const labels = {
      http_request_method: method,
      ...(route === undefined ? {} : { http_route: route }),
      ...(status === UNANSWERED ? { error_type: UNANSWERED_ERROR } : { http_response_status_code: status }),
    };
    return of?.values(DURATION, labels) ?? [];
  });
}
