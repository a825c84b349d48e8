/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
import type { Contract } from '../contract/load-contract.ts';
import type { Endpoints } from './endpoints.ts';
import type { Exchange } from './exchange.ts';
import { send } from './send-response.ts';

export function contractDocument({ source, document }: Contract): Endpoints {
  const serve = (type: string, text: string) => (exchange: Exchange) =>
    send(exchange, { status: 200, headers: exchange.headers, type, text });
  return new Map([
    // RFC 9512 for YAML; a file that is written in JSON is YAML too.
    ['/openapi.yaml', serve('application/yaml', source)],
    ['/openapi.json', serve('application/json', JSON.stringify(document))],
  ]);
}
