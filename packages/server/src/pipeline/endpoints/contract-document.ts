/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
import { formatYaml, type Contract } from '@specwright/contract';
import type { Endpoints } from './endpoints.ts';
import type { Step } from '../exchange.ts';
import { sendStaticContent, staticContent, type StaticContent } from './static-content.ts';

export function contractDocument({ published, toYaml }: Contract): Endpoints {
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
