/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
import { formatYaml } from '../../contract/document/parse-yaml.ts';
import type { Contract } from '../../contract/load-contract.ts';
import type { Endpoints } from './endpoints.ts';
import type { Exchange } from '../exchange.ts';
import { send } from '../send-response.ts';

export function contractDocument({ published, toYaml }: Contract): Endpoints {
  const serve = (type: string, write: (base: string) => string) => {
    // Written when it is first asked for: a start does not wait for it. Only the last one is kept: a path that an application mounts it at may have parameters.
    let last: { readonly base: string; readonly text: string } | undefined;
    return (exchange: Exchange) => {
      const { base, headers } = exchange;
      if (last?.base !== base) last = { base, text: write(base) };
      send(exchange, { status: 200, headers, type, text: last.text });
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
