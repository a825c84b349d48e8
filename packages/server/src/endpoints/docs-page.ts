/** `GET /docs`: a page to read the contract and to try it, Swagger UI from disk. Loaded when it is asked for. */
import { createHash } from 'node:crypto';
import type { Contract } from '@specwright/contract';
import { listOperations } from '@specwright/contract/document';
import type { Step } from '../pipeline/step.ts';
import { closeWithClient } from '../pipeline/http-server.ts';
import { beginResponse } from '../pipeline/send-response.ts';
import type { OpenStreams } from '../pipeline/streams/open-streams.ts';
import { changelogPath, guidePath } from './docs-files.ts';
import { type DocsOptions, tokenOrigins } from './docs-login.ts';
import type { ServedContract } from './endpoints.ts';
import { escapeHtml, page, sendPage } from './pages.ts';

export interface DocumentedContract extends ServedContract, Pick<Contract, 'document' | 'published'> {
  /** The file of its releases and their changes, if there is one. */
  readonly changelog: string | undefined;
  readonly guides: readonly string[];
}

export type DocsSteps = ReturnType<typeof docsSteps>;

export function docsSteps(
  contracts: readonly DocumentedContract[],
  { oauth = {}, reload = false }: DocsOptions,
  onStop: OpenStreams['onStop'],
) {
  const versionOfAll = versionOf(contracts);
  const title = contracts.map((contract) => contract.title).join(', ');
  // The script of the page offers them as a menu.
  const named = contracts.map(({ base, title: name, version, changelog, guides }) => ({
    base,
    name: `${name} ${version}`,
    ...(changelog !== undefined && { changelog: changelogPath(base).slice(1) }),
    ...(guides.length > 0 && { guides: guides.map((file) => guidePath(base, file).slice(1)) }),
  }));
  const listed = escapeHtml(JSON.stringify(named));
  // The first one imports that of Swagger UI, below its rules.
  const styles = `<link rel="preload" as="style" href="docs/swagger-ui.css">${['docs', 'operations'].map((name) => `<link rel="stylesheet" href="docs/${name}.css">`).join('')}`;
  const scripts = ['swagger-ui-bundle', 'docs', ...(reload ? ['reload'] : [])]
    .map((name) => `<script src="docs/${name}.js"></script>`)
    .join('');
  const version = reload ? ` data-version="${escapeHtml(versionOfAll)}"` : '';
  const html = page(
    title,
    `<link rel="icon" href="docs/favicon.png">${styles}`,
    `<div id="docs" data-contracts="${listed}" data-oauth="${escapeHtml(JSON.stringify(oauth))}"${version}>` +
      `<p class="docs-loading" role="status">Loading the contract…</p></div>` +
      `<noscript>${contracts.map(formatOperations).join('')}</noscript>${scripts}`,
  );
  const redirect = page('Log-in', '<link rel="icon" href="favicon.png">', '<script src="oauth2-redirect.js"></script>');
  return {
    page: sendPage(html, tokenOrigins(contracts, oauth)),
    /** The provider sends the browser here, in the window of the log-in: its script hands the code to the page that opened it. */
    redirect: sendPage(redirect),
    /** Tells pages that the contracts are others. In development. */
    changes: sendChanges(versionOfAll, onStop),
  };
}

/** What there is to read without JavaScript. */
function formatOperations({ base, title, version, published }: DocumentedContract): string {
  const lines = listOperations(published).map(
    ({ method, path, operation: { summary = '' } }) =>
      `<li><code>${escapeHtml(`${method.toUpperCase()} ${path}`)}</code> ${escapeHtml(summary)}</li>`,
  );
  const link = `<a href="${escapeHtml(`${base}/openapi.yaml`.slice(1))}">the contract</a>`;
  return `<h1>${escapeHtml(`${title} ${version}`)}</h1><p>This page needs JavaScript. Without it, read ${link}.</p><ul>${lines.join('')}</ul>`;
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
