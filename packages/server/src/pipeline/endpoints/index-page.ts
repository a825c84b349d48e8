/** `GET /`: where everything is. */
import { join } from 'node:path';
import type { Step } from '../exchange.ts';
import { send } from '../send-response.ts';
import { escapeHtml, OWN_FILES, page, sendFile, sendPage } from './docs-page.ts';
import type { Endpoints, ServedContract } from './endpoints.ts';

/** What is served beside the contracts. */
export interface ServedPages {
  readonly docs: boolean;
  readonly metrics: boolean;
}

/** `GET /`: JSON, or HTML for clients that prefer it, as browsers do (RFC 9110, section 12.5.1). */
export function indexPage(contracts: readonly ServedContract[], served: ServedPages): Endpoints {
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
