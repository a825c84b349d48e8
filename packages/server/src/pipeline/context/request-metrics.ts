/**
 * What requests cost and how they end, for `GET /metrics`: the metrics of OpenTelemetry's HTTP conventions, by their names for Prometheus.
 *
 * Durations are by route, and statuses are counted apart: buckets for each status of each route would be ten times the series.
 */
import { COMPLEXITY, type ContractOperation } from '@specwright/contract';
import { FRAMEWORK_ERRORS, type AppError, byLabel, counter, gauge, type Metric, type MetricValue } from '@specwright/contract/runtime';
import { DROPPED_LINES, type Log } from '../../log/logger.ts';
import { Durations } from '../../ops/durations.ts';
import type { Admission } from '../admission/admission.ts';
import type { Exchange } from '../exchange.ts';
import { causeCode } from '../outage-log.ts';

const DURATION = 'http_server_request_duration_seconds';
const REQUESTS = 'http_server_requests_total';
/** Of a request without a response, because the client went away. */
const UNANSWERED = 0;
export const UNANSWERED_ERROR = 'client_gone';
/** Services may give each 503 another message; the values of a label must be bounded. */
const MAX_REASONS = 50;
const OTHER_REASONS = JSON.stringify({ reason: 'other' });
export const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

class RouteMetrics {
  readonly durations = new Durations();
  readonly #statuses: number[] = [];

  record(seconds: number, status: number): void {
    this.durations.record(seconds);
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1;
  }

  requests(labels: Labels): MetricValue[] {
    return Object.entries(this.#statuses).map(([status, value]) => ({ labels: { ...labels, ...outcomeLabels(Number(status)) }, value }));
  }
}

type Labels = Readonly<Record<string, string | number>>;

const outcomeLabels = (status: number): Labels =>
  status === UNANSWERED ? { error_type: UNANSWERED_ERROR } : { http_response_status_code: status };

export class RequestMetrics {
  readonly #routes: ReadonlyMap<ContractOperation, string>;
  readonly #ofOperations = new Map<ContractOperation, RouteMetrics>();
  /** Requests without an operation have no route, and one series for each method that HTTP knows. */
  readonly #ofOthers = new Map<string, RouteMetrics>();
  /** All from the start: `rate()` does not see the first increment of a series that appears with it. */
  readonly #errors = new Map<string, number>([...Object.keys(FRAMEWORK_ERRORS), UNANSWERED_ERROR].map((code) => [code, 0]));
  /** By the labels, as a JSON text. */
  readonly #unavailable = new Map<string, number>();
  readonly #unknownCredentials = new Map<number, number>([401, 429].map((status) => [status, 0]));
  #tooComplex = 0;
  #active = 0;

  /** @param routes the path of each operation, as it is in requests. */
  constructor(routes: ReadonlyMap<ContractOperation, string>) {
    this.#routes = routes;
  }

  start(): void {
    this.#active++;
  }

  end({ operation, request: { method }, response, arrivedAt, isAnswered }: Exchange): void {
    this.#active--;
    const route =
      operation === undefined
        ? metricsOf(this.#ofOthers, KNOWN_METHODS.has(method) ? method : '_OTHER')
        : metricsOf(this.#ofOperations, operation);
    const status = isAnswered ? response.statusCode : UNANSWERED;
    if (status === UNANSWERED) increment(this.#errors, UNANSWERED_ERROR);
    route.record((performance.now() - arrivedAt) / 1000, status);
  }

  countError(error: AppError, status: number): void {
    const { code, message, problems } = error;
    increment(this.#errors, code);
    if (problems?.some((problem) => problem.code === COMPLEXITY) === true) this.#tooComplex++;
    if (status !== 503) return;
    // `error.type` of OpenTelemetry's conventions: there is no such label without a code.
    const labels = JSON.stringify({ reason: message, error_type: causeCode(error) });
    const isNamed = this.#unavailable.has(labels) || this.#unavailable.size < MAX_REASONS;
    increment(this.#unavailable, isNamed ? labels : OTHER_REASONS);
  }

  /** Counts a request with credentials that no caller has, or that were refused before they were looked up. */
  countUnknownCredentials(status: number): void {
    increment(this.#unknownCredentials, status);
  }

  readonly read = (): Metric[] => {
    const routes = this.#listRoutes();
    return [
      {
        name: DURATION,
        help: 'Duration of HTTP requests, until the response was sent or the client went away.',
        type: 'histogram',
        values: routes.flatMap(([route, labels]) => route.durations.values(DURATION, labels)),
      },
      counter(
        REQUESTS,
        'HTTP requests, by status, or by what they ended with instead of a response.',
        routes.flatMap(([route, labels]) => route.requests(labels)),
      ),
      gauge('http_server_active_requests', 'Requests under way.', this.#active),
      counter(
        'http_server_errors_total',
        'Requests that ended with an error, by its code, or without a response.',
        byLabel('code', Object.fromEntries(this.#errors)),
      ),
      counter(
        'http_server_unavailable_total',
        'Requests that ended with 503, by the reason that the client was told, and by the code of its cause, such as a SQLSTATE.',
        [...this.#unavailable].map(([labels, value]) => ({ labels: JSON.parse(labels) as Labels, value })),
      ),
      counter(
        'http_server_too_complex_requests_total',
        'Requests that were refused because the validation of a value took too many steps.',
        this.#tooComplex,
      ),
      counter(
        'http_server_unknown_credentials_total',
        'Requests with credentials that no caller has: 401, or 429 beyond the limit of their address.',
        byLabel('http_response_status_code', Object.fromEntries(this.#unknownCredentials)),
      ),
    ];
  };

  #listRoutes(): (readonly [RouteMetrics, Labels])[] {
    const ofOperation = (operation: ContractOperation): Labels => ({
      http_request_method: operation.method.toUpperCase(),
      http_route: this.#routes.get(operation) ?? operation.path,
    });
    return [
      ...[...this.#ofOperations].map(([operation, route]) => [route, ofOperation(operation)] as const),
      ...[...this.#ofOthers].map(([method, route]) => [route, { http_request_method: method }] as const),
    ];
  }
}

function metricsOf<Key>(all: Map<Key, RouteMetrics>, key: Key): RouteMetrics {
  let route = all.get(key);
  if (route === undefined) all.set(key, (route = new RouteMetrics()));
  return route;
}

export function admissionMetrics({ running, expired, limit, waiting, held, refused }: Admission['counts']): Metric[] {
  return [
    gauge('http_server_admission_running', 'Requests of operations that run.', running),
    gauge('http_server_admission_expired', 'Those of them that were answered at their deadline and still run.', expired),
    gauge('http_server_admission_limit', 'How many of them may run at once.', limit),
    gauge('http_server_admission_waiting', 'Requests that wait for a slot.', waiting),
    gauge('http_server_admission_held', 'Refused requests whose answer waits, as their client came again before Retry-After was up.', held),
    counter('http_server_admission_refused_total', 'Requests that were refused because too many were under way.', refused),
  ];
}

/** @param bytes in memory. @param spooledBytes on disk. */
export const bodyMetrics = (bytes: number, spooledBytes: number): readonly Metric[] => [
  gauge('http_server_body_bytes', 'Bytes of request bodies under way that did not come in one packet.', bytes),
  gauge('http_server_spooled_bytes', 'Bytes on disk that are taken or reserved by files of requests under way.', spooledBytes),
];

export const logMetrics = (log: Log): readonly Metric[] => [
  counter('log_lines_dropped_total', 'Lines that were dropped because the log was not read.', log[DROPPED_LINES]?.() ?? 0),
];

const increment = <Key>(counts: Map<Key, number>, key: Key) => void counts.set(key, (counts.get(key) ?? 0) + 1);
