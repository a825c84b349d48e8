/** What a server has beside its contracts: probes, metrics, documentation, and the contracts themselves. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Contract, formatYaml } from '@specwright/contract';
import { DROPPED_LINES, type Log } from '../log/logger.ts';
import type { MetricSource } from '../ops/metric.ts';
import type { Scrape } from '../ops/scrape.ts';
import type { MountOptions, UntypedService } from '../options.ts';
import { type DocsOptions, docsLogin } from './docs-login.ts';
import { OWN_FILES, docsPage, escapeHtml, findSwaggerUi, page, sendFile, sendPage } from './docs-page.ts';
import type { Endpoints, ServedContract } from './endpoints.ts';
import { metrics } from './metrics.ts';
import { PROBE_PATHS, type Readiness, probes } from './probes.ts';
import { type StaticContent, sendStaticContent, staticContent } from './static-content.ts';
import type { ErrorFormatter } from '../pipeline/error-response.ts';
import type { Step } from '../pipeline/exchange.ts';
import { closeWithClient } from '../pipeline/half-closed.ts';
import { beginResponse, send } from '../pipeline/send-response.ts';
import type { OpenStreams } from '../pipeline/streams/open-streams.ts';

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

export type ServerEndpoints = ReturnType<typeof serverEndpoints>;

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

/**
 * Looks beside the file of the contract.
 *
 * @param isOneOfSeveral whether the server has other contracts, too: then `changelog.json` could be another's.
 * @returns `changelog.v1.json` of `v1.yaml`, or `changelog.json`; `undefined` if there is none.
 */
function findChangelog(file: string, isOneOfSeveral: boolean): string | undefined {
  const { dir, name } = parse(file);
  const names = [`changelog.${name}.json`, ...(isOneOfSeveral ? [] : ['changelog.json'])];
  return names.map((one) => join(dir, one)).find((path) => existsSync(path));
}

/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
function contractDocument({ published, toYaml }: Contract): Endpoints {
  const serve = (type: string, write: (base: string) => string): Step => {
    // Written when it is first asked for: a start does not wait for it. Only the last one is kept: a path that an application mounts it at may have parameters.
    let last: { readonly base: string; readonly content: Promise<StaticContent> } | undefined;
    return async (exchange) => {
      const { base } = exchange;
      if (last?.base !== base) last = { base, content: staticContent(Buffer.from(write(base))) };
      sendStaticContent(exchange, await last.content, type);
    };
  };
  return new Map([
    // RFC 9512 for YAML.
    ['/openapi.yaml', serve('application/yaml', (base) => (base === '' ? toYaml() : formatYaml(withServers(published, base))))],
    ['/openapi.json', serve('application/json', (base) => JSON.stringify(base === '' ? published : withServers(published, base)))],
  ]);
}

/** The document with the server at `base` first; servers of other hosts stay. */
function withServers(document: Contract['published'], base: string): Contract['published'] {
  const elsewhere = (document.servers ?? []).filter(({ url }) => /^([a-z][a-z0-9+.-]*:)?\/\//i.test(url));
  return { ...document, servers: [{ url: base }, ...elsewhere] };
}

/** After how long a page whose server has stopped connects again. */
const RECONNECT_MS = 300;

/** @returns another text for other contracts. */
function versionOf(contracts: readonly Pick<Contract, 'published'>[]): string {
  const hash = createHash('sha256');
  for (const { published } of contracts) hash.update(JSON.stringify(published));
  return hash.digest('base64url').slice(0, 22);
}

/** Says the version when a page connects, and ends when the server stops: what has connected again knows whether it is another one. */
const sendChanges =
  (version: string, onStop: OpenStreams['onStop']): Step =>
  (exchange) => {
    const { headers, request, response } = exchange;
    headers.merge({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    beginResponse(exchange, 200, headers);
    if (request.method === 'HEAD') return void response.end();
    response.write(`retry: ${RECONNECT_MS}\ndata: ${version}\n\n`);
    closeWithClient(request, response);
    response.once(
      'close',
      onStop(() => response.end()),
    );
  };

/** What is served beside the contracts. */
interface ServedPages {
  readonly docs: boolean;
  readonly metrics: boolean;
}

/** `GET /`: JSON, or HTML for clients that prefer it, as browsers do (RFC 9110, section 12.5.1). */
function indexPage(contracts: readonly ServedContract[], served: ServedPages): Endpoints {
  const answer: Step = (exchange) => {
    const { base, headers, request } = exchange;
    headers.append('Vary', 'Accept');
    if (prefersHtml(request.headers.accept)) return sendPage(toHtml(contracts, served, base))(exchange);
    send(exchange, { status: 200, headers, type: 'application/json', body: toJson(contracts, served, base) });
  };
  return new Map([
    ['/', answer],
    ['/index.css', sendFile(join(OWN_FILES, 'index.css'), 'text/css; charset=utf-8')],
  ]);
}

const pathsOf = (base: string) => ({ contract: `${base}/openapi.yaml`, contractAsJson: `${base}/openapi.json` });

/** @param mount what precedes the paths of the server in a URL. */
function toJson(contracts: readonly ServedContract[], served: ServedPages, mount: string): object {
  const describe = ({ title, version, base }: ServedContract) => ({ title, version, ...pathsOf(mount + base) });
  const [only, ...others] = contracts;
  const pages = { liveness: `${mount}/livez`, readiness: `${mount}/readyz`, ...(served.metrics && { metrics: `${mount}/metrics` }) };
  const docs = served.docs && { documentation: `${mount}/docs` };
  if (only === undefined || others.length > 0) return { services: contracts.map(describe), ...docs, ...pages };
  const { title, version, ...paths } = describe(only);
  return { title, version, ...docs, ...paths, ...pages };
}

/** What people read in place of a name that programs read. */
const LABELS: Readonly<Record<string, string>> = { contractAsJson: 'contract as JSON' };

/** Links begin with the mount path: the page is at `/v1` and at `/v1/`, from where relative ones lead to two places. */
function toHtml(contracts: readonly ServedContract[], { docs, metrics }: ServedPages, mount: string): string {
  const link = ([name, path = '']: readonly [string, string | undefined]) =>
    `<li><span>${LABELS[name] ?? name}</span> <a href="${escapeHtml(mount + path)}">${escapeHtml(mount + path)}</a></li>`;
  const list = (paths: Readonly<Record<string, string | undefined>>) => Object.entries(paths).map(link).join('');
  const pages = { liveness: '/livez', readiness: '/readyz', ...(metrics && { metrics: '/metrics' }) };
  const documentation = docs ? { documentation: '/docs' } : {};
  const heading = ({ title, version }: ServedContract) => `<h1>${escapeHtml(`${title} ${version}`)}</h1>`;
  const [first] = contracts;
  const body =
    contracts.length === 1 && first !== undefined
      ? `${heading(first)}<ul>${list({ ...documentation, ...pathsOf(first.base), ...pages })}</ul>`
      : `${contracts.map((contract) => `${heading(contract)}<ul>${list(pathsOf(contract.base))}</ul>`).join('')}<ul>${list({ ...documentation, ...pages })}</ul>`;
  return page(
    contracts.map(({ title }) => title).join(', '),
    `<link rel="icon" href="data:,"><link rel="stylesheet" href="${escapeHtml(mount)}/index.css">`,
    `<main>${body}</main>`,
  );
}

/** Whether HTML has more weight than JSON. A client that accepts every type gets JSON. */
function prefersHtml(accept = ''): boolean {
  const weight = (type: string): number => {
    const range = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type);
    return range === undefined ? 0 : Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1);
  };
  return weight('text/html') > weight('application/json');
}
