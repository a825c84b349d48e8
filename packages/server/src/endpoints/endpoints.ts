/** What is served beside the contract: probes, metrics and the contract itself, each by its path. */
import type { Contract } from '@specwright/contract';
import type { Step } from '../pipeline/step.ts';
import type { StaticContent } from './static-content.ts';

export const METRICS_PATH = '/metrics';

/** By path; each answers GET and HEAD. */
export type Endpoints = ReadonlyMap<string, Step>;

/** A contract of the server, and the path below which it is served. */
export interface ServedContract extends Pick<Contract, 'title' | 'version'> {
  readonly base: string;
}

/**
 * Serves a text that is written when it is first asked for: a start does not wait for it. Only the last one is kept: a path that an
 * application mounts the server at may have parameters.
 *
 * @param write gets what precedes the paths of the contract in a URL.
 */
export function serveWritten(type: string, write: (base: string) => string): Step {
  let last: { readonly base: string; readonly content: Promise<StaticContent> } | undefined;
  return async (exchange) => {
    const { base } = exchange;
    const { sendStaticContent, staticContent } = await import('./static-content.ts');
    if (last?.base !== base) last = { base, content: staticContent(Buffer.from(write(base))) };
    sendStaticContent(exchange, await last.content, type);
  };
}
