/**
 * Registers an SDK of OpenTelemetry that sends traces and metrics to a collector: `node --import ./.deploy/telemetry/register.mjs`.
 *
 * Variables of OpenTelemetry configure it: OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_EXPORTER_OTLP_ENDPOINT (default
 * http://localhost:4318; HTTP with JSON), OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_TRACES_EXPORTER and
 * OTEL_METRICS_EXPORTER (`otlp` or `none`), OTEL_BSP_..., OTEL_METRIC_EXPORT_INTERVAL, OTEL_SDK_DISABLED.
 */
import { metrics } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, hostDetector, processDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

const { env } = process;

if (env.OTEL_SDK_DISABLED !== 'true') {
  env.OTEL_SERVICE_NAME ||= 'petstore';
  // Not the command line, which may hold what nobody else should read.
  const runtime = {
    detect: () => ({ attributes: pick(processDetector.detect().attributes ?? {}, ['process.pid', 'process.runtime.version']) }),
  };
  const resource = defaultResource().merge(detectResources({ detectors: [hostDetector, runtime, envDetector] }));
  if (env.OTEL_TRACES_EXPORTER !== 'none') {
    const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
    new NodeTracerProvider({ resource, spanProcessors }).register();
  }
  if (env.OTEL_METRICS_EXPORTER !== 'none') {
    const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL || 60_000);
    const exportTimeoutMillis = Math.min(Number(env.OTEL_METRIC_EXPORT_TIMEOUT || 30_000), exportIntervalMillis);
    const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis, exportTimeoutMillis });
    metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [reader] }));
  }
}

function pick(values, names) {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}
