/** What a server has beside its contracts: probes, metrics, documentation, and the contracts themselves. */
import { type Contract, formatYaml } from '@specwright/contract';
import type { Log } from '../log/logger.ts';
import type { Scrape } from '../ops/scrape.ts';
import type { MountOptions, UntypedService } from '../options.ts';
import type { ErrorFormatter } from '../pipeline/error-formatter.ts';
import { lazyStep } from '../pipeline/exchange-lifecycle.ts';
import type { OpenStreams } from '../pipeline/streams/open-streams.ts';
import type { DocsOptions } from './docs-login.ts';
import { type Endpoints, type ServedContract, serveWritten } from './endpoints.ts';
import type { ServedPages } from './pages.ts';
import { metrics, PROBE_PATHS, type Readiness, probes } from './probes.ts';

export interface EndpointsOptions {
  readonly services: readonly UntypedService[];
  readonly readiness: Readiness;
  readonly docs: boolean | DocsOptions;
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

/** @returns those of a service: each has its contract, and the one at the root what is the server's. */
export async function serverEndpoints({ services, readiness, docs, scrape, unmatched, streams, log }: EndpointsOptions) {
  const described = services.filter(({ base = '', contract }) => base !== '' || services.length === 1 || contract.operations.length > 0);
  const contracts = described.map(({ base = '', contract: { title, version } }) => ({ base, title, version }));
  const options = docs === true ? {} : docs;
  const pages = options && (await import('./docs-endpoints.ts')).docsEndpoints(described, options, streams, log);
  const ofServer = [...(pages ? [pages] : []), ...(scrape === undefined ? [] : [metrics(scrape)])];
  const hasDocs = Boolean(pages);
  const hasResources = services.some(({ security }) => Object.values(security).some(({ resource }) => resource !== undefined));
  const resources = hasResources ? (await import('./well-known.ts')).resourceEndpoints(services, hasDocs) : NO_ENDPOINTS;
  return {
    /** Asked for all the time, so that spans of them would say nothing. */
    untraced: new Set([...PROBE_PATHS, ...ofServer.flatMap((some) => [...some.keys()])]),
    of:
      (service: UntypedService) =>
      (format: ErrorFormatter): ServiceEndpoints => {
        const contract = described.includes(service) ? [contractDocument(service.contract)] : [];
        if ((service.base ?? '') !== '') return { uncounted: [], counted: contract };
        // The root page and the well-known paths of an application are its own.
        const own = unmatched === 'next' ? [] : [indexEndpoints(contracts, { docs: hasDocs, metrics: scrape !== undefined }), resources];
        return { uncounted: [probes(readiness, format), ...ofServer], counted: [...own, ...contract] };
      },
  };
}

const NO_ENDPOINTS: Endpoints = new Map();
/** RFC 9727, section 2. */
const CATALOG_PATH = '/.well-known/api-catalog';

const indexEndpoints = (contracts: readonly ServedContract[], served: ServedPages): Endpoints =>
  new Map([
    ['/', lazyStep(async () => (await import('./pages.ts')).indexPage(contracts, served))],
    [CATALOG_PATH, lazyStep(async () => (await import('./well-known.ts')).catalogStep(CATALOG_PATH, contracts, served.docs))],
    ['/index.css', lazyStep(async () => (await import('./pages.ts')).indexStyles())],
  ]);

/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
const contractDocument = ({ published, toYaml }: Contract): Endpoints =>
  new Map([
    // RFC 9512 for YAML.
    ['/openapi.yaml', serveWritten('application/yaml', (base) => (base === '' ? toYaml() : formatYaml(withServers(published, base))))],
    ['/openapi.json', serveWritten('application/json', (base) => JSON.stringify(base === '' ? published : withServers(published, base)))],
  ]);

/** The document with the server at `base` first; servers of other hosts stay. */
function withServers(document: Contract['published'], base: string): Contract['published'] {
  const elsewhere = (document.servers ?? []).filter(({ url }) => /^([a-z][a-z0-9+.-]*:)?\/\//i.test(url));
  return { ...document, servers: [{ url: base }, ...elsewhere] };
}
