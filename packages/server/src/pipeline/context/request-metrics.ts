/**
 * What requests cost and how they end, for `GET /metrics`: the metrics of OpenTelemetry's HTTP conventions, by their names for Prometheus.
 *
 * Durations are by route, and statuses are counted apart: buckets for each status of each route would be ten times the series.
 */
import type { ContractOperation } from '@specwright/contract';
import { FRAMEWORK_ERRORS, type AppError } from '../../errors.ts';
import { byLabel, Durations, type Metric, type MetricSource, type MetricValue } from '../../ops/metric.ts';
import type { AdmissionCounts } from '../admission/admission.ts';
import type { Exchange } from '../exchange.ts';

export interface RequestMetrics {
  readonly start: () => void;
  readonly end: (exchange: Exchange) => void;
  /** Counts an error that ends a request. */
  readonly countError: (error: AppError, status: number) => void;
  /** Counts a request with credentials that no caller has, or that were refused before they were looked up. */
  readonly countUnknownCredentials: (status: number) => void;
  readonly read: MetricSource;
}

const DURATION = 'http_server_request_duration_seconds';
const REQUESTS = 'http_server_requests_total';
/** Of a request without a response, because the client went away. */
const UNANSWERED = 0;
export const UNANSWERED_ERROR = 'client_gone';
/** Services may give each 503 another message; the values of a label must be bounded. */
const MAX_REASONS = 50;
export const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The requests of a route. */
class RouteMetrics {
  readonly durations = new Durations();
  readonly #statuses: number[] = [];

  record(seconds: number, status: number): void {
    this.durations.record(seconds);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }

  /** How many requests ended with each status. */
  requests(labels: Labels): MetricValue[] {
    return Object.entries(this.#statuses).map(([status, value]) => ({ labels: { ...labels, ...outcomeLabels(Number(status)) }, value }));
  }
}

type Labels = Readonly<Record<string, string | number>>;

const outcomeLabels = (status: number): Labels =>
  status === UNANSWERED ? { error_type: UNANSWERED_ERROR } : { http_response_status_code: status };

/** @param routes the path of each operation, as it is in requests. */
export function createRequestMetrics(routes: ReadonlyMap<ContractOperation, string>): RequestMetrics {
  const ofOperations = new Map<ContractOperation, RouteMetrics>();
  // What is no operation's has no route, and one series for each method that HTTP knows.
  const ofOthers = new Map<string, RouteMetrics>();
  // All from the start: `rate()` does not see the first increment of a series that appears with it.
  const errors = new Map<string, number>([...Object.keys(FRAMEWORK_ERRORS), UNANSWERED_ERROR].map((code) => [code, 0]));
  const unavailable = new Map<string, number>();
  const unknownCredentials = new Map<number, number>([401, 429].map((status) => [status, 0]));
  let active = 0;

  function metricsOf<Key>(all: Map<Key, RouteMetrics>, key: Key): RouteMetrics {
    let route = all.get(key);
    if (route === undefined) all.set(key, (route = new RouteMetrics()));
    return route;
  }

  /** Each route that was used, with its labels. */
  const listRoutes = (): (readonly [RouteMetrics, Labels])[] => [
    ...[...ofOperations].map(
      ([operation, route]) =>
        [route, { http_request_method: operation.method.toUpperCase(), http_route: routes.get(operation) ?? operation.path }] as const,
    ),
    ...[...ofOthers].map(([method, route]) => [route, { http_request_method: method }] as const),
  ];

  return {
    start() {
      active++;
    },
    end({ operation, request: { method }, response, arrivedAt }) {
      active--;
      const route =
        operation === undefined ? metricsOf(ofOthers, KNOWN_METHODS.has(method) ? method : '_OTHER') : metricsOf(ofOperations, operation);
      const status = response.writableFinished ? response.statusCode : UNANSWERED;
      if (status === UNANSWERED) increment(errors, UNANSWERED_ERROR);
      route.record((performance.now() - arrivedAt) / 1000, status);
    },
    countError({ code, message }, status) {
      increment(errors, code);
      if (status !== 503) return;
      increment(unavailable, unavailable.has(message) || unavailable.size < MAX_REASONS ? message : 'other');
    },
    countUnknownCredentials(status) {
      increment(unknownCredentials, status);
    },
    read: (): Metric[] => [
      {
        name: DURATION,
        help: 'Duration of HTTP requests, until the response was sent or the client went away.',
        type: 'histogram',
        values: listRoutes().flatMap(([route, labels]) => route.durations.values(DURATION, labels)),
      },
      {
        name: REQUESTS,
        help: 'HTTP requests, by status, or by what they ended with instead of a response.',
        type: 'counter',
        values: listRoutes().flatMap(([route, labels]) => route.requests(labels)),
      },
      { name: 'http_server_active_requests', help: 'Requests under way.', type: 'gauge', values: [{ value: active }] },
      {
        name: 'http_server_errors_total',
        help: 'Requests that ended with an error, by its code, or without a response.',
        type: 'counter',
        values: byLabel('code', Object.fromEntries(errors)),
      },
      {
        name: 'http_server_unavailable_total',
        help: 'Requests that ended with 503, by the reason that the client was told.',
        type: 'counter',
        values: byLabel('reason', Object.fromEntries(unavailable)),
      },
      {
        name: 'http_server_unknown_credentials_total',
        help: 'Requests with credentials that no caller has: 401, or 429 beyond the limit of their address.',
        type: 'counter',
        values: byLabel('http_response_status_code', Object.fromEntries(unknownCredentials)),
      },
    ],
  };
}

/** What the bound on requests under way does. */
export function admissionMetrics({ running, expired, limit, waiting, held, refused }: AdmissionCounts): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric => ({ name, help, type: 'gauge', values: [{ value }] });
  return [
    gauge('http_server_admission_running', 'Requests of operations that run.', running),
    gauge('http_server_admission_expired', 'Those of them that were answered at their deadline and still run.', expired),
    gauge('http_server_admission_limit', 'How many of them may run at once.', limit),
    gauge('http_server_admission_waiting', 'Requests that wait for a slot.', waiting),
    gauge('http_server_admission_held', 'Refused requests whose answer waits, as their client came again before Retry-After was up.', held),
    {
      name: 'http_server_admission_refused_total',
      help: 'Requests that were refused because too many were under way.',
      type: 'counter',
      values: [{ value: refused }],
    },
  ];
}

/** @param bytes those of all bodies. */
/** @param bytes in memory. @param spooledBytes on disk. */
export const bodyMetrics = (bytes: number, spooledBytes: number): readonly Metric[] => [
  {
    name: 'http_server_body_bytes',
    help: 'Bytes of request bodies under way that did not come in one packet.',
    type: 'gauge',
    values: [{ value: bytes }],
  },
  {
    name: 'http_server_spooled_bytes',
    help: 'Bytes on disk that are taken or reserved by files of requests under way.',
    type: 'gauge',
    values: [{ value: spooledBytes }],
  },
];

const increment = <Key>(counts: Map<Key, number>, key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1);
