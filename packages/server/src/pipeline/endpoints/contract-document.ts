/** `GET /openapi.yaml` and `GET /openapi.json`: the contract, for clients and their tools, without authentication. */
import type { Contract } from '../../contract/load-contract.ts';
import type { Endpoints } from './endpoints.ts';
import type { Exchange } from '../exchange.ts';
import { send } from '../send-response.ts';

export function contractDocument({ published, toYaml }: Contract): Endpoints {
  const serve = (type: string, write: () => string) => {
    // Written when it is first asked for: a start does not wait for it.
    let text: string | undefined;
    return (exchange: Exchange) => send(exchange, { status: 200, headers: exchange.headers, type, text: (text ??= write()) });
  };
  return new Map([
    // RFC 9512 for YAML.
    ['/openapi.yaml', serve('application/yaml', toYaml)],
    ['/openapi.json', serve('application/json', () => JSON.stringify(published))],
  ]);
}
