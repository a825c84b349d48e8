/** What a server has beside its contracts: probes, metrics, documentation, and the contracts themselves. */
import type { MountOptions, UntypedService } from './options.ts';
import { DROPPED_LINES, type Log } from './ops/log/logger.ts';
import type { MetricSource } from './ops/metric.ts';
import type { Scrape } from './ops/scrape.ts';
import { findChangelog } from './pipeline/endpoints/changelog-file.ts';
import { contractDocument } from './pipeline/endpoints/contract-document.ts';
import { docsLogin, type DocsOptions } from './pipeline/endpoints/docs-login.ts';
import { docsPage, findSwaggerUi } from './pipeline/endpoints/docs-page.ts';
import { sendChanges, versionOf } from './pipeline/endpoints/docs-reload.ts';
import type { Endpoints } from './pipeline/endpoints/endpoints.ts';
import { indexPage } from './pipeline/endpoints/index-page.ts';
import { metrics } from './pipeline/endpoints/metrics.ts';
import { PROBE_PATHS, probes, type Readiness } from './pipeline/endpoints/probes.ts';
import type { ErrorFormatter } from './pipeline/error-response.ts';
import type { OpenStreams } from './pipeline/streams/open-streams.ts';

export interface EndpointsOptions {
  readonly services: readonly UntypedService[];
  readonly readiness: Readiness;
  readonly docs: boolean | DocsOptions;
  /** If `GET /metrics` is served with the contracts. */
  readonly scrape: Scrape | undefined;
  readonly unmatched: MountOptions['unmatched'];
  readonly streams: Pick<OpenStreams, 'onStop'>;
  readonly log: Log;
}

/** Those that are not counted against the limits, because probes and scrapes must always be answered, and those that are. */
export interface ServiceEndpoints {
  readonly uncounted: readonly Endpoints[];
  readonly counted: readonly Endpoints[];
}

export const logMetrics =
  (log: Log): MetricSource =>
  () => [
    {
      name: 'log_lines_dropped_total',
      help: 'Lines that were dropped because the log was not read.',
      type: 'counter',
      values: [{ value: log[DROPPED_LINES]?.() ?? 0 }],
    },
  ];

/** @returns those of a service: each has its contract, and the one at the root what is the server's. */
export function serverEndpoints({ services, readiness, docs, scrape, unmatched, streams, log }: EndpointsOptions) {
  const swaggerUi = docs !== false ? findSwaggerUi() : undefined;
  if (docs !== false && swaggerUi === undefined) log.warn({}, 'there is no page at /docs: npm install swagger-ui-dist, or DOCS=off');
  const described = services.filter(({ base = '', contract }) => base !== '' || services.length === 1 || contract.operations.length > 0);
  const contracts = described.map(({ base = '', contract: { title, version, file } }) => {
    const changelog = docs === false ? undefined : findChangelog(file, described.length > 1);
    return { base, title, version, changelog };
  });
  const documents = described.map(({ contract }) => contract);
  const docsOptions = typeof docs === 'boolean' ? {} : docs;
  const login = docsLogin(documents, docsOptions);
  const version = docsOptions.reload === true ? versionOf(documents) : undefined;
  const reload = version === undefined ? undefined : { version, sendChanges: sendChanges(version, streams.onStop) };
  const ofServer = [
    ...(swaggerUi === undefined ? [] : [docsPage(contracts, swaggerUi, { login, reload, omit: docsOptions.omit })]),
    ...(scrape === undefined ? [] : [metrics(scrape)]),
  ];
  return {
    /** Asked for all the time, so that spans of them would say nothing. */
    untraced: new Set([...PROBE_PATHS, ...ofServer.flatMap((some) => [...some.keys()])]),
    of:
      (service: UntypedService) =>
      (format: ErrorFormatter): ServiceEndpoints => {
        const contract = described.includes(service) ? [contractDocument(service.contract)] : [];
        if ((service.base ?? '') !== '') return { uncounted: [], counted: contract };
        // The root page of an application is its own.
        const index = unmatched === 'next' ? [] : [indexPage(contracts, { docs: swaggerUi !== undefined, metrics: scrape !== undefined })];
        return { uncounted: [probes(readiness, format), ...ofServer], counted: [...index, ...contract] };
      },
  };
}
