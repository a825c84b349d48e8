/** What is served at /docs: the page, its files, and the changelogs and guides beside the contracts. Loaded with the option `docs`. */
import { existsSync, readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import type { Log } from '../log/logger.ts';
import type { UntypedService } from '../options.ts';
import { lazyStep } from '../pipeline/exchange-lifecycle.ts';
import type { Step } from '../pipeline/step.ts';
import type { OpenStreams } from '../pipeline/streams/open-streams.ts';
import { changelogPath, docsFiles, findSwaggerUi, guidePath, type ServedFile } from './docs-files.ts';
import type { DocsOptions } from './docs-login.ts';
import type { DocsSteps, DocumentedContract } from './docs-page.ts';
import type { Endpoints } from './endpoints.ts';

/**
 * The page and its files, each read when it is first asked for. They are not counted against the limits: one page is a dozen requests.
 *
 * @returns `undefined` without Swagger UI.
 */
export function docsEndpoints(
  services: readonly UntypedService[],
  options: DocsOptions,
  streams: Pick<OpenStreams, 'onStop'>,
  log: Log,
): Endpoints | undefined {
  const swaggerUi = findSwaggerUi();
  if (swaggerUi === undefined) {
    log.warn({}, 'there is no page at /docs: swagger-ui/ of @specwright/server is not beside this module; copy it, or set DOCS=off');
    return undefined;
  }
  const { reload: reloads = false } = options;
  const contracts = services.map(({ base = '', contract }): DocumentedContract => {
    const find = (name: string, ending: string) => findBeside(contract.file, name, ending, services.length > 1);
    return { ...contract, base, changelog: find('changelog', '.json'), guides: listGuides(find('guides', '/')) };
  });
  let loading: Promise<DocsSteps> | undefined;
  const load = async () => (await import('./docs-page.ts')).docsSteps(contracts, options, streams.onStop);
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
