/** A collector that keeps what it is sent: OTLP over HTTP, as JSON (opentelemetry.io/docs/specs/otlp). */
import http from 'node:http';
import { listenOnFreePort } from 'specwright/testing';

type Value = string | number | boolean;

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  /** 2: server, 3: client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, Value>>;
  /** 2: error. */
  readonly status: number | undefined;
  readonly resource: Readonly<Record<string, Value>>;
}

export interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly attributes: Readonly<Record<string, Value>>; readonly bounds?: number[]; readonly count?: number }[];
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, Value>>;
}
interface Resource {
  readonly attributes: Attribute[];
}
interface RawSpan extends Omit<OtlpSpan, 'attributes' | 'status'> {
  readonly attributes: Attribute[];
  readonly status: { readonly code?: number };
}
interface RawPoints {
  readonly dataPoints: readonly { readonly attributes: Attribute[]; readonly explicitBounds?: number[]; readonly count?: number }[];
}
interface RawMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: RawPoints;
  readonly sum?: RawPoints;
}
interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: Resource;
    readonly scopeSpans: readonly { readonly spans: readonly RawSpan[] }[];
  }[];
}
interface Metrics {
  readonly resourceMetrics: readonly { readonly scopeMetrics: readonly { readonly metrics: readonly RawMetric[] }[] }[];
}

const toRecord = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']));

const readSpans = ({ resourceSpans }: Traces): OtlpSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map(({ attributes, status, ...span }) => ({
        ...span,
        attributes: toRecord(attributes),
        status: status.code,
        resource: toRecord(resource.attributes),
      })),
  );

const readMetrics = ({ resourceMetrics }: Metrics): OtlpMetric[] =>
  resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics
      .flatMap(({ metrics }) => metrics)
      .map(({ name, unit, histogram, sum }) => ({
        name,
        unit,
        points: ((histogram ?? sum)?.dataPoints ?? []).map(({ attributes, explicitBounds, count }) => ({
          attributes: toRecord(attributes),
          ...(explicitBounds && { bounds: explicitBounds }),
          ...(count === undefined ? {} : { count }),
        })),
      })),
  );

/** Its state is that of the last export of metrics; spans add up. */
export async function startOtlpReceiver() {
  const received = { spans: [] as OtlpSpan[], metrics: [] as OtlpMetric[] };
  const server = http.createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
    if (request.url === '/v1/traces') received.spans.push(...readSpans(JSON.parse(body) as Traces));
    if (request.url === '/v1/metrics') received.metrics = readMetrics(JSON.parse(body) as Metrics);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  return { ...(await listenOnFreePort(server)), received };
}
