/** What a server has beside its contracts: probes, metrics, documentation, and the contracts themselves. */
import { existsSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { type Contract, formatYaml } from '@specwright/contract';
import { DROPPED_LINES, type Log } from '../log/logger.ts';
import { counter, type MetricSource } from '@specwright/contract/runtime';
import type { Scrape } from '../ops/scrape.ts';
import type { MountOptions, UntypedService } from '../options.ts';
import type { ErrorFormatter } from '../pipeline/send-overload.ts';
import { lazyStep, type Step } from '../pipeline/step.ts';
import type { OpenStreams } from '../pipeline/streams/open-streams.ts';
import { changelogPath, docsFiles, findSwaggerUi, guidePath, ownFile, type ServedFile } from './docs-files.ts';
import type { DocsOptions } from './docs-login.ts';
import type { DocsSteps } from './docs-page.ts';
import type { Endpoints, ServedContract } from './endpoints.ts';
import type { ServedPages } from './pages.ts';
import { metrics, PROBE_PATHS, type Readiness, probes } from './probes.ts';
import type { StaticContent } from './static-content.ts';
import { wellKnownEndpoints } from './well-known.ts';

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

export const logMetrics =
  (log: Log): MetricSource =>
  () => [counter('log_lines_dropped_total', 'Lines that were dropped because the log was not read.', log[DROPPED_LINES]?.() ?? 0)];

/** @returns those of a service: each has its contract, and the one at the root what is the server's. */
export function serverEndpoints({ services, readiness, docs, scrape, unmatched, streams, log }: EndpointsOptions) {
  const swaggerUi = docs === false ? undefined : findSwaggerUi();
  if (docs !== false && swaggerUi === undefined)
    log.warn({}, 'there is no page at /docs: swagger-ui/ of @specwright/server is not beside this module; copy it, or set DOCS=off');
  const described = services.filter(({ base = '', contract }) => base !== '' || services.length === 1 || contract.operations.length > 0);
  const contracts = described.map(({ base = '', contract: { title, version, file } }) => {
    const find = (name: string, ending: string) => (docs === false ? undefined : findBeside(file, name, ending, described.length > 1));
    return { base, title, version, changelog: find('changelog', '.json'), guides: listGuides(find('guides', '/')) };
  });
  const documents = described.map(({ contract }) => contract);
  const docsOptions = typeof docs === 'boolean' ? {} : docs;
  const loadSteps = async () => (await import('./docs-page.ts')).docsSteps(contracts, documents, docsOptions, streams.onStop);
  const ofServer = [
    ...(swaggerUi === undefined ? [] : [docsEndpoints(contracts, swaggerUi, docsOptions.reload === true, loadSteps)]),
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
        // The root page and the well-known paths of an application are its own.
        const hasDocs = swaggerUi !== undefined;
        const own =
          unmatched === 'next'
            ? []
            : [
                indexEndpoints(contracts, { docs: hasDocs, metrics: scrape !== undefined }),
                wellKnownEndpoints(services, contracts, hasDocs),
              ];
        return { uncounted: [probes(readiness, format), ...ofServer], counted: [...own, ...contract] };
      },
  };
}

/**
 * The page and its files, each read when it is first asked for. They are not counted against the limits: one page is a dozen requests.
 *
 * @param swaggerUi the folder of Swagger UI. @param reloads whether pages load themselves again.
 */
function docsEndpoints(
  contracts: readonly ServedContract[],
  swaggerUi: string,
  reloads: boolean,
  load: () => Promise<DocsSteps>,
): Endpoints {
  let loading: Promise<DocsSteps> | undefined;
  const step = (name: keyof DocsSteps) => lazyStep(async () => (await (loading ??= load()))[name]);
  return new Map([
    ['/docs', step('page')],
    ['/docs/oauth2-redirect', step('redirect')],
    ...(reloads ? [['/docs/changes', step('changes')] as const] : []),
    ...docsFiles(swaggerUi, reloads).map(([path, file]) => [path, sendFile(file)] as const),
    ...contracts.flatMap(({ base, changelog }) =>
      changelog === undefined ? [] : [[changelogPath(base), sendFile([changelog, 'application/json'])] as const],
    ),
    ...contracts.flatMap(({ base, guides }) => guides.map((file) => [guidePath(base, file), sendGuide(file, reloads)] as const)),
  ]);
}

const sendFile = ([file, type]: ServedFile): Step => lazyStep(async () => (await import('./pages.ts')).sendFile(file, type));

/** @param isEdited whether it is read again for each request. */
function sendGuide(file: string, isEdited: boolean): Step {
  // RFC 7763.
  const send = () => sendFile([file, 'text/markdown; charset=utf-8']);
  return isEdited ? (exchange) => send()(exchange) : send();
}

const indexEndpoints = (contracts: readonly ServedContract[], served: ServedPages): Endpoints =>
  new Map([
    ['/', lazyStep(async () => (await import('./pages.ts')).indexPage(contracts, served))],
    ['/index.css', sendFile(ownFile('index.css'))],
  ]);

/**
 * Looks beside the file of the contract.
 *
 * @param ending `/` of a folder. @param isOneOfSeveral whether the server has other contracts, too: then `changelog.json` could be another's.
 * @returns `changelog.v1.json` of `v1.yaml`, or `changelog.json`; `undefined` if there is none.
 */
function findBeside(file: string, name: string, ending: string, isOneOfSeveral: boolean): string | undefined {
  const { dir, name: contract } = parse(file);
  const names = [`${name}.${contract}${ending}`, ...(isOneOfSeveral ? [] : [`${name}${ending}`])];
  return names.map((one) => join(dir, one)).find((path) => existsSync(path));
}

function listGuides(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return names.sort().map((name) => join(folder, name));
}

/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
function contractDocument({ published, toYaml }: Contract): Endpoints {
  const serve = (type: string, write: (base: string) => string): Step => {
    // Written when it is first asked for: a start does not wait for it. Only the last one is kept: a path that an application mounts it at may have parameters.
    let last: { readonly base: string; readonly content: Promise<StaticContent> } | undefined;
    return async (exchange) => {
      const { base } = exchange;
      const { sendStaticContent, staticContent } = await import('./static-content.ts');
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
